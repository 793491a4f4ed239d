"""Compiled kernels of the spread: plain integer arrays in, counts out."""
