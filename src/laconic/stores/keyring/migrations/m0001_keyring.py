"""Tokens: whose they are, what they allow, until when, and when they were used last."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the table."""
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    text = sa.Text() if is_sqlite else sa.Text(collation="C")
    op.create_table(
        "keyring",
        sa.Column("id", text, primary_key=True),
        sa.Column("digest", text, nullable=False, unique=True),
        sa.Column("prefix", text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("owner", text, nullable=False),
        sa.Column("scope", text, nullable=False),
        sa.Column("created_at", sa.Float(53), nullable=False),
        sa.Column("expires_at", sa.Float(53)),
        sa.Column("last_used_at", sa.Float(53)),
    )
