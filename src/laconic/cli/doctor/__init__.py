"""`laconic doctor`: checks the installation, the configuration and every server."""
