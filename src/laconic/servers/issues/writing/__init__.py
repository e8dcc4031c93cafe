"""Changing issue files safely.

A write takes the lock, reads again, checks, writes the whole file and moves it; no number is given twice in
a repository.
"""
