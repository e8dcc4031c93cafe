"""`laconic doctor`: check the installation, the configuration and every server."""
