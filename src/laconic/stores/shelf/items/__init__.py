"""Items of a shelf: added, read, changed, linked, used, put away and brought back."""
