"""What functions are supplied with: the services of a toolset, and what its factory is told."""
