"""Where options come from, and what they mean: flags, variables, files, the workspace, the secret."""
