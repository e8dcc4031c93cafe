"""Databases: work on SQLite or PostgreSQL in one thread and one transaction, and migrations."""
