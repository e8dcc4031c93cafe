"""Running git.

All questions to git and all commands it runs for us go through this package.
"""
