"""Editing TOML: one table changes, every other byte stays, and what cannot be edited safely is refused."""

import json
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.cli.install.toml_tables import BadToml, has, load, remove_member, restore_member, set_member

PATH = ("mcp_servers", "laconic")
ENTRY = {"command": "/opt/laconic", "args": ["serve", "a b"], "env": {"A.B": 'ü\\"', "C": "\x7f"}}
TABLE = (
    '[mcp_servers.laconic]\ncommand = "/opt/laconic"\nargs = ["serve", "a b"]\n'
    'env = { "A.B" = "ü\\\\\\"", C = "\\u007f" }\n'
)

FILES = [
    "",
    "# only a comment\n",
    'model = "x"',
    'model = "x" # mine\n\n[other]\na = 1\n',
    "a = 1\r\n\r\n[b]\r\nc = 2\r\n",
    "\ufeffa = 1\n",
    '[mcp_servers.other]\ncommand = "x"\nargs = [\n  "[not.a.table]",\n]\n',
    "[mcp_servers]\n",
    "a = 1\n\n\n",
]


def set_(text: str, entry: dict[str, Any] = ENTRY) -> str:
    return set_member(text, PATH, json.dumps(entry))


@pytest.mark.parametrize("text", FILES)
def test_an_entry_is_appended_and_removing_it_restores_every_byte(text: str) -> None:
    after = set_(text)
    assert after.startswith(text)
    assert load(after)["mcp_servers"]["laconic"] == ENTRY
    assert has(after, PATH) and not has(text, PATH)
    removed = remove_member(after, PATH)
    assert removed == (text if text.endswith("\n") or not text else text + "\n")
    assert set_(after) == after


def test_the_table_is_written_as_a_person_would(text: str = 'model = "x"\n') -> None:
    assert set_(text) == f"{text}\n{TABLE}"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('[mcp_servers.laconic]\ncommand = "old"\n', TABLE),
        (
            'a = 1\n\n[ mcp_servers . "laconic" ] # ours\ncommand = "old"\n\n# about b\n[b]\nc = 2\n',
            f"a = 1\n\n{TABLE}\n# about b\n[b]\nc = 2\n",
        ),
        (
            '[mcp_servers.laconic]\ncommand = "old"\n\n[mcp_servers.laconic.env]\nA = "b"\n\n[z]\n',
            f"{TABLE}\n[z]\n",
        ),
        ('[mcp_servers.laconic]\ncommand = "old"\n# the end\n', f"{TABLE}# the end\n"),
    ],
)
def test_an_entry_is_replaced_in_its_place(before: str, after: str) -> None:
    assert set_(before) == after
    assert restore_member(after, PATH, before).replace("\n\n", "\n") == before.replace("\n\n", "\n")
    assert load(restore_member(after, PATH, before)) == load(before)


@pytest.mark.parametrize(
    "text",
    [
        "a = ",
        "mcp_servers = 1\n",
        'mcp_servers = { laconic = { command = "x" } }\n',
        'mcp_servers.laconic.command = "x"\n',
        '[mcp_servers]\nlaconic = { command = "x" }\n',
        '[mcp_servers]\nlaconic.command = "x"\n',
        "[[mcp_servers]]\nlaconic = 1\n",
        "mcp_servers = []\n",
    ],
)
def test_what_is_not_a_table_with_its_own_header_is_refused(text: str) -> None:
    with pytest.raises(BadToml):
        set_(text)
    if text != "a = " and has(text, PATH):
        with pytest.raises(BadToml):
            remove_member(text, PATH)


def test_a_header_inside_a_text_is_left_alone() -> None:
    text = 'text = """\n[mcp_servers.laconic]\n"""\n'
    after = set_(text)
    assert load(after) == {**load(text), "mcp_servers": {"laconic": ENTRY}}
    with pytest.raises(BadToml):  # which of the two is the table is not clear
        remove_member(after, PATH)


def test_removing_what_is_not_there_changes_nothing() -> None:
    assert remove_member("a = 1\n", PATH) == "a = 1\n"


LINES = [
    *'''
a = "x"
# note
[t]
[mcp_servers]
[mcp_servers.other]
[mcp_servers.laconic]
[mcp_servers.laconic.env]
[[rows]]
command = "y"
list = [
  "[x]",
]
text = """
"""
'''.splitlines(),
    "'''",
]


@given(st.lists(st.sampled_from(LINES), max_size=12), st.sampled_from(["\n", "\r\n"]))
def test_an_edit_never_changes_another_value(lines: list[str], newline: str) -> None:
    text = newline.join(lines)
    try:
        before = tomllib.loads(text)
        after = set_(text)
        removed = remove_member(after, PATH)
    except ValueError:  # not TOML, or refused
        return
    before.get("mcp_servers", {}).pop("laconic", None)
    left, gone = tomllib.loads(after), tomllib.loads(removed)
    assert left["mcp_servers"].pop("laconic") == ENTRY
    for one in (before, left, gone):
        if not one.get("mcp_servers", True):
            del one["mcp_servers"]
    assert left == before == gone
