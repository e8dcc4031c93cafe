"""Masks of updates: the fields that a request names are checked by their type, and changed."""

from __future__ import annotations

import re
from typing import Any, Final

from laconic.sandbox.google.decks.objects import refused
from laconic.sandbox.google.routing import description_of
from laconic.sandbox.google.sheets.requests.structure import masked_update

__all__ = ["update"]

_READ_ONLY: Final = {
    "Autofit": ("fontScale", "lineSpacingReduction"),
    "ImageProperties": ("brightness", "contrast", "cropProperties", "recolor", "shadow", "transparency"),
    "ShapeProperties": ("shadow",),
    "SlideProperties": ("layoutObjectId", "masterObjectId", "notesPage"),
    "StretchedPictureFill": ("size",),
}


def update(old: dict[str, Any], new: dict[str, Any], mask: str, type: str) -> list[str]:
    """Change the fields that a mask names, and return their paths."""
    paths = [_camel(part.strip()) for part in mask.split(",") if part.strip()]
    if not paths:
        raise refused("At least one field must be listed in 'fields'. (Use '*' to indicate all fields.)")
    if "*" in paths:
        hidden = _READ_ONLY.get(type, ())
        paths = [name for name in description_of("slides")["types"][type]["properties"] if name not in hidden]
    for path in paths:
        _check(path, type)
    masked_update(old, new, ",".join(paths))
    return paths


def _camel(path: str) -> str:
    return re.sub(r"_([a-z])", lambda found: found[1].upper(), path)


def _check(path: str, type: str) -> None:
    types = description_of("slides")["types"]
    for name in path.split("."):
        known = types[type]["properties"] if type in types else {}
        if name not in known:
            raise refused(f"Invalid field: {path}")
        if name in _READ_ONLY.get(type, ()):
            raise refused(f"The field {path} is read-only.")
        type = known[name].get("$ref", "")
