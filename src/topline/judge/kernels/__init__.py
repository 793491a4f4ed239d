"""Compiled counting for correlation and significance: plain arrays in, plain arrays out."""
