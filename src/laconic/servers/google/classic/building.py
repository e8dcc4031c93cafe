"""Building: the arguments of an operation from those of a classic tool."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from laconic.kit import BadArguments, Problem
from laconic.servers.google.classic.notation import Argument
from laconic.servers.google.classic.tools import ClassicTool
from laconic.servers.google.classic.ways import WAYS

_SIDES: Final = ("top", "bottom", "left", "right", "innerHorizontal", "innerVertical")
_WIDTHS: Final = {2: "SOLID_MEDIUM", 3: "SOLID_THICK"}
_WHOLE: Final = frozenset(("rgbColor", "themeColor", "magnitude", "url", "slideIndex", "pageObjectId"))


def built(tool: ClassicTool, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the operation takes.

    Raises:
        BadArguments: nothing of what can be changed was given.
    """
    given = _completed(tool.name, given)
    body: dict[str, Any] = {}
    masked: list[str] = []
    for argument in tool.arguments:
        way = WAYS[argument.way]
        value = given.get(argument.name, argument.default)
        if argument.way in ("drop", "form", "mode") or (value is None and way.absent is None):
            continue
        value = way.absent if value is None else value if way.first else way.turn(value)
        _put(body, argument.path, value)
        masked += _masked(argument, value)
    if any(argument.mask for argument in tool.arguments):
        body["fields"] = _fields(tool, masked)
    if "writeControl" in given:
        body["writeControl"] = given["writeControl"]
    return _settled(tool.name, body, given)


def _put(body: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    *parents, last = path
    for name in parents:
        body = body.setdefault(name, {})
    if isinstance(value, dict) and isinstance(body.get(last), dict):
        body[last] = {**value, **body[last]}
    else:
        body[last] = value


def _masked(argument: Argument, value: Any) -> Iterator[str]:
    """Yield the fields that an argument sets, from the object on whose fields are named."""
    if argument.mask is None:
        return
    if argument.mask == argument.path:
        yield from _leaves(value, ())
        return
    path = argument.path[len(argument.mask) :]
    end = next((place for place, name in enumerate(path) if name in _WHOLE), len(path))
    yield ".".join(path[:end])


def _leaves(value: Any, path: tuple[str, ...]) -> Iterator[str]:
    """Yield the fields that an object sets: colours, sizes and links as wholes."""
    if not isinstance(value, Mapping) or not value or _WHOLE.intersection(value):
        yield from [".".join(path)] if path else []
        return
    for name, one in value.items():
        yield from _leaves(one, (*path, name))


def _fields(tool: ClassicTool, masked: list[str]) -> str:
    if not masked:
        names = [one.name for one in tool.arguments if one.mask]
        listed = ", ".join(names[:-1]) + f" or {names[-1]}" if len(names) > 1 else names[0]
        raise BadArguments([Problem(names[0], f"Nothing to change: pass {listed}.")])
    return ",".join(dict.fromkeys(masked))


def _completed(name: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the arguments with what follows from them."""
    if name == "docs_updateTableColumnProperties" and "widthMagnitude" in given:
        return {"widthType": "FIXED_WIDTH", **given}
    if name == "sheets_repeatCell" and "numberFormatPattern" in given:
        return {"numberFormatType": "NUMBER", **given}
    return given


def _settled(name: str, body: dict[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is sent, where one field depends on another."""
    match name:
        case "drive_createPermission" if body["role"] == "owner":
            body["transferOwnership"] = True
        case "drive_listFiles" if not given.get("includeTrashed") and "trashed" not in body.get("q", ""):
            body["q"] = f"({body['q']}) and trashed = false" if body.get("q") else "trashed = false"
        case "slides_updateTextStyle":
            body["textRange"] = WAYS["span"].turn(body.get("textRange", {}))
        case "slides_updatePageElementAltText" if not {"title", "description"} & body.keys():
            raise BadArguments([Problem("title", "Nothing to change: pass title or description.")])
        case "sheets_findReplace":
            _where_to_replace(body)
        case "sheets_updateBorders":
            _borders(body)
    return body


def _borders(body: dict[str, Any]) -> None:
    """Put the same line on every side that is asked for; if none is named, around the cells."""
    style, width = body.pop("style"), body.pop("width", 1)
    line: dict[str, Any] = {"style": _WIDTHS.get(width, style) if style == "SOLID" else style}
    colour = body.pop("color", None)
    line |= {"colorStyle": {"rgbColor": colour}} if colour is not None else {}
    named = {side: body.pop(side) for side in _SIDES if side in body}
    wanted = [side for side, is_wanted in named.items() if is_wanted]
    wanted = wanted or [side for side in _SIDES[:4] if side not in named]
    if not wanted:
        raise BadArguments([Problem("top", f"Nothing to change: set one of {', '.join(_SIDES)} to true.")])
    for side in wanted:
        body[side] = line


def _where_to_replace(body: dict[str, Any]) -> None:
    """Name the range, the sheet or all sheets: exactly one of them.

    Raises:
        BadArguments: none is given, or more than one.
    """
    place = body.pop("range", {})
    if body.get("allSheets") and place:
        message = "Pass either allSheets, or sheetId with or without a range in it."
        raise BadArguments([Problem("allSheets", message)])
    if body.get("allSheets"):
        return
    body.pop("allSheets", None)
    if "sheetId" not in place:
        raise BadArguments([Problem("sheetId", "Pass sheetId, perhaps with a range in it, or allSheets.")])
    body.update(place if len(place) == 1 else {"range": place})
