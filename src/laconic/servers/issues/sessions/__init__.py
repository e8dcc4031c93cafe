"""Agent sessions: start, record progress, resume, complete.

A session is a folder of files in the workspace, with an audit log and, if possible, its own git worktree.
"""
