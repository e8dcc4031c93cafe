"""Changing issue files safely.

A write takes the lock, reads the file again, checks, writes the whole file and moves it; no number is used
twice in a repository.
"""
