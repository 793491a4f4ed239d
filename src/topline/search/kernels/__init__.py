"""Compiled kernels of the exact search: plain integer arrays in, plain integer arrays out."""
