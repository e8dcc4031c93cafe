"""Starting a session: its worktree, and what is not committed and so not in it."""
