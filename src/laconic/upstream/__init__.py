"""HTTP to other systems: one session with sign-in, retry and rate limits.

A status becomes one of a few errors, which the kit puts into words.
"""
