"""Finding: single files, and lists of them by query, order and page."""

from __future__ import annotations

import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import partial
from typing import Any, Final

from laconic.sandbox.google.answering import AnsweredGoogle, AskedGoogle
from laconic.sandbox.google.drive.content import media_of, prepared, words_of
from laconic.sandbox.google.drive.files import Row, file_of, files_of, role_of, root_id, view
from laconic.sandbox.google.drive.queries import parsed_query
from laconic.sandbox.google.refusals import bad_request, no_file

__all__ = ["HANDLERS", "paged"]

_TEXT: Final = re.compile(r"'(?:[^'\\]|\\.)*'")
_FOLDER: Final = re.compile(r"'([^']*)'\s+in\s+parents")
_KEYS: Final = (
    *("createdTime", "folder", "modifiedByMeTime", "modifiedTime", "name", "name_natural"),
    *("quotaBytesUsed", "recency", "sharedWithMeTime", "starred", "viewedByMeTime"),
)


def paged(items: list[Any], asked: AskedGoogle, key: str, usual: int, about: str = "") -> Row:
    """Return a page of a list, and the token of the next, which is bound to what was asked."""
    size = asked.given.get("pageSize", usual)
    start = _start(asked.given.get("pageToken", ""), about)
    if asked.odd == "empty":
        return {key: [], "nextPageToken": _token(start, about)}
    found: Row = {key: items[start : start + size]}
    if start + size < len(items):
        found["nextPageToken"] = _token(start + size, about)
    return found


def _token(start: int, about: str) -> str:
    return urlsafe_b64encode(json.dumps([start, about]).encode()).decode()


def _start(token: str, about: str) -> int:
    if not token:
        return 0
    try:
        start, bound = json.loads(urlsafe_b64decode(token))
        if bound != about:
            raise ValueError(token)
        return int(start)
    except ValueError:
        raise bad_request("Invalid Value", reason="invalid", location="pageToken") from None


def _get(asked: AskedGoogle) -> AnsweredGoogle:
    if asked.given.get("alt") == "media" and (found := prepared(asked, asked.given["fileId"])):
        return found
    row = file_of(asked, asked.given["fileId"])
    if asked.given.get("alt") == "media":
        return media_of(asked, row)
    return AnsweredGoogle(view(asked, row))


def _list(asked: AskedGoogle) -> AnsweredGoogle:
    query, order = asked.given.get("q", ""), asked.given.get("orderBy", "")
    if order and "fullText" in _TEXT.sub("", query):
        raise bad_request("Sorting is not supported for queries with fullText terms.", location="orderBy")
    is_wanted = (
        parsed_query(query.replace("'root' in", f"'{root_id(asked.person.email)}' in")) if query else None
    )
    for id in _FOLDER.findall(query):
        if not role_of(asked.state, files_of(asked.state).get(id, {"id": id}), asked.person) and id != "root":
            raise no_file("")  # Google does not say which
    rows = [row for row in _visible(asked) if is_wanted is None or is_wanted(_findable(asked, row))]
    rows = _ordered(rows, order)
    about = f"{query}|{order}|{asked.person.email}"
    page = paged([view(asked, row) for row in rows], asked, "files", 100, about)
    return AnsweredGoogle({"kind": "drive#fileList", "incompleteSearch": asked.odd == "incomplete", **page})


def _visible(asked: AskedGoogle) -> list[Row]:
    given = asked.given
    others = given.get("includeItemsFromAllDrives") and given.get("supportsAllDrives")
    found = [row for row in files_of(asked.state).values() if role_of(asked.state, row, asked.person)]
    if given.get("corpora") == "drive":
        if not given.get("driveId"):
            raise bad_request(
                "The driveId parameter must be specified.", reason="required", location="driveId"
            )
        return [row for row in found if row.get("driveId") == given.get("driveId")]
    is_root = {root_id(asked.person.email)}
    return [row for row in found if row["id"] not in is_root and (others or not row.get("driveId"))]


def _findable(asked: AskedGoogle, row: Row) -> Row:
    is_foreign = row.get("owner") != asked.person.email and not row.get("driveId")
    return {**row, "sharedWithMe": is_foreign, "words": partial(words_of, asked.state, row)}


def _ordered(rows: list[Row], order: str) -> list[Row]:
    for part in reversed([part.strip() for part in (order or "modifiedTime desc").split(",")]):
        key, _, way = part.partition(" ")
        if key not in _KEYS or way not in ("", "desc"):
            raise bad_request(f"Invalid field: {part}", reason="invalid", location="orderBy")
        rows = sorted(rows, key=lambda row: _sort_value(row, key), reverse=way == "desc")
    return rows


def _sort_value(row: Row, key: str) -> Any:
    if key == "folder":
        return not row["mimeType"].endswith(".folder")
    if key.startswith("name"):
        return str(row["name"]).lower()
    if key == "recency":
        key = "modifiedTime"
    return row.get(key) or ("" if key.endswith("Time") else 0)


HANDLERS = {"drive_files_get": _get, "drive_files_list": _list}
