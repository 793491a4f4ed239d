"""Compiled parts of the own search; imported only when something is solved."""
