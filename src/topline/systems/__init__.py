"""Summarisers: a file each, found by name in the registry, all fed from one prepared topic."""
