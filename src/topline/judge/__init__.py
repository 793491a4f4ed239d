"""Judging: utilities, ceilings, correlation with people, significance between systems."""
