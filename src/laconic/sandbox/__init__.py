"""Small working instances of other systems, to try a server without an account, and for the tests."""
