"""Compiled loops over plain arrays; imported only when a system runs."""
