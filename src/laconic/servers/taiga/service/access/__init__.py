"""Access to an instance: which account, signing in, opening, and checking it."""
