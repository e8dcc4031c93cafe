"""Collections: prompts, notes and bookmarks behind one face, so that their routes are declared once."""
