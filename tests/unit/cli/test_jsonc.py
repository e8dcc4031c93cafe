"""Editing JSON with comments: one member changes, every other byte stays."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.cli.install.jsonc import BadJsonc, find, load, remove_member, set_member

PATH = ("mcpServers", "laconic")
ENTRY = {"command": "/opt/laconic", "args": ["serve"]}
ENTRY_JSON = json.dumps(ENTRY)


def add(text: str, path: tuple[str, ...] = PATH) -> str:
    return set_member(text, path, ENTRY_JSON)


def test_an_empty_file_becomes_an_object_with_the_entry() -> None:
    assert add("") == (
        '{\n  "mcpServers": {\n    "laconic": {\n      "command": "/opt/laconic",\n'
        '      "args": [\n        "serve"\n      ]\n    }\n  }\n}\n'
    )


@pytest.mark.parametrize("text", ["", " \n", "\ufeff", "\ufeff\r\n", "// only a remark", "/* a */\n// b\n"])
def test_a_file_without_a_value_keeps_its_comments_and_its_byte_order_mark(text: str) -> None:
    after = add(text)
    assert load(after) == {"mcpServers": {"laconic": ENTRY}}
    assert after.startswith("\ufeff") == text.startswith("\ufeff")
    assert text.strip("\ufeff \r\n") in after


def test_an_empty_object_opens_into_lines_and_closes_again() -> None:
    after = add("{}\n")
    assert after.startswith('{\n  "mcpServers": {\n    "laconic": {\n')
    assert after.endswith("\n    }\n  }\n}\n")
    assert remove_member(after, PATH, prune=1) == "{}\n"


def test_the_entry_takes_the_indent_and_the_line_ends_of_its_neighbours() -> None:
    text = '{\r\n\t"servers": {\r\n\t\t"a": {\r\n\t\t\t"command": "x"\r\n\t\t}\r\n\t}\r\n}\r\n'
    after = set_member(text, ("servers", "laconic"), '{"command": "y"}')
    assert after == (
        '{\r\n\t"servers": {\r\n\t\t"a": {\r\n\t\t\t"command": "x"\r\n\t\t},\r\n'
        '\t\t"laconic": {\r\n\t\t\t"command": "y"\r\n\t\t}\r\n\t}\r\n}\r\n'
    )


def test_a_comment_after_the_last_member_stays_with_it() -> None:
    text = '{\n  "a": 1 // the first\n  // the end\n}\n'
    assert set_member(text, ("b",), "2") == '{\n  "a": 1, // the first\n  "b": 2\n  // the end\n}\n'


def test_a_trailing_comma_is_kept_as_the_style_of_the_file() -> None:
    assert set_member('{\n  "a": 1, // one\n}', ("b",), "2") == '{\n  "a": 1, // one\n  "b": 2,\n}'


def test_a_file_of_one_line_stays_a_file_of_one_line() -> None:
    assert set_member('{"a": {}}', ("a", "b"), '{"c": [1]}') == '{"a": {"b": {"c": [1]}}}'
    assert set_member('{"a": 1}', ("b",), '{"c": [1]}') == '{"a": 1, "b": {"c": [1]}}'


def test_setting_a_member_that_is_there_replaces_only_its_value() -> None:
    text = '{\n  /* ours */ "mcpServers": {\n    "laconic" : {"old": true}, // mine\n    "b": 1\n  }\n}'
    after = add(text)
    assert load(after) == {"mcpServers": {"laconic": ENTRY, "b": 1}}
    assert after.startswith('{\n  /* ours */ "mcpServers": {\n    "laconic" : {\n      "command"')
    assert after.endswith('}, // mine\n    "b": 1\n  }\n}')


def test_setting_what_is_there_already_keeps_the_users_layout() -> None:
    text = '{ "mcpServers": { "laconic": { "args": [ "serve", ], /* same */ "command": "/opt/laconic" } } }'
    assert add(text) == text
    assert load(set_member('{"a": true}', ("a",), "1")) == {"a": 1}


def test_names_are_compared_as_json_reads_them() -> None:
    member = find('{"m\\u0063pServers": {"laconic": 7}}', PATH)
    assert member is not None
    assert (member.name, member.value.start, member.end) == ("laconic", 32, 33)


def test_text_in_a_string_is_neither_comment_nor_comma() -> None:
    text = '{"a": "// no /* no */ ,}", "b": [",]",],}'
    assert load(text) == {"a": "// no /* no */ ,}", "b": [",]"]}
    assert find(text, ("c",)) is None
    assert remove_member(set_member(text, ("c",), "1"), ("c",)) == text


def test_removing_a_member_keeps_the_comments_around_it() -> None:
    text = '{\n  // before\n  "x": 1, // behind\n  "y": 2 /* last */\n}'
    assert remove_member(text, ("x",)) == '{\n  // before\n   // behind\n  "y": 2 /* last */\n}'
    assert remove_member(text, ("y",)) == '{\n  // before\n  "x": 1 // behind\n   /* last */\n}'


def test_removing_never_pulls_code_into_a_line_comment() -> None:
    text = '{ "a": 1, // note\n "x": 2 }'
    assert load(remove_member(text, ("x",))) == {"a": 1}
    assert load(remove_member('{ // head\n "x": 2, "a": 1 }', ("x",))) == {"a": 1}


def test_removing_what_is_not_there_changes_nothing() -> None:
    for text in ("", "{}", '{"mcpServers": {}}', "// a\n"):
        assert remove_member(text, PATH, prune=1) == text


def test_pruning_takes_only_the_objects_left_empty_and_no_comment() -> None:
    assert remove_member('{"a": {"b": {"c": 1}}}', ("a", "b", "c"), prune=1) == '{"a": {}}'
    assert remove_member('{"a": {"b": {"c": 1}, "d": 2}}', ("a", "b", "c"), prune=2) == '{"a": { "d": 2}}'
    assert remove_member('{"a": {"c": 1 /* keep */}}', ("a", "c"), prune=1) == '{"a": { /* keep */}}'


def test_white_space_alone_inside_an_object_is_not_given_back() -> None:
    assert remove_member(set_member("{ \n }", ("a",), "1"), ("a",)) == "{}"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{", "Line 1, column 2: the end where a name in double quotes should be."),
        ('{\n  "a" 1}', "Line 2, column 7: '1' where ':' should be."),
        ('{"a": 1 "b": 2}', "Line 1, column 9: '\"' where ',' or '}' should be."),
        ('{"a": 1,,}', "Line 1, column 9: ',' where a name in double quotes should be."),
        ("{'a': 1}", "Line 1, column 2: ''' where a name in double quotes should be."),
        ('{"a": }', "Line 1, column 7: '}' where a value should be."),
        ('{"a": 01}', "Line 1, column 8: '1' where ',' or '}' should be."),
        ('{"a": [1 2]}', "Line 1, column 10: '2' where ',' or ']' should be."),
        ('{"a": [,]}', "Line 1, column 8: ',' where a value should be."),
        ('{"a": "\n"}', "Line 1, column 7: '\"' where a value should be."),
        ('{"a": "\\x"}', "Line 1, column 7: '\"' where a value should be."),
        ("{} {}", "Line 1, column 4: '{' where the end should be."),
        ("{} /* open", "Line 1, column 4: '/' where the end should be."),
        ("[]", "The outermost value is not an object."),
        ('"text"', "The outermost value is not an object."),
        ('{"mcpServers": null}', "'mcpServers' is not an object."),
        ('{"mcpServers": []}', "'mcpServers' is not an object."),
        ('{"mcpServers": {}, "mcpServers": {}}', "'mcpServers' occurs 2 times."),
        ("[" * 100_000, "The values are nested too deeply."),
    ],
)
def test_a_file_that_cannot_be_edited_safely_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(BadJsonc, match=re.escape(complaint)):
        add(text)
    with pytest.raises(BadJsonc, match=re.escape(complaint)):
        remove_member(text, PATH)


def test_a_path_without_a_name_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="empty"):
        find("{}", ())


# Any text that means a given value: random comments, white space, trailing commas, line ends.

NAMES = st.sampled_from(["a", "b", "mcpServers", "laconic", "é", 'q"', "//", ""])
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 99)
    | st.sampled_from(["", "x, ]}", "/* no */", "\\", "\n", "日"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
CONFIGURATIONS = st.dictionaries(NAMES.filter(lambda name: name != "mcpServers"), VALUES, max_size=3).flatmap(
    lambda rest: st.one_of(
        st.just(rest),
        st.dictionaries(NAMES.filter(lambda name: name != "laconic"), VALUES, max_size=3).map(
            lambda servers: {**rest, "mcpServers": servers}
        ),
    )
)
TRIVIA = st.lists(
    st.sampled_from(
        [" ", "  ", "\t", "\n", "\n  ", "/**/", "/* c */", "/* c\n, */", "// c\n", "// }, \n", "//\n"]
    ),
    max_size=3,
).map("".join)


@st.composite
def written(draw: st.DrawFn, value: Any) -> str:
    """Write a value as JSON with comments in some way."""

    def gap() -> str:
        return draw(TRIVIA)

    def write(part: Any) -> str:
        if not isinstance(part, dict | list):
            return json.dumps(part, ensure_ascii=draw(st.booleans()))
        left, right = "{}" if isinstance(part, dict) else "[]"
        if not part:
            inside = gap()
            return left + (inside if inside.strip() else "") + right  # see the docstring of remove_member
        items = (
            [f"{json.dumps(key)}{gap()}:{gap()}{write(item)}" for key, item in part.items()]
            if isinstance(part, dict)
            else [write(item) for item in part]
        )
        body = ",".join(f"{gap()}{item}{gap()}" for item in items)
        return left + body + draw(st.sampled_from(["", ",", ", "])) + gap() + right

    text = draw(st.sampled_from(["", "\ufeff"])) + gap() + write(value) + gap()
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n", "\r"])))


@st.composite
def configurations(draw: st.DrawFn) -> tuple[dict[str, Any], str]:
    value = draw(CONFIGURATIONS)
    return value, draw(written(value))


@st.composite
def laid_out(draw: st.DrawFn) -> tuple[dict[str, Any], str]:
    """A configuration as a program writes it."""
    value = draw(CONFIGURATIONS)
    indent = draw(st.sampled_from([None, 2, 4, "\t"]))
    text = json.dumps(value, indent=indent, ensure_ascii=False) + draw(st.sampled_from(["", "\n"]))
    return value, text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


ANY = configurations() | laid_out()


@given(ANY)
def test_reading_gives_the_value_that_was_written(pair: tuple[dict[str, Any], str]) -> None:
    value, text = pair
    assert load(text) == value


@given(ANY)
def test_setting_adds_the_entry_and_changes_no_other_value(pair: tuple[dict[str, Any], str]) -> None:
    value, text = pair
    assert load(add(text)) == {**value, "mcpServers": {**value.get("mcpServers", {}), "laconic": ENTRY}}


@given(ANY)
def test_setting_then_removing_gives_back_every_byte(pair: tuple[dict[str, Any], str]) -> None:
    value, text = pair
    assert remove_member(add(text), PATH, prune=int("mcpServers" not in value)) == text


@given(ANY)
def test_setting_only_ever_adds(pair: tuple[dict[str, Any], str]) -> None:
    _, text = pair
    rest = iter(add(text))
    assert all(character in rest for character in text)


@given(ANY)
def test_setting_twice_is_setting_once(pair: tuple[dict[str, Any], str]) -> None:
    _, text = pair
    assert add(add(text)) == add(text)


@given(ANY, NAMES)
def test_removing_any_member_leaves_the_others_and_every_comment(
    pair: tuple[dict[str, Any], str], name: str
) -> None:
    value, text = pair
    after = remove_member(text, (name,))
    assert load(after) == {key: item for key, item in value.items() if key != name}
    outside = text
    if (member := find(text, (name,))) is not None:
        outside = text[: member.start] + text[member.end :]
    assert re.sub(r"[\s,]", "", after) == re.sub(r"[\s,]", "", outside)


@given(st.text(alphabet='{}[]",:/*\\\n 1a', max_size=12))
def test_any_text_is_edited_soundly_or_refused(text: str) -> None:
    try:
        after = add(text)
    except BadJsonc:
        return
    member = find(after, PATH)
    assert member is not None
    assert load(after[member.value.start : member.end]) == ENTRY
