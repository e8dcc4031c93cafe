"""The servers: one package per domain; none imports another."""
