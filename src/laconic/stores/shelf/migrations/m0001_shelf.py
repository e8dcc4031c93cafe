"""Items with tags, versions, labels, links, uses, and the indexes of search."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_FIELDS = ("name", "title", "description", "terms", "body")


def upgrade() -> None:
    """Make all tables."""
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    text = sa.Text() if is_sqlite else sa.Text(collation="C")
    number = sa.Integer() if is_sqlite else sa.BigInteger()
    _make_items(text, number)
    _make_tags(text, number)
    _make_history(text, number)
    _make_search(text, number)
    if is_sqlite:
        _index_trigrams_of_sqlite()
    else:
        _index_trigrams_of_postgres()


def _item(number: sa.types.TypeEngine[int], **options: Any) -> sa.Column[int]:
    to_item = sa.ForeignKey("items.n", ondelete="CASCADE")
    return sa.Column("item", number, to_item, nullable=False, **options)


def _make_items(text: sa.Text, number: sa.types.TypeEngine[int]) -> None:
    op.create_table(
        "items",
        sa.Column("n", number, primary_key=True),
        sa.Column("id", text, nullable=False, unique=True),
        sa.Column("kind", text, nullable=False),
        sa.Column("name", text),
        sa.Column("title", sa.Text),
        sa.Column("description", sa.Text),
        sa.Column("extra", sa.Text, nullable=False),
        sa.Column("terms", sa.Text, nullable=False),
        sa.Column("order_title", text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("updated_at", sa.BigInteger, nullable=False),
        sa.Column("archived_at", sa.BigInteger),
        sa.Column("deleted_at", sa.BigInteger),
        sa.Column("body", sa.Text),  # last: SQLite reads a long one only to reach what follows it
    )
    op.create_index("items_created", "items", ["kind", "created_at", "id"])
    op.create_index("items_updated", "items", ["kind", "updated_at", "id"])
    op.create_index("items_title", "items", ["kind", "order_title", "id"])
    has_name = sa.text("name IS NOT NULL AND deleted_at IS NULL")
    op.create_index(
        "items_name", "items", ["kind", "name"], unique=True, sqlite_where=has_name, postgresql_where=has_name
    )
    op.create_table(
        "item_uses",
        _item(number, primary_key=True),
        sa.Column("last_used_at", sa.BigInteger, nullable=False),
        sa.Column("uses", sa.Integer, nullable=False),
    )
    op.create_index("ix_item_uses_last_used_at", "item_uses", ["last_used_at"])


def _make_tags(text: sa.Text, number: sa.types.TypeEngine[int]) -> None:
    op.create_table(
        "tags",
        sa.Column("n", number, primary_key=True),
        sa.Column("name", text, nullable=False, unique=True),
    )
    op.create_table(
        "item_tags",
        _item(number, primary_key=True),
        sa.Column("tag", number, sa.ForeignKey("tags.n", ondelete="CASCADE"), primary_key=True),
        sa.Column("position", sa.Integer, nullable=False),
    )
    op.create_index("ix_item_tags_tag", "item_tags", ["tag"])


def _make_history(text: sa.Text, number: sa.types.TypeEngine[int]) -> None:
    op.create_table(
        "item_versions",
        sa.Column("n", number, primary_key=True),
        _item(number),
        sa.Column("number", sa.Integer),
        sa.Column("action", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("details", sa.Text, nullable=False),
        sa.Column("changed", sa.Text, nullable=False),
        sa.Column("snapshot", sa.Text, nullable=False),
        sa.Column("body_number", sa.Integer),
        sa.Column("body", sa.Text),
        sa.UniqueConstraint("item", "number"),
    )
    op.create_table(
        "item_labels",
        _item(number, primary_key=True),
        sa.Column("label", text, primary_key=True),
        sa.Column("number", sa.Integer, nullable=False),
    )
    op.create_table(
        "item_links",
        _item(number, primary_key=True),
        sa.Column("other", number, sa.ForeignKey("items.n", ondelete="CASCADE"), primary_key=True),
        sa.Column("description", sa.Text),
        sa.Column("created_at", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_item_links_other", "item_links", ["other"])


def _make_search(text: sa.Text, number: sa.types.TypeEngine[int]) -> None:
    op.create_table(
        "item_texts",
        _item(number, primary_key=True),
        *(sa.Column(field, sa.Text, nullable=False) for field in _FIELDS),
    )
    op.create_table(
        "item_words",
        sa.Column("word", text, primary_key=True),
        _item(number, primary_key=True),
        sa.Column("weight", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_item_words_item", "item_words", ["item"])


def _index_trigrams_of_sqlite() -> None:
    fields = ", ".join(_FIELDS)
    new, old = (", ".join(f"{row}.{field}" for field in _FIELDS) for row in ("new", "old"))
    put = f"INSERT INTO item_grams (rowid, {fields}) VALUES (new.item, {new});"
    take = f"INSERT INTO item_grams (item_grams, rowid, {fields}) VALUES ('delete', old.item, {old});"
    op.execute(
        f"CREATE VIRTUAL TABLE item_grams USING fts5({fields}, content='item_texts', content_rowid='item',"
        " tokenize='trigram case_sensitive 1')"
    )
    op.execute(f"CREATE TRIGGER item_texts_put AFTER INSERT ON item_texts BEGIN {put} END")
    op.execute(f"CREATE TRIGGER item_texts_take AFTER DELETE ON item_texts BEGIN {take} END")
    op.execute(f"CREATE TRIGGER item_texts_change AFTER UPDATE ON item_texts BEGIN {take} {put} END")


def _index_trigrams_of_postgres() -> None:
    """Make the index if the server has trigrams and lets us use them; search works without, but slower."""
    connection = op.get_bind()
    try:
        with connection.begin_nested():
            connection.execute(sa.text("CREATE EXTENSION IF NOT EXISTS pg_trgm"))
    except sa.exc.DBAPIError:
        return
    fields = ", ".join(f"{field} gin_trgm_ops" for field in _FIELDS)
    connection.execute(sa.text(f"CREATE INDEX item_grams ON item_texts USING gin ({fields})"))
