"""`laconic tokens`: personal tokens for the API and for /mcp over HTTP."""
