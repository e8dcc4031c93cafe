"""Merging two versions of an issue file for git.

`merge` joins headers field by field; `driver` registers that with git for one repository.
"""
