"""Requests that insert images, people, links and dates; nothing is fetched."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Final

from laconic.sandbox.google.docs.draft import Draft
from laconic.sandbox.google.docs.editing import insert_element
from laconic.sandbox.google.docs.requests import DocRequest
from laconic.sandbox.google.papers.defaults import points
from laconic.sandbox.google.papers.places import changed
from laconic.sandbox.google.papers.runs import Row
from laconic.sandbox.google.refusals import GoogleRefusal, bad_request
from laconic.sandbox.google.site.people import public_of

__all__ = ["ELEMENTS"]

_LONGEST: Final = 2048  # bytes of an address
_WIDTH, _HEIGHT = 468, 312  # points of an image whose size nobody gave
_WRITTEN: Final = {
    "DATE_FORMAT_MONTH_DAY_ABBREVIATED": "%b {day}",
    "DATE_FORMAT_MONTH_DAY_FULL": "%B {day}",
    "DATE_FORMAT_ISO8601": "%Y-%m-%d",
}


def _address(uri: str) -> str:
    if not re.match(r"https?://[^/\s]", uri):
        raise bad_request("Invalid URI: an image must have a public http or https address.")
    if len(uri.encode()) > _LONGEST:
        raise bad_request(f"Invalid URI: it is longer than {_LONGEST} bytes.")
    return uri


def _image(draft: Draft, given: Row) -> Row:
    segment, index = draft.location(given)
    if segment.row["kind"] == "footnote":
        raise bad_request("Images cannot be inserted inside a footnote.")
    uri, id = _address(given.get("uri", "")), draft.new_id()
    embedded = {"imageProperties": {"sourceUri": uri, "contentUri": uri}, "size": _size(given)}
    insert_element(draft, segment, index, "inlineObjectElement", {"inlineObjectId": id})
    properties = {"embeddedObject": embedded}
    segment.tab["objects"][id] = {"objectId": id, "inlineObjectProperties": properties}
    return {"insertInlineImage": {"objectId": id}}


def _size(given: Row) -> Row:
    """Return the size of an image, in the usual shape if only one side is given."""
    size = given.get("objectSize", {})
    width = size.get("width", {}).get("magnitude")
    height = size.get("height", {}).get("magnitude")
    if width is None:
        width = height * _WIDTH / _HEIGHT if height is not None else _WIDTH
    return {"width": points(width), "height": points(height or width * _HEIGHT / _WIDTH)}


def _replace_image(draft: Draft, given: Row) -> Row:
    tab, id = draft.tab(given.get("tabId", "")), given.get("imageObjectId", "")
    uri = _address(given.get("uri", ""))
    for key, name in (("objects", "inlineObjectProperties"), ("positioned", "positionedObjectProperties")):
        if id in tab[key]:
            embedded = tab[key][id][name]["embeddedObject"]
            embedded["imageProperties"] = {"sourceUri": uri, "contentUri": uri}
            return {}
    raise bad_request(f"The image with ID {id} was not found.")


def _delete_positioned(draft: Draft, given: Row) -> Row:
    tab, id = draft.tab(given.get("tabId", "")), given.get("objectId", "")
    if tab["positioned"].pop(id, None) is None:
        raise bad_request(f"The positioned object with ID {id} was not found.")

    def released(block: Row, place: int) -> Row:
        kept = [one for one in block.get("positioned", ()) if one != id]
        return {**block, "positioned": kept} if "positioned" in block else block

    for segment in tab["segments"].values():
        changed(segment, 0, sum(one["size"] for one in segment["blocks"]), released)
    return {}


def _person(draft: Draft, given: Row) -> Row:
    segment, index = draft.location(given)
    email = given.get("personProperties", {}).get("email", "")
    if "@" not in email:
        raise bad_request("The e-mail address of the person is required.")
    properties = {"email": email, "name": public_of(email)["displayName"]}
    value = {"personId": draft.new_id(), "personProperties": properties}
    insert_element(draft, segment, index, "person", value)
    return {}


def _rich_link(draft: Draft, given: Row) -> Row:
    segment, index = draft.location(given)
    uri = _address(given.get("richLinkProperties", {}).get("uri", ""))
    value = {"richLinkId": draft.new_id(), "richLinkProperties": {"title": uri, "uri": uri}}
    insert_element(draft, segment, index, "richLink", value)
    return {}


def _date(draft: Draft, given: Row) -> Row:
    segment, index = draft.location(given)
    properties = dict(given.get("dateElementProperties", {}))
    stamp = properties.get("timestamp", "")
    try:
        moment = datetime.fromisoformat(stamp)
    except ValueError:
        raise _no_date(stamp) from None
    properties |= {"displayText": _written(moment, properties.get("dateFormat", ""))}
    properties = {"locale": "en", "timeZoneId": "etc/UTC", "timeFormat": "TIME_FORMAT_DISABLED", **properties}
    insert_element(
        draft, segment, index, "dateElement", {"dateId": draft.new_id(), "dateElementProperties": properties}
    )
    return {}


def _no_date(stamp: str) -> GoogleRefusal:
    return bad_request(f"Invalid timestamp: {stamp or 'none is given'}")


def _written(moment: datetime, format: str) -> str:
    pattern = _WRITTEN.get(format, "%b {day}, %Y")
    return moment.strftime(pattern).replace("{day}", str(moment.day))


ELEMENTS: Final[Mapping[str, DocRequest]] = {
    "deletePositionedObject": _delete_positioned,
    "insertDate": _date,
    "insertInlineImage": _image,
    "insertPerson": _person,
    "insertRichLink": _rich_link,
    "replaceImage": _replace_image,
}
