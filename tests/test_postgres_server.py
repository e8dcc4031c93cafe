"""The PostgreSQL of the tests is a real one; each database is new, and survives a crash of the server."""

import psycopg
import pytest

from tests.postgres_server import PostgresServer

pytestmark = pytest.mark.needs("postgres")


def test_each_database_is_new(postgres: PostgresServer) -> None:
    first, second = postgres.new_database(), postgres.new_database()
    with psycopg.connect(first) as connection:
        connection.execute("create table things (name text)")

    with psycopg.connect(second) as connection:
        found = connection.execute("select to_regclass('things')").fetchone()

    assert first != second
    assert found == (None,)


def test_words_and_parts_of_words_can_be_searched(postgres: PostgresServer) -> None:
    with psycopg.connect(postgres.new_database()) as connection:
        connection.execute("create extension pg_trgm")
        found = connection.execute(
            "select to_tsvector('english', 'prompts') @@ to_tsquery('english', 'prompt')"
        )

        assert found.fetchone() == (True,)


def test_it_can_be_killed_and_started_again() -> None:
    with PostgresServer() as server:
        address = server.new_database()
        with psycopg.connect(address) as connection:
            connection.execute("create table things (name text)")
        server.kill()
        assert not server.is_running

        server.start()

        with psycopg.connect(address) as connection:
            assert connection.execute("select count(*) from things").fetchone() == (0,)
