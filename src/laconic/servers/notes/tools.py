"""The tools of the notes server: what the model sees."""

from laconic.kit import Toolset

notes = Toolset("notes", "Notes and bookmarks.")
