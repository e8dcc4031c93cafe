"""What the finder knows: words and their stems, an index of the tools, and the phrases toolsets bring."""
