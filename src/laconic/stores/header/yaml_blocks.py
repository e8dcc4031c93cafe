"""Writing YAML: a value below its key, after its dash, or on one line."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from laconic.stores.errors import Unreadable
from laconic.stores.header.yaml_scalars import number, usual, write

Style = Callable[[str, int], str]  # chooses the style for a string, given the width

_MOST_LEVELS = 50


def on_one_line(text: str, _: int) -> str:
    """Choose a style that fits on one line."""
    return usual(text, None)


class Pen(NamedTuple):
    """How new lines are written: their line ending, and the style of strings."""

    line_end: str
    style: Style = usual


def after_key(value: Any, column: int, style: Style = usual) -> str:
    """Write what follows `key:` for a key at that column; lists and mappings are indented by two."""
    if isinstance(value, list | dict) and value:
        return f"\n{' ' * (column + 2)}{_rows(value, column + 2, style)}"
    return " " + scalar(value, column, style)


def after_dash(value: Any, column: int, style: Style = usual) -> str:
    """Write what follows the dash of a list item, for a dash at that column."""
    if isinstance(value, list | dict) and value:
        return " " + _rows(value, column + 2, style)
    return " " + scalar(value, column, style)


def pair(key: str, value: Any, column: int, style: Style = usual) -> str:
    """Write a key and its value, without indentation and final line break."""
    return name(key) + ":" + after_key(value, column, style)


def name(key: str) -> str:
    """Write a key."""
    return write(key, usual(key, None), 0, 0)


def scalar(value: Any, column: int, style: Style = usual) -> str:
    """Write a scalar, an empty list or an empty mapping; a string may take several lines."""
    if not isinstance(value, str):
        return flow(value)
    width = max(40, 78 - column)
    return write(value, style(value, width), column + 2, width)


def flow(value: Any) -> str:
    """Write any value on one line."""
    if isinstance(value, str):
        return name(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name(key)}: {flow(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else number(value)


def normal(value: Any, levels: int = 0) -> Any:
    """Copy a value into plain strings, numbers, booleans, None, lists and dicts.

    Raises:
        TypeError: it contains something else.
        Unreadable: it contains half a character, or is nested too deeply.
    """
    if levels > _MOST_LEVELS:
        raise Unreadable(f"A value nested more than {_MOST_LEVELS} levels deep cannot be written.")
    if isinstance(value, str):
        return _whole(value)
    if value is None or isinstance(value, bool | float):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, Mapping):
        return {_whole(key): normal(inner, levels + 1) for key, inner in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray | memoryview):
        return [normal(inner, levels + 1) for inner in value]
    raise TypeError(f"A {type(value).__name__} cannot be written into a header.")


def _rows(value: list[Any] | dict[str, Any], column: int, style: Style) -> str:
    rows = (
        [pair(key, inner, column, style) for key, inner in value.items()]
        if isinstance(value, dict)
        else ["-" + after_dash(inner, column, style) for inner in value]
    )
    return f"\n{' ' * column}".join(rows)


def _whole(text: str) -> str:
    if not isinstance(text, str):
        raise TypeError(f"A {type(text).__name__} cannot be a key of a header.")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise Unreadable(f"The text contains half a character at {error.start:,}.") from error
    return str.__str__(text)  # for an enum: its value
