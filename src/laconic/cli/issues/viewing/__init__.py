"""Commands that show issues: `list`, `show`, `board` and `ready`."""
