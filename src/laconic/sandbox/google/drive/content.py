"""Content: bytes of files and their revisions, conversions, and prepared downloads."""

from __future__ import annotations

import re
from typing import Final

from laconic.sandbox.google.answering import AnsweredGoogle, AskedGoogle
from laconic.sandbox.google.books.exporting import delimited, sheets_of
from laconic.sandbox.google.drive.files import GOOGLE, Row, file_of
from laconic.sandbox.google.drive.pdf import pdf_of
from laconic.sandbox.google.papers.converting.exporting import exported_document
from laconic.sandbox.google.papers.documents import document_of
from laconic.sandbox.google.refusals import GoogleRefusal, bad_request, not_done
from laconic.sandbox.state import State

__all__ = ["EXPORTS", "HANDLERS", "media_of", "prepared", "words_of"]

EXPORTS: Final = {
    "document": ("text/plain", "text/markdown", "text/html", "application/pdf"),
    "spreadsheet": ("text/csv", "text/tab-separated-values", "application/pdf"),
    "presentation": ("text/plain", "application/pdf"),
}
_OFFICE: Final = "application/vnd.openxmlformats-officedocument."
_OPEN: Final = "application/vnd.oasis.opendocument."
_OTHERS: Final = (  # types that Google converts to as well
    *(f"{_OFFICE}{one}" for one in ("wordprocessingml.document", "spreadsheetml.sheet")),
    *(f"{_OFFICE}presentationml.presentation", f"{_OPEN}text", f"{_OPEN}spreadsheet"),
    *(f"{_OPEN}presentation", "application/rtf", "application/epub+zip", "application/zip"),
)
_MOST: Final = 10 * 1024 * 1024  # bytes of a conversion


def media_of(asked: AskedGoogle, row: Row) -> AnsweredGoogle:
    """Return the bytes of a file, or the range that was asked for."""
    if row["mimeType"].startswith(GOOGLE):
        text = "Only files with binary content can be downloaded. Use Export with Docs Editors files."
        raise GoogleRefusal(403, "fileNotDownloadable", text, location="alt")
    return _part(asked, row["id"], row["mimeType"])


def _part(asked: AskedGoogle, blob: str, media: str) -> AnsweredGoogle:
    size = asked.blobs.size(blob)
    wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", asked.headers.get("range", ""))
    if wanted is None:
        return AnsweredGoogle(content=asked.blobs.get(blob), media=media)
    start, end = int(wanted[1]), min(int(wanted[2] or size - 1), size - 1)
    if start >= size:
        return AnsweredGoogle(
            content=b"", media=media, status=416, headers={"content-range": f"bytes */{size}"}
        )
    head = {"content-range": f"bytes {start}-{end}/{size}"}
    return AnsweredGoogle(
        content=asked.blobs.get(blob, start, end + 1), media=media, status=206, headers=head
    )


def _export(asked: AskedGoogle) -> AnsweredGoogle:
    row, media = file_of(asked, asked.given["fileId"]), asked.given["mimeType"]
    size = _converted(asked, row, media)
    if size > _MOST:
        text = "This file is too large to be exported."
        raise GoogleRefusal(403, "exportSizeLimitExceeded", text)
    return AnsweredGoogle(content=asked.blobs.get(_export_id(row, media)), media=media)


def _converted(asked: AskedGoogle, row: Row, media: str) -> int:
    """Convert a file, and return how many bytes that has."""
    kind = row["mimeType"].removeprefix(GOOGLE)
    if kind not in EXPORTS:
        raise GoogleRefusal(403, "fileNotExportable", "Export only supports Docs Editors files.")
    if media in _OTHERS:
        raise not_done(f"drive.files.export to {media}")
    if media not in EXPORTS[kind]:
        raise bad_request("The requested conversion is not supported.", location="convertTo")
    blob = _export_id(row, media)
    if row.get("exports"):  # a size that is pretended
        asked.blobs.make(blob, row["exports"])
    elif kind == "spreadsheet" and media.startswith("text/"):
        sign = "," if media == "text/csv" else "\t"
        asked.blobs.put(blob, delimited(asked.state, row["id"], sign).encode())
    elif media == "application/pdf":
        asked.blobs.put(blob, pdf_of(words_of(asked.state, row)))
    elif kind == "document":
        asked.blobs.put(blob, exported_document(document_of(asked.state, row["id"]), media).encode())
    else:
        asked.blobs.put(blob, str(row.get("text", "")).encode())
    return asked.blobs.size(blob)


