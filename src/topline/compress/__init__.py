"""The best summary made of trimmed sentences: rooted subtrees of dependency trees."""
