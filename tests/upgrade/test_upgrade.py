"""What an earlier version wrote works with this one, or is refused in one clear sentence.

A new version adds a folder (`python -m tests.upgrade.write VERSION`); the tests here then run on it as well.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from laconic.kit.contract.read_back import inside
from tests.process.speaking import Message, Stdio, run, text_of
from tests.upgrade.placing import VERSIONS, Left, placed, read_index, rewrite_index
from tests.upgrade.write import TOOLSET, named_in

TITLES = 2  # a column of the index


@pytest.fixture(scope="module", params=VERSIONS)
def left(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Left:
    """What a version left behind, for tests that change nothing."""
    return placed(request.param, tmp_path_factory.mktemp("upgrade"))


@pytest.fixture(scope="module")
def server(left: Left) -> Iterator[Stdio]:
    """The present version on it."""
    with left.serving("issues", "example", TOOLSET) as server:
        yield server


@pytest.fixture(params=VERSIONS)
def own(request: pytest.FixtureRequest, tmp_path: Path) -> Left:
    """The same for a test that changes it."""
    return placed(request.param, tmp_path)


def refused(server: Stdio, tool: str, **arguments: Any) -> str:
    answer: Message = server.ask("tools/call", name=tool, arguments=arguments)
    assert answer["isError"], text_of(answer)
    return text_of(answer)


def test_a_cursor_goes_on_at_the_right_item(left: Left, server: Stdio) -> None:
    for one in left.given["cursors"]:
        page = server.call(one["tool"], cursor=one["cursor"], limit=one["limit"])

        assert named_in(page) == one["leads_to"], one


def test_a_cursor_knows_the_filters_it_was_made_for(left: Left, server: Stdio) -> None:
    one = next(one for one in left.given["cursors"] if "labels" in one["asked"])

    assert "labels differs" in refused(server, one["tool"], cursor=one["cursor"], labels=["other"])


def test_a_handle_is_read_on_to_the_same_text(left: Left, server: Stdio) -> None:
    handle, whole = left.given["handle"]["handle"], left.given["handle"]["whole"]
    read = ""
    while len(read) < len(whole):
        arguments = {"handle": handle, "characters": f"{len(read)}-"}
        (part,) = inside(server.ask("tools/call", name="read_on", arguments=arguments)["content"][0]["text"])
        assert part
        read += part

    assert read == whole
    assert "Sentence 3 of it." in server.call("read_on", handle=handle, section="Part 3")


def test_issues_memos_and_sessions_are_listed_searched_and_read(left: Left, server: Stdio) -> None:
    given = left.given

    assert sorted(named_in(server.call("issues_list", limit=100))) == given["issues"]
    assert sorted(named_in(server.call("memo_list", limit=100))) == given["memos"]
    for query, found in given["found"].items():
        assert sorted(named_in(server.call("issues_search", query=query))) == found
    assert "Repair the cellar" in server.call("issues_get", id="ISS-000001")
    assert given["session"] in server.call("session_status", list="all")
    assert "Build the cellar." in server.call("session_get", sessionId=given["session"])


def test_a_used_key_gives_the_first_answer_and_creates_nothing(own: Left) -> None:
    with own.serving("issues", "example") as server:
        for one in own.given["keys"]:
            assert named_in(server.call(one["tool"], **one["arguments"])) == [one["made"]]
            refused(server, one["tool"], **(one["arguments"] | {"title": "Another"}))

        assert sorted(named_in(server.call("issues_list", limit=100))) == own.given["issues"]
        assert sorted(named_in(server.call("memo_list", limit=100))) == own.given["memos"]


def test_issues_and_sessions_are_changed_and_no_number_is_given_twice(own: Left) -> None:
    handle = own.given["handle"]
    last = int(own.given["gone"].removeprefix("ISS-"))
    with own.serving() as server:
        server.call("issues_update", id=handle["id"], title="The small house", priority="high")
        server.call("session_phase", sessionId=own.given["session"], phase="build", status="started")

        assert "The small house" in server.call("issues_list", types=["specification"])
        assert "changed since" in refused(server, "read_on", handle=handle["handle"], characters="0-")
        assert "build" in server.call("session_status", sessionId=own.given["session"])
        made = server.call("issues_create", title="New", description="New.")
        assert named_in(made) == [f"ISS-{last + 1:06d}"]


def test_an_installation_is_taken_back(own: Left) -> None:
    host = own.given["host"]
    words = ("install", host["name"], "--scope", "project", "--undo")
    done = run(*words, folder=own.workspace, **own.variables)

    assert done.returncode == 0, done.stderr
    assert (own.workspace / host["file"]).read_text(encoding="utf-8") == host["before"]


def newer(left: Left, content: list[Any]) -> None:
    content[0][0] = 99
    rewrite_index(left, content)


def damaged(left: Left, content: list[Any]) -> None:
    rewrite_index(left, content)
    with left.index.open("r+b") as file:
        file.write(b"00000000")


@pytest.mark.parametrize("change", [newer, damaged])
def test_an_index_that_is_newer_or_damaged_is_ignored(
    own: Left, change: Callable[[Left, list[Any]], None]
) -> None:
    content = read_index(own)
    content[2][TITLES] = ["From the index"] * len(content[2][TITLES])
    change(own, content)
    (texts,) = own.texts.glob("*.texts")
    data = texts.read_bytes().replace(b"laconic texts ", b"laconic newer ", 1)
    texts.write_bytes(data.replace(b"strasse 3", b"strasse 9"))  # what is searched for below
    with own.serving() as server:
        listed = server.call("issues_list", limit=100)

        assert sorted(named_in(listed)) == own.given["issues"] and "From the index" not in listed
        for query, found in own.given["found"].items():
            assert sorted(named_in(server.call("issues_search", query=query))) == found


def test_a_newer_state_is_refused_in_one_sentence_and_what_needs_none_works(own: Left) -> None:
    for store in own.state.glob("*.db"):
        with closing(sqlite3.connect(store)) as db, db:
            db.execute("PRAGMA user_version = 99")
    one, handle = own.given["cursors"][0], own.given["handle"]["handle"]
    with own.serving() as server:
        for name, said in (
            ("state.db", refused(server, one["tool"], cursor=one["cursor"])),
            ("state.db", refused(server, **own.given["keys"][0]["arguments"], tool="issues_create")),
            ("kept.db", refused(server, "read_on", handle=handle, characters="0-")),
        ):
            sentence = (
                f"The store {name} was written by another version of Laconic; move it away and try again."
            )
            assert said.partition("\n")[0] == f"Error [PROVIDER_ERROR]: {sentence}"

        assert sorted(named_in(server.call("issues_list", limit=100))) == own.given["issues"]
        assert not server.stderr
