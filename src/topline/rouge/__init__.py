"""ROUGE as ROUGE-1.5.5 prints it."""
