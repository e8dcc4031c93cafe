"""The index has where words meet, so that few texts are read for a phrase."""

from alembic import op

from laconic.stores.shelf.search.reindexing import index_junctions

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Index where the chunks of all texts meet."""
    index_junctions(op.get_bind())
