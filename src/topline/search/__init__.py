"""The best extract, and every best extract."""
