"""Reading what people have: every reader yields the same records."""