def words_of(state: State, row: Row) -> str:
    """Return all text of a file, as far as it can be searched."""
    match row["mimeType"].removeprefix(GOOGLE):
        case "document":
            return exported_document(document_of(state, row["id"]), "text/plain")
        case "spreadsheet":
            return "\n".join(
                delimited(state, row["id"], "\t", number) for number in sheets_of(state, row["id"])
            )
    return str(row.get("text", ""))


def _export_id(row: Row, media: str) -> str:
    return f"{row['id']}-{row['version']}-{re.sub('[^a-z]', '-', media)}"


def _download(asked: AskedGoogle) -> AnsweredGoogle:
    row = file_of(asked, asked.given["fileId"])
    blob, media = row["id"], row["mimeType"]
    if media.startswith(GOOGLE):
        media = asked.given.get("mimeType") or EXPORTS.get(media.removeprefix(GOOGLE), ("",))[0]
        _converted(asked, row, media)
        blob = _export_id(row, media)
    name = f"op{asked.state.count('operations')}"
    operation = {"id": name, "name": name, "blob": blob, "media": media, "asked": 0}
    asked.state.rows("operations")[name] = operation  # type: ignore[index]  # by text
    return AnsweredGoogle({"name": name, "done": False, "metadata": {}})


def _operation(asked: AskedGoogle) -> AnsweredGoogle:
    found = asked.state.rows("operations").get(asked.given["name"])
    if found is None:
        raise GoogleRefusal(404, "notFound", "Operation not found.")
    found["asked"] += 1
    if found["asked"] < 2:
        return AnsweredGoogle({"name": found["name"], "done": False, "metadata": {}})
    address = f"{asked.address}/drive/v3/files/prepared-{found['name']}?alt=media"
    response = {"downloadUri": address, "partialDownloadAllowed": True}
    return AnsweredGoogle({"name": found["name"], "done": True, "metadata": {}, "response": response})


def prepared(asked: AskedGoogle, id: str) -> AnsweredGoogle | None:
    """Return the bytes of a prepared download, if an id is that of one."""
    found = asked.state.rows("operations").get(id.removeprefix("prepared-"))  # type: ignore[call-overload]
    return _part(asked, found["blob"], found["media"]) if found else None


def _revisions(asked: AskedGoogle) -> AnsweredGoogle:
    row = file_of(asked, asked.given["fileId"])
    return AnsweredGoogle(
        {"kind": "drive#revisionList", "revisions": [_revision(one) for one in row["revisions"]]}
    )


def _revision(one: Row) -> Row:
    return {"kind": "drive#revision", **{key: value for key, value in one.items() if key != "blob"}}


def _get_revision(asked: AskedGoogle) -> AnsweredGoogle:
    row = file_of(asked, asked.given["fileId"])
    for one in row["revisions"]:
        if one["id"] == asked.given["revisionId"]:
            if asked.given.get("alt") == "media":
                return _part(asked, one.get("blob", row["id"]), row["mimeType"])
            return AnsweredGoogle(_revision(one))
    raise GoogleRefusal(
        404, "notFound", f"Revision not found: {asked.given['revisionId']}.", location="revisionId"
    )


HANDLERS = {
    "drive_files_download": _download,
    "drive_files_export": _export,
    "drive_operations_get": _operation,
    "drive_revisions_get": _get_revision,
    "drive_revisions_list": _revisions,
}
