"""Revisions: a number for each kind that every change of its items increases."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the table, and begin after all changes so far."""
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    op.create_table(
        "shelf_revisions",
        sa.Column("kind", sa.Text() if is_sqlite else sa.Text(collation="C"), primary_key=True),
        sa.Column("number", sa.BigInteger, nullable=False),
    )
    op.execute(
        "INSERT INTO shelf_revisions (kind, number)"
        " SELECT items.kind, max(item_versions.n) FROM items"
        " JOIN item_versions ON item_versions.item = items.n GROUP BY items.kind"
    )
