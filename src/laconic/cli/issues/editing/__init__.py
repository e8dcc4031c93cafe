"""Commands that change issues: `new`, `edit`, `claim` and `done`, by options or in the editor."""
