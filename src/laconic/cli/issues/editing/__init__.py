"""Commands that change issues: `new`, `edit`, `claim`, `done` and `answer`, by options or in the editor."""
