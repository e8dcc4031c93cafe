"""Composing: classic tools that are several requests of one batch."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import Any, Final

from laconic.kit import BadArguments, Problem
from laconic.servers.google.classic.ways import WAYS

Requests = list[dict[str, Any]]
_LEAST: Final = 1_000  # EMU: less cannot be seen, and was meant in points or pixels
_ALL: Final = {"type": "ALL"}
_BULLETS: Final = {
    "DISC": "BULLET_DISC_CIRCLE_SQUARE",
    "ARROW": "BULLET_ARROW_DIAMOND_DISC",
    "SQUARE": "BULLET_DIAMONDX_ARROW3D_SQUARE",
    "DIAMOND": "BULLET_DIAMOND_CIRCLE_SQUARE",
    "STAR": "BULLET_STAR_CIRCLE_SQUARE",
    "NUMBERED": "NUMBERED_DIGIT_ALPHA_ROMAN",
}


def _shape(given: Mapping[str, Any], type: str) -> dict[str, Any]:
    """Return the request for a shape at a place, in EMU; its id is ours, so that others can refer to it."""
    for name in ("width", "height"):
        if 0 < given[name] < _LEAST:
            message = f"Invalid {name} {given[name]}: it is in EMU, and a point has 12,700 of them."
            raise BadArguments([Problem(name, message, given[name])])
    size = {name: {"magnitude": given[name], "unit": "EMU"} for name in ("width", "height")}
    transform = WAYS["transform"].turn({"translateX": given["x"], "translateY": given["y"]})
    place = {"pageObjectId": given["pageObjectId"], "size": size, "transform": transform}
    id = f"shape_{secrets.token_hex(8)}"
    return {"createShape": {"objectId": id, "shapeType": type, "elementProperties": place}}


def _text_box(given: Mapping[str, Any]) -> Requests:
    shape = _shape(given, "TEXT_BOX")
    id = shape["createShape"]["objectId"]
    requests = [shape, {"insertText": {"objectId": id, "text": given["text"]}}]
    style = {name: given[name] for name in ("bold", "italic") if name in given}
    style |= {"fontSize": WAYS["pt"].turn(given["fontSize"])} if "fontSize" in given else {}
    if style:
        styled = {"objectId": id, "textRange": _ALL, "style": style, "fields": ",".join(style)}
        requests.append({"updateTextStyle": styled})
    return requests


def _filled_shape(given: Mapping[str, Any]) -> Requests:
    shape = _shape(given, given["shapeType"])
    if "backgroundColor" not in given:
        return [shape]
    fill = {"shapeBackgroundFill": {"solidFill": WAYS["fill"].turn(given["backgroundColor"])}}
    properties = {"objectId": shape["createShape"]["objectId"], "shapeProperties": fill}
    return [shape, {"updateShapeProperties": {**properties, "fields": "shapeBackgroundFill.solidFill"}}]


def _paragraphs(given: Mapping[str, Any]) -> Requests:
    place = {"objectId": given["objectId"], "textRange": _ALL}
    style = {"alignment": given["alignment"]} if "alignment" in given else {}
    if "lineSpacing" in given:
        style["lineSpacing"] = WAYS["percent"].turn(given["lineSpacing"])
    requests: Requests = []
    if style:
        requests.append({"updateParagraphStyle": {**place, "style": style, "fields": ",".join(style)}})
    if given.get("bulletStyle") == "NONE":
        requests.append({"deleteParagraphBullets": place})
    elif "bulletStyle" in given:
        requests.append({"createParagraphBullets": {**place, "bulletPreset": _BULLETS[given["bulletStyle"]]}})
    if not requests:
        message = "Nothing to change: pass alignment, lineSpacing or bulletStyle."
        raise BadArguments([Problem("alignment", message)])
    return requests


def _backgrounds(given: Mapping[str, Any]) -> Requests:
    fill = {"pageBackgroundFill": {"solidFill": WAYS["fill"].turn(given["backgroundColor"])}}
    more = {"pageProperties": fill, "fields": "pageBackgroundFill.solidFill"}
    return [{"updatePageProperties": {"objectId": id, **more}} for id in given["pageObjectIds"]]


COMPOSED: Final[Mapping[str, Callable[[Mapping[str, Any]], Requests]]] = {
    "slides_createTextBox": _text_box,
    "slides_createShape": _filled_shape,
    "slides_updateParagraphStyle": _paragraphs,
    "slides_updatePageProperties": _backgrounds,
}
