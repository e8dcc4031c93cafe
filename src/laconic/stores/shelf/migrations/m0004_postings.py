"""One index of terms for all databases in the place of words, tokens and trigrams of whole texts."""

import sqlalchemy as sa
from alembic import op

from laconic.stores.shelf.search.reindexing import index_all

revision = "0004"
down_revision = "0003"

_OLD = ("item_grams", "item_short_grams", "item_tokens", "vocabulary_grams")


def upgrade() -> None:
    """Make the tables, and index what is in the library as this program does."""
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    text = sa.Text() if is_sqlite else sa.Text(collation="C")
    _drop_old(is_sqlite)
    op.create_table(
        "postings",
        sa.Column("term", text, primary_key=True),
        sa.Column("kind", text, primary_key=True),
        sa.Column("field", sa.Integer, primary_key=True),
        sa.Column("block", sa.Integer, primary_key=True),
        sa.Column("items", sa.LargeBinary, nullable=False),
    )
    if is_sqlite:
        _make_vocabulary_of_sqlite()
    else:
        _make_vocabulary_of_postgres(text)
    index_all(op.get_bind())


def _drop_old(is_sqlite: bool) -> None:
    op.drop_table("item_words")
    if not is_sqlite:
        op.execute("DROP INDEX IF EXISTS item_grams")
        return
    for index in _OLD:
        for event in ("put", "take", "change"):
            op.execute(f"DROP TRIGGER {index}_{event}")
        op.execute(f"DROP TABLE {index}")
    op.drop_table("vocabulary")


def _make_vocabulary_of_sqlite() -> None:
    op.create_table(
        "vocabulary",
        sa.Column("n", sa.Integer, primary_key=True),
        sa.Column("word", sa.Text, nullable=False, unique=True),
    )
    op.execute(
        "CREATE VIRTUAL TABLE vocabulary_grams USING fts5(word, content='vocabulary', content_rowid='n',"
        " tokenize='trigram case_sensitive 1')"
    )
    put = "INSERT INTO vocabulary_grams (rowid, word) VALUES (new.n, new.word);"
    take = "INSERT INTO vocabulary_grams (vocabulary_grams, rowid, word) VALUES ('delete', old.n, old.word);"
    op.execute(f"CREATE TRIGGER vocabulary_put AFTER INSERT ON vocabulary BEGIN {put} END")
    op.execute(f"CREATE TRIGGER vocabulary_take AFTER DELETE ON vocabulary BEGIN {take} END")


def _make_vocabulary_of_postgres(text: sa.Text) -> None:
    op.create_table("vocabulary", sa.Column("word", text, primary_key=True))
    connection = op.get_bind()
    has_grams = connection.scalar(sa.text("SELECT count(*) FROM pg_extension WHERE extname = 'pg_trgm'"))
    if has_grams:  # without them the vocabulary is read, which is short
        op.execute("CREATE INDEX vocabulary_grams ON vocabulary USING gin (word gin_trgm_ops)")
