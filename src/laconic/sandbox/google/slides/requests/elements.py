"""Requests that put something on a page: shapes, images, videos, lines, tables and charts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from laconic.sandbox.google.decks.geometry import checked_transform, emu, size_of
from laconic.sandbox.google.decks.objects import Editing, new_id, page_of, refused
from laconic.sandbox.google.decks.tables import new_table
from laconic.sandbox.google.drive.files import GOOGLE, file_of
from laconic.sandbox.google.refusals import GoogleRefusal
from laconic.sandbox.google.slides.requests import SlideRequest

__all__ = ["ELEMENTS", "chart_of", "checked_url", "image_of"]

Row = dict[str, Any]
_LINES: Final = {
    "STRAIGHT": "STRAIGHT_CONNECTOR_1",
    "BENT": "BENT_CONNECTOR_3",
    "CURVED": "CURVED_CONNECTOR_3",
}
_BLACK: Final = {"solidFill": {"color": {"themeColor": "DARK1"}, "alpha": 1}}
_IMAGE: Final = (
    "There was a problem retrieving the image. The provided image should be publicly accessible, within size "
    "limit, and in supported formats."
)


def _add(editing: Editing, given: Row, inner: Row, *, width: float = 3e6, height: float = 3e6) -> Row:
    """Put a new element on its page."""
    about = given.get("elementProperties", {})
    page = page_of(editing.deck, about.get("pageObjectId", ""))
    id = new_id(editing.deck, given.get("objectId"))
    element = {
        "objectId": id,
        "size": size_of(about, width, height),
        "transform": checked_transform(about.get("transform")),
        **inner,
    }
    page["pageElements"].append(element)
    return {"objectId": id}


def _shape(editing: Editing, given: Row) -> Row:
    kind = given.get("shapeType", "TYPE_UNSPECIFIED")
    if kind == "TYPE_UNSPECIFIED":
        raise refused("The shape type must be specified.")
    is_box = kind == "TEXT_BOX"
    fill = {"propertyState": "NOT_RENDERED"} if is_box else {"solidFill": {"color": {"themeColor": "LIGHT2"}}}
    outline: Row = {"propertyState": "NOT_RENDERED"} if is_box else {"outlineFill": _BLACK}
    properties = {"shapeBackgroundFill": fill, "outline": outline}
    inner = {"shape": {"shapeType": kind, "shapeProperties": properties}}
    return {"createShape": _add(editing, given, inner)}


def checked_url(url: str) -> str:
    """Return the address of an image; one that nobody outside could reach is refused."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    is_public = "." in host and not host.endswith((".invalid", ".localhost")) and not host.startswith("127.")
    if parts.scheme not in ("http", "https") or not is_public or len(url.encode()) > 2048:
        raise refused(_IMAGE)
    return url


def image_of(editing: Editing, url: str) -> Row:
    """Return an image from an address, which is recorded and never fetched."""
    checked_url(url)
    made = editing.deck.get("made", 0)
    content = f"https://lh3.googleusercontent.example/{editing.deck['id']}/{made}"
    return {"contentUrl": content, "sourceUrl": url, "imageProperties": {}}


def _image(editing: Editing, given: Row) -> Row:
    return {"createImage": _add(editing, given, {"image": image_of(editing, given.get("url", ""))})}


def _video(editing: Editing, given: Row) -> Row:
    source, id = given.get("source", ""), given.get("id", "")
    if source not in ("YOUTUBE", "DRIVE") or not id:
        raise refused("The source and the id of the video must be specified.")
    if source == "DRIVE":
        _seen(editing, id, "The video could not be found.")
    url = (
        f"https://www.youtube.com/watch?v={id}"
        if source == "YOUTUBE"
        else f"https://drive.google.com/file/d/{id}"
    )
    inner = {"video": {"id": id, "source": source, "url": url, "videoProperties": {}}}
    return {"createVideo": _add(editing, given, inner, height=2_250_000)}


def _seen(editing: Editing, id: str, text: str) -> Row:
    try:
        return file_of(editing.asked, id)
    except GoogleRefusal:
        raise refused(text) from None


def _line(editing: Editing, given: Row) -> Row:
    kind = given.get("category") or given.get("lineCategory") or "STRAIGHT"
    if kind not in _LINES:
        raise refused("The line category must be specified.")
    properties = {
        "lineFill": _BLACK,
        "weight": {"magnitude": 9525, "unit": "EMU"},
        "dashStyle": "SOLID",
        "startArrow": "NONE",
        "endArrow": "NONE",
    }
    inner = {"line": {"lineCategory": kind, "lineType": _LINES[kind], "lineProperties": properties}}
    return {"createLine": _add(editing, given, inner)}


def _table(editing: Editing, given: Row) -> Row:
    about = given.get("elementProperties", {})
    move = about.get("transform") or {"scaleX": 1, "scaleY": 1, "unit": "EMU"}
    if (move.get("scaleX"), move.get("scaleY")) != (1, 1) or move.get("shearX") or move.get("shearY"):
        raise refused("The transform of a table must have a scale of 1 and no shear components.")
    size = about.get("size", {})
    width = emu(size.get("width"), 7_239_000)
    rows, columns = given.get("rows", 0), given.get("columns", 0)
    table = new_table(rows, columns, width, emu(size.get("height"), 381_000 * rows))
    height = sum(one["rowHeight"]["magnitude"] for one in table["tableRows"])
    return {"createTable": _add(editing, given, {"table": table}, width=width, height=height)}


def chart_of(editing: Editing, given: Row) -> Row:
    """Return what shows a chart of a spreadsheet: a linked chart, or a picture of it."""
    id, chart = given.get("spreadsheetId", ""), given.get("chartId", 0)
    row = _seen(editing, id, f"The spreadsheet ({id}) could not be found.")
    book = editing.asked.state.rows("books").get(row["id"], {})
    charts = [one for sheet in book.get("sheets", []) for one in sheet.get("charts", [])]
    if row["mimeType"] != f"{GOOGLE}spreadsheet" or not any(one.get("chartId") == chart for one in charts):
        raise refused(f"The chart ({chart}) could not be found in the spreadsheet ({id}).")
    content = f"https://lh3.googleusercontent.example/{id}/chart/{chart}"
    if given.get("linkingMode", "NOT_LINKED_IMAGE") == "NOT_LINKED_IMAGE":
        return {"image": {"contentUrl": content, "imageProperties": {}}}
    about = {"spreadsheetId": id, "chartId": chart, "contentUrl": content, "sheetsChartProperties": {}}
    return {"sheetsChart": about}


def _chart(editing: Editing, given: Row) -> Row:
    return {"createSheetsChart": _add(editing, given, chart_of(editing, given), height=1_855_000)}


ELEMENTS: Final[Mapping[str, SlideRequest]] = {
    "createImage": _image,
    "createLine": _line,
    "createShape": _shape,
    "createSheetsChart": _chart,
    "createTable": _table,
    "createVideo": _video,
}
