"""Uploading: in one request, with its metadata in two parts, or in chunks that can be resumed."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any, Final

from laconic.sandbox.google.answering import AnsweredGoogle, AskedGoogle
from laconic.sandbox.google.refusals import GoogleRefusal, bad_request

__all__ = ["answered_before", "note_answer", "start_upload", "uploaded"]

_UNIT: Final = 256 * 1024
_RANGE: Final = re.compile(r"bytes (?:(\d+)-(\d+)|\*)/(\d+|\*)")


def start_upload(asked: AskedGoogle, raw: bytes) -> tuple[AskedGoogle, AnsweredGoogle | None]:
    """Return a request with the content that came along, or the answer that opens a session."""
    kind = asked.headers.get("content-type", "application/octet-stream")
    match asked.given.get("uploadType"):
        case "media":
            return replace(asked, content=raw, media=kind), None
        case "multipart":
            body, media, content = _parts(raw, kind)
            return replace(asked, body=body, content=content, media=media), None
        case "resumable":
            return asked, _session(asked, raw)
    raise bad_request("Invalid upload type.", location="uploadType")


def _parts(raw: bytes, kind: str) -> tuple[dict[str, Any], str, bytes]:
    boundary = re.search(r'boundary="?([^";]+)', kind)
    if boundary is None:
        raise bad_request("The boundary is missing.")
    pieces = raw.split(b"--" + boundary[1].encode())[1:-1]
    if len(pieces) != 2:
        raise bad_request("Exactly two parts are expected.")
    (_, first), (head, second) = (piece.strip(b"\r\n").split(b"\r\n\r\n", 1) for piece in pieces)
    media = re.search(rb"content-type:\s*([^\r\n]+)", head, re.IGNORECASE)
    return json.loads(first), media[1].decode() if media else "application/octet-stream", second


def _session(asked: AskedGoogle, raw: bytes) -> AnsweredGoogle:
    id = f"upload{asked.state.count('uploads')}"
    asked.state.rows("uploads")[id] = {  # type: ignore[index]  # by text
        **{"id": id, "body": json.loads(raw or b"{}"), "stored": 0, "by": asked.person.email},
        **{"media": asked.headers.get("x-upload-content-type", "application/octet-stream")},
        "given": {key: value for key, value in asked.given.items() if key != "uploadType"},
    }
    path = f"/upload/drive/v3/files{'/' + asked.given['fileId'] if 'fileId' in asked.given else ''}"
    where = f"{asked.address}{path}?uploadType=resumable&upload_id={id}"
    return AnsweredGoogle(content=b"", headers={"location": where})


def answered_before(asked: AskedGoogle) -> AnsweredGoogle | None:
    """Return the answer of a session that is complete: who asks again is told the same."""
    session = asked.state.rows("uploads").get(asked.given["upload_id"])
    return AnsweredGoogle(session["answer"]) if session and "answer" in session else None


def note_answer(asked: AskedGoogle, id: str, answered: AnsweredGoogle) -> None:
    """Keep the answer of a session that is complete."""
    asked.state.rows("uploads")[id] = {"id": id, "answer": answered.data}  # type: ignore[index]  # by text


def uploaded(asked: AskedGoogle, raw: bytes) -> tuple[AskedGoogle, bool]:
    """Take a chunk; return the request with all content if it was the last, else what is stored."""
    id = asked.given["upload_id"]
    session = asked.state.rows("uploads").get(id)
    if session is None:
        raise GoogleRefusal(404, "notFound", "The upload session has expired.")
    match = _RANGE.fullmatch(asked.headers.get("content-range", ""))
    if match is None:
        raise bad_request("Invalid Content-Range.")
    blob = f"session-{id}"
    total = int(match[3]) if match[3] != "*" else None
    if match[1] is not None:
        start = int(match[1])
        if start != session["stored"] or int(match[2]) - start + 1 != len(raw):
            raise bad_request("The chunk does not fit what is stored.")
        if total is None or start + len(raw) < total:
            raw = raw[: len(raw) // _UNIT * _UNIT]
        asked.blobs.put(blob, asked.blobs.get(blob) + raw)
        session["stored"] += len(raw)
    if total is None or session["stored"] < total:
        stored = {"range": f"bytes=0-{session['stored'] - 1}"} if session["stored"] else {}
        return replace(asked, headers=stored), False
    asked.state.rows("uploads").pop(id)
    given = {**session["given"], **{key: value for key, value in asked.given.items() if key != "upload_id"}}
    content = asked.blobs.get(blob)
    asked.blobs.put(blob, b"")
    return replace(asked, given=given, body=session["body"], content=content, media=session["media"]), True
