"""The wire: the only code that knows the MCP SDK."""
