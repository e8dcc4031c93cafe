"""Accounts: who is signed in, under which alias, and how their tokens are renewed."""
