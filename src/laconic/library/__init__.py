"""The library: what prompts, notes and bookmarks have in common, by the rules of the kit."""
