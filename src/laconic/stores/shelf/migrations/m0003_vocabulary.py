"""Indexes that make search faster on SQLite (words, vocabulary, short fields apart), and one for counts."""

import re

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_SHORT = ("name", "title", "description", "terms")
_TOKEN = re.compile("[0-9a-z\x80-\U0010ffff]+")


def upgrade() -> None:
    """Make the indexes; what is in the library is indexed again."""
    op.create_index("items_state", "items", ["kind", "deleted_at", "archived_at"])
    if op.get_bind().dialect.name != "sqlite":
        return
    for event in ("put", "take", "change"):
        op.execute(f"DROP TRIGGER item_texts_{event}")
    op.execute("DROP TABLE item_grams")
    _index("item_grams", "item_texts", "item", ("body",), "trigram case_sensitive 1")
    _index("item_short_grams", "item_texts", "item", _SHORT, "trigram case_sensitive 1")
    _index("item_tokens", "item_texts", "item", (*_SHORT, "body"), "ascii", "column")
    op.create_table(
        "vocabulary",
        sa.Column("n", sa.Integer, primary_key=True),
        sa.Column("word", sa.Text, nullable=False, unique=True),
    )
    _index("vocabulary_grams", "vocabulary", "n", ("word",), "trigram case_sensitive 1")
    _fill_vocabulary()


def _index(name: str, of: str, key: str, fields: tuple[str, ...], by: str, detail: str = "full") -> None:
    columns = ", ".join(fields)
    new, old = (", ".join(f"{row}.{field}" for field in fields) for row in ("new", "old"))
    put = f"INSERT INTO {name} (rowid, {columns}) VALUES (new.{key}, {new});"
    take = f"INSERT INTO {name} ({name}, rowid, {columns}) VALUES ('delete', old.{key}, {old});"
    changed = " OR ".join(f"old.{field} <> new.{field}" for field in fields)
    for statement in (
        f"CREATE VIRTUAL TABLE {name} USING fts5({columns}, content='{of}', content_rowid='{key}',"
        f" tokenize='{by}', detail='{detail}')",
        f"INSERT INTO {name} ({name}) VALUES ('rebuild')",
        f"CREATE TRIGGER {name}_put AFTER INSERT ON {of} BEGIN {put} END",
        f"CREATE TRIGGER {name}_take AFTER DELETE ON {of} BEGIN {take} END",
        f"CREATE TRIGGER {name}_change AFTER UPDATE ON {of} WHEN {changed} BEGIN {take} {put} END",
    ):
        op.execute(statement)


def _fill_vocabulary() -> None:
    connection = op.get_bind()
    words: set[str] = set()
    for row in connection.execute(sa.text("SELECT name, title, description, terms, body FROM item_texts")):
        for text in row:
            words.update(_TOKEN.findall(text))
    if words:
        rows = [(word,) for word in sorted(words)]
        connection.exec_driver_sql("INSERT INTO vocabulary (word) VALUES (?)", rows)
