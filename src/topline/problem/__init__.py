"""The integer coverage problem that search, count and label all take."""
