"""Migrations of the shelf, for alembic."""
