"""Prompts as files: markdown with a header, in a folder that a team keeps in git, and skills for hosts."""
