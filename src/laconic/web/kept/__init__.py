"""Kept answers: the same request gets the same bytes again, as long as nothing in the library changed."""
