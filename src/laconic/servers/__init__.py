"""The servers: one folder a domain, none knows another."""
