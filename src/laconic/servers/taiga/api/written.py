"""Written: the ids and fields that a request made or changed, for the journal of calls."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from laconic.effects import note_change

__all__ = ["note_written"]

_UNKNOWN: Final = object()


def note_written(
    parts: Sequence[Any], row: Mapping[str, Any], sent: Mapping[str, Any], before: Mapping[str, Any] | None
) -> None:
    """Note what was written to a row of a table: numbers with their values, texts by name alone.

    The id is one such as `issues/8`. `before` is what the row was: empty if it is new, None if nobody knows.
    """
    if not isinstance(row.get("id"), int):
        return  # a link, which is none of the things that have ids
    pairs = {name: (_before(name, before), value) for name, value in sent.items()}
    if "version" in sent:
        pairs["version"] = (sent["version"], row.get("version"))
    known = {name: pair for name, pair in pairs.items() if all(map(_is_plain, pair))}
    note_change(
        "/".join(map(str, (*parts, row["id"]))), *(name for name in pairs if name not in known), **known
    )


def _before(name: str, before: Mapping[str, Any] | None) -> Any:
    return _UNKNOWN if before is None else before.get(name)


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, int)
