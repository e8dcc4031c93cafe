"""The tables of a shelf. Times are whole microseconds, and texts compare byte by byte on every database."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)

__all__ = [
    "ITEMS",
    "ITEM_TAGS",
    "LABELS",
    "LINKS",
    "POSTINGS",
    "REVISIONS",
    "TABLES",
    "TAGS",
    "TEXTS",
    "USES",
    "VERSIONS",
    "VOCABULARY",
]

TABLES: Final = MetaData()
_BYTES: Final = Text().with_variant(Text(collation="C"), "postgresql")
_NUMBER: Final = BigInteger().with_variant(Integer(), "sqlite")  # what SQLite numbers by itself


def _item(**options: Any) -> Column[int]:
    return Column("item", _NUMBER, ForeignKey("items.n", ondelete="CASCADE"), nullable=False, **options)


ITEMS: Final = Table(
    "items",
    TABLES,
    Column("n", _NUMBER, primary_key=True),
    Column("id", _BYTES, nullable=False, unique=True),
    Column("kind", _BYTES, nullable=False),
    Column("name", _BYTES),
    Column("title", Text),
    Column("description", Text),
    Column("extra", Text, nullable=False),
    Column("terms", Text, nullable=False),
    Column("order_title", _BYTES, nullable=False),
    Column("version", Integer, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Column("archived_at", BigInteger),
    Column("deleted_at", BigInteger),
    Column("body", Text),  # last: SQLite reads a long one only to reach what follows it
    Index("items_created", "kind", "created_at", "id"),
    Index("items_updated", "kind", "updated_at", "id"),
    Index("items_title", "kind", "order_title", "id"),
    Index("items_state", "kind", "deleted_at", "archived_at"),
)
_HAS_NAME: Final = text("name IS NOT NULL AND deleted_at IS NULL")
Index(
    "items_name",
    ITEMS.c.kind,
    ITEMS.c.name,
    unique=True,
    sqlite_where=_HAS_NAME,
    postgresql_where=_HAS_NAME,
)
USES: Final = Table(
    "item_uses",
    TABLES,
    _item(primary_key=True),
    Column("last_used_at", BigInteger, nullable=False, index=True),
    Column("uses", Integer, nullable=False),
)
TAGS: Final = Table(
    "tags",
    TABLES,
    Column("n", _NUMBER, primary_key=True),
    Column("name", _BYTES, nullable=False, unique=True),
)
ITEM_TAGS: Final = Table(
    "item_tags",
    TABLES,
    _item(primary_key=True),
    Column("tag", _NUMBER, ForeignKey("tags.n", ondelete="CASCADE"), primary_key=True, index=True),
    Column("position", Integer, nullable=False),
)
VERSIONS: Final = Table(
    "item_versions",
    TABLES,
    Column("n", _NUMBER, primary_key=True),
    _item(),
    Column("number", Integer),
    Column("action", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("author", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("details", Text, nullable=False),
    Column("changed", Text, nullable=False),
    Column("snapshot", Text, nullable=False),
    Column("body_number", Integer),  # the version that has the body: an edit of a title does not repeat it
    Column("body", Text),
    UniqueConstraint("item", "number"),
)
LABELS: Final = Table(
    "item_labels",
    TABLES,
    _item(primary_key=True),
    Column("label", _BYTES, primary_key=True),
    Column("number", Integer, nullable=False),
)
LINKS: Final = Table(
    "item_links",
    TABLES,
    _item(primary_key=True),
    Column(
        "other", _NUMBER, ForeignKey("items.n", ondelete="CASCADE"), primary_key=True, index=True
    ),  # larger than `item`: a link is here once
    Column("description", Text),
    Column("created_at", BigInteger, nullable=False),
)
REVISIONS: Final = Table(
    "shelf_revisions",
    TABLES,
    Column("kind", _BYTES, primary_key=True),
    Column("number", BigInteger, nullable=False),
)
TEXTS: Final = Table(
    "item_texts",
    TABLES,
    _item(primary_key=True),
    *(Column(field, Text, nullable=False) for field in ("name", "title", "description", "terms", "body")),
)
POSTINGS: Final = Table(
    "postings",  # for each term the items that have it, in blocks
    TABLES,
    Column("term", _BYTES, primary_key=True),
    Column("kind", _BYTES, primary_key=True),
    Column("field", Integer, primary_key=True),
    Column("block", Integer, primary_key=True),
    Column("items", LargeBinary, nullable=False),
)
VOCABULARY: Final = Table("vocabulary", TABLES, Column("word", _BYTES, primary_key=True))
