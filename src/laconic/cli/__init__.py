"""The command line: choose servers, stores and transport, and print."""
