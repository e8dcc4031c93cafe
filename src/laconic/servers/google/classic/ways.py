"""Ways: values that the earlier server wrote differently than the API does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from laconic.kit import BadArguments, Problem

Node = Mapping[str, Any]


@dataclass(frozen=True)
class Way:
    """How a value is written, and how it becomes the API's."""

    turn: Callable[[Any], Any]
    node: Node | None = None  # its type; None: the API's
    first: bool = False  # turned before it is checked
    absent: Any = None  # what is sent if it is left out


def _same(value: Any) -> Any:
    return value


def _of_break(value: Any) -> Any:
    message = "Google sets the type of a section only when docs_insertSectionBreak makes it."
    raise BadArguments([Problem("sectionType", message, value)])


def _of_header(value: Any) -> Any:
    message = (
        "Google sets it only when docs_createHeader or docs_createFooter makes one, for a sectionBreakIndex."
    )
    raise BadArguments([Problem("sectionStyle", message, value)])


def _of_reply(value: Any) -> Any:
    message = "Google takes an action only with a new reply: use drive_createReply."
    raise BadArguments([Problem("action", message, value)])


def _points(value: float) -> dict[str, Any]:
    return {"magnitude": value, "unit": "PT"}


def _solid(colour: Mapping[str, float]) -> dict[str, Any]:
    alpha = {"alpha": colour["alpha"]} if "alpha" in colour else {}
    return {"color": {"rgbColor": {part: colour[part] for part in colour if part != "alpha"}}, **alpha}


def _border(border: Mapping[str, Any]) -> dict[str, Any]:
    """Return a border with all its parts: Google takes no other."""
    return {
        "color": {"color": {"rgbColor": border.get("color", {})}},
        "width": _points(border.get("width", 1)),
        "dashStyle": border.get("dashStyle", "SOLID"),
    }


def _condition(condition: Mapping[str, Any]) -> dict[str, Any]:
    values = [{"userEnteredValue": condition["value"]}] if "value" in condition else []
    return {"type": condition["type"], "values": values}


def _format(format: Mapping[str, Any]) -> dict[str, Any]:
    """Return a format with its colours under the names that are in use today."""
    if not isinstance(format, Mapping):
        return format
    found: dict[str, Any] = {}
    for name, value in format.items():
        if name in ("backgroundColor", "foregroundColor"):
            found[f"{name}Style"] = {"rgbColor": value}
        else:
            found[name] = _format(value)
    return found


def _plain(value: Any) -> Any:
    """Return a value in which a colour may be written as its red, green and blue alone."""
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if not isinstance(value, Mapping):
        return value
    return {
        name: {"rgbColor": dict(one)} if name == "color" and _is_colour(one) else _plain(one)
        for name, one in value.items()
    }


def _is_colour(value: Any) -> bool:
    return isinstance(value, Mapping) and value.keys() <= {"red", "green", "blue"}


def _span(span: Mapping[str, Any]) -> dict[str, Any]:
    """Return a part of a text with its type."""
    kind = "FIXED_RANGE" if "endIndex" in span else "FROM_START_INDEX" if "startIndex" in span else "ALL"
    whole = {"type": kind, **span}
    return {"startIndex": 0, **whole} if whole["type"] == "FIXED_RANGE" else whole


def _transform(transform: Mapping[str, Any]) -> dict[str, Any]:
    """Return a transform; what is not given is not scaled."""
    return {"scaleX": 1, "scaleY": 1, "unit": "EMU", **transform}


def _placed(place: Mapping[str, Any]) -> dict[str, Any]:
    return {**place, **({"transform": _transform(place["transform"])} if "transform" in place else {})}


def _cell_range(range: Mapping[str, Any]) -> dict[str, Any]:
    """Return a range of cells; without its size, it is one cell."""
    return {"rowSpan": 1, "columnSpan": 1, **range}


