"""Models behind an API, and scripted ones."""
