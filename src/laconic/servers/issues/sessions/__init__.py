"""Agent sessions: start, record progress, resume, complete.

A session is a folder of files in the workspace, with an audit log and, on request, a git worktree of its own.
"""