BULLETS: Final = ("NONE", "DISC", "ARROW", "SQUARE", "DIAMOND", "STAR", "NUMBERED")
_NUMBER: Final[Node] = {"type": "number"}
_PART: Final[Node] = {"type": "number", "minimum": 0, "maximum": 1}
RGB: Final[Node] = {
    "type": "object",
    "description": "red, green, blue: 0 to 1.",
    "properties": dict.fromkeys(("red", "green", "blue"), _PART),
}
RGBA: Final[Node] = {
    "type": "object",
    "description": "red, green, blue, alpha: 0 to 1.",
    "properties": dict.fromkeys(("red", "green", "blue", "alpha"), _PART),
}
_ROLES: Final = ("owner", "organizer", "fileOrganizer", "writer", "commenter", "reader")
_SHAPES: Final = {"STAR": "STAR_5", "ARROW": "RIGHT_ARROW"}  # names of the earlier server's own
_BORDER: Final[Node] = {
    "type": "object",
    "description": "color, width in points, dashStyle.",
    "properties": {
        "color": RGB,
        "width": _NUMBER,
        "dashStyle": {"type": "string", "enum": ["SOLID", "DOT", "DASH"]},
    },
}
_CONDITION: Final[Node] = {
    "type": "object",
    "description": "type, such as NUMBER_GREATER, and value.",
    "properties": {"type": {"type": "string"}, "value": {"type": "string"}},
    "required": ["type"],
}
WAYS: Final = {
    "": Way(_same),
    "drop": Way(_same, {"type": "boolean"}),  # shared drives are always included
    "cells": Way(_same, {"type": "string"}),  # in A1 notation; cells.py finds its sheet
    "cells_list": Way(_same, {"type": "string"}),
    "of_break": Way(_of_break, {"type": "string"}),
    "of_header": Way(_of_header, {"type": "string"}),
    "of_reply": Way(_of_reply, {"type": "string"}),
    "settle": Way(_same, {"type": "string", "enum": ["resolve", "reopen"]}),
    "role": Way(_same, {"type": "string", "enum": _ROLES}),
    "grantee": Way(_same, {"type": "string", "enum": ["user", "group", "domain", "anyone"]}),
    "shape": Way(lambda value: _SHAPES.get(value, value) if isinstance(value, str) else value, first=True),
    "cell_range": Way(_cell_range),
    "form": Way(_same, {"type": "string", "enum": ["json", "markdown"]}),
    "mode": Way(_same, {"type": "string", "enum": ["summary", "full"]}),
    "text": Way(_same, {"type": "string"}),
    "ids": Way(_same, {"type": "array", "items": {"type": "string"}, "minItems": 1}),
    "number": Way(_same, _NUMBER),
    "whole": Way(_same, {"type": "integer", "minimum": 1, "maximum": 3}),
    "side": Way(_same, {"type": "boolean"}),
    "line": Way(_same, {"type": "string", "enum": ["SOLID", "DASHED", "DOTTED", "DOUBLE", "NONE"]}),
    "colour_style": Way(_same, RGB),
    "bullets": Way(_same, {"type": "string", "enum": BULLETS}),
    "list": Way(lambda value: [value], {"type": "string"}),
    "pt": Way(_points, _NUMBER),
    "percent": Way(lambda value: value * 100 if value <= 10 else value, _NUMBER),  # 1.5 is 150 percent
    "colour": Way(lambda value: {"color": {"rgbColor": value}}, RGB),
    "opaque": Way(lambda value: {"opaqueColor": {"rgbColor": value}}, RGB),
    "style": Way(lambda value: {"rgbColor": value}, RGB),
    "fill": Way(_solid, RGBA),
    "border": Way(_border, _BORDER),
    "condition": Way(_condition, _CONDITION),
    "format": Way(_format, first=True),
    "plain": Way(_plain, first=True),
    "kind": Way(lambda value: str(value).removeprefix("HEADER_").removeprefix("FOOTER_"), first=True),
    "span": Way(_span, absent={"type": "ALL"}),
    "transform": Way(_transform),
    "placed": Way(_placed),
}
