"""What alembic runs to migrate: our connection and its transaction, and the version table of one schema."""

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    version_table=context.config.attributes["version_table"],
    render_as_batch=True,  # SQLite changes a table by building another one
)
context.run_migrations()
