"""The web: the library over REST beside `/mcp`, on the same services and behind the same door."""
