"""Mutants: small changes to our own code, to see whether a test notices each."""
