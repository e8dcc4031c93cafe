"""Sample tables: counters with a name, and the migrations that make them."""

from pathlib import Path

from sqlalchemy import Column, Connection, Integer, MetaData, String, Table, insert, select, update

from laconic.stores import Schema

COUNTERS = Table(
    "counters",
    MetaData(),
    Column("name", String, primary_key=True),
    Column("value", Integer, nullable=False),
)

_SCRIPTS = {
    1: """
def upgrade():
    op.create_table(
        "counters",
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("value", sa.Integer, nullable=False),
    )
    op.execute("INSERT INTO counters (name, value) VALUES ('made', 1)")
""",
    2: """
def upgrade():
    with op.batch_alter_table("counters") as table:
        table.add_column(sa.Column("unit", sa.String))
    op.execute("UPDATE counters SET value = value + 1 WHERE name = 'made'")
""",
    3: """
def upgrade():
    op.execute("UPDATE counters SET value = 100")
    op.execute("UPDATE no_such_table SET value = 100")
""",
}


def schema(folder: Path, last: int) -> Schema:
    """Return the schema of the counters with the migrations up to the given one; the third one fails."""
    scripts = folder / f"scripts{last}"
    scripts.mkdir(exist_ok=True)
    for number in range(1, last + 1):
        before = f"'{number - 1:04}'" if number > 1 else None
        head = f"import sqlalchemy as sa\nfrom alembic import op\n\nrevision = '{number:04}'\n"
        path = scripts / f"m{number:04}_step.py"
        path.write_text(f"{head}down_revision = {before}\n{_SCRIPTS[number]}")
    return Schema("counters", scripts)


def add(connection: Connection, name: str, value: int = 0) -> None:
    """Make a counter."""
    connection.execute(insert(COUNTERS).values(name=name, value=value))


def increase(connection: Connection, name: str) -> int:
    """Read a counter and write the next number, in three statements."""
    locked = select(COUNTERS.c.value).where(COUNTERS.c.name == name).with_for_update()
    value: int = connection.execute(locked).scalar_one() + 1
    connection.execute(update(COUNTERS).where(COUNTERS.c.name == name).values(value=value))
    return value


def values(connection: Connection) -> dict[str, int]:
    """Return all counters."""
    return dict(connection.execute(select(COUNTERS.c.name, COUNTERS.c.value)).all())
