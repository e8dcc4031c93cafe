"""The notes server: notes and bookmarks, kept in the same library as prompts."""
