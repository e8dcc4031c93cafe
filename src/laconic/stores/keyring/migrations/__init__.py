"""The migrations of a keyring."""
