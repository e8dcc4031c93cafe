"""What there is in Taiga, and what callers may say about it."""
