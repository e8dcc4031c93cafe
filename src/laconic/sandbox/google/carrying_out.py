"""Carrying out: arguments are checked, the operation runs, and its answer is checked and masked."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from laconic.sandbox.google.answering import AnsweredGoogle, AskedGoogle, Handler
from laconic.sandbox.google.checking import problems
from laconic.sandbox.google.docs.operations import DOC_KINDS, DOCS, doc_batch
from laconic.sandbox.google.drive import DRIVE
from laconic.sandbox.google.drive.uploading import answered_before, note_answer, start_upload, uploaded
from laconic.sandbox.google.masks import masked
from laconic.sandbox.google.refusals import GoogleRefusal, not_done
from laconic.sandbox.google.routing import Route, checked_body, checked_query, description_of
from laconic.sandbox.google.sheets.operations import KINDS, SHEETS, batch
from laconic.sandbox.google.slides.operations import SLIDE_KINDS, SLIDES, slides_batch

__all__ = ["HANDLERS", "carried_out", "left_out"]

HANDLERS: Mapping[str, Handler] = {**DRIVE, **DOCS, **SHEETS, **SLIDES}
_BATCHES: Mapping[str, Handler] = {"docs": doc_batch, "sheets": batch, "slides": slides_batch}
_OPTIONS = (  # that would change what is done
    *("allowItemDeletion", "copyComments", "includeLabels", "includePermissionsForView"),
    *("includeValuesInResponse", "keepRevisionForever", "ocrLanguage", "restrictToMyDrive"),
    "useDomainAdminAccess",
)
_NEEDS_FIELDS = ("drive_about_get", "drive_comments_", "drive_replies_")


def left_out(api: str) -> list[str]:
    """Return the operations of an API that the practice instance answers with 501."""
    operations = description_of(api)["operations"]
    done = {*HANDLERS, *_names("sheets", KINDS), *_names("docs", DOC_KINDS), *_names("slides", SLIDE_KINDS)}
    return sorted(name for name in operations if name not in done)


def _names(api: str, kinds: Iterable[str]) -> list[str]:
    """Return the names in the catalogue of kinds of requests."""
    operations = description_of(api)["operations"].items()
    return [name for name, facts in operations if facts.get("kind") in set(kinds)]


def carried_out(
    route: Route, asked: AskedGoogle, query: Mapping[str, list[str]], raw: bytes, *, is_upload: bool
) -> AnsweredGoogle:
    """Carry out a request.

    Raises:
        GoogleRefusal: its arguments do not fit, or it cannot be done.
    """
    asked = replace(asked, given=checked_query(route, query))
    upload = str(asked.given.get("upload_id", "")) if is_upload else ""
    if upload:
        known = answered_before(asked)
        if known is not None:
            return known
        asked, is_complete = uploaded(asked, raw)
        if not is_complete:
            return AnsweredGoogle(status=308, headers=asked.headers)
        asked = replace(asked, body=checked_body(route, asked.body))
    elif is_upload:
        asked, answer = start_upload(asked, raw)
        if answer is not None:
            return answer
        asked = replace(asked, body=checked_body(route, asked.body))
    else:
        asked = replace(asked, body=checked_body(route, _parsed(raw)))
    _check_fields(route, asked)
    _check_options(route, asked)
    answered = _masked(route, asked, _run(route, asked))
    if upload:
        note_answer(asked, upload, answered)
    return answered


def _run(route: Route, asked: AskedGoogle) -> AnsweredGoogle:
    handler = HANDLERS.get(route.name) if route.name else _BATCHES.get(route.api)
    if handler is None:
        raise not_done(_id(route, asked))
    return handler(asked)


def _id(route: Route, asked: AskedGoogle) -> str:
    if route.name:
        return str(route.facts["id"])
    first: dict[str, Any] = next(iter(asked.body.get("requests", [])), {})
    return f"{str(route.facts['id']).partition('#')[0]}#{next(iter(first), '')}"


def _parsed(raw: bytes) -> Any:
    try:
        return json.loads(raw) if raw else {}
    except ValueError:
        raise GoogleRefusal(400, "parseError", "Invalid JSON payload received. Parse error.") from None


def _check_fields(route: Route, asked: AskedGoogle) -> None:
    is_needed = route.name.startswith(_NEEDS_FIELDS) and not route.name.endswith("_delete")
    if is_needed and not asked.given.get("fields"):
        text = "The 'fields' parameter is required for this method."
        raise GoogleRefusal(400, "required", text, location="fields")


def _check_options(route: Route, asked: AskedGoogle) -> None:
    """Refuse by name what would otherwise be left out in silence."""
    given = {**asked.body, **asked.given}
    found = [name for name in _OPTIONS if given.get(name)]
    found += ["spaces"] if given.get("spaces", "drive") != "drive" else []
    found += ["commentsViewMode"] if route.api == "sheets" and "commentsViewMode" in given else []
    if found:
        raise not_done(f"{_id(route, asked)} with {found[0]}")


def _masked(route: Route, asked: AskedGoogle, answered: AnsweredGoogle) -> AnsweredGoogle:
    if answered.data is None or answered.content is not None:
        return answered
    types = description_of(route.api)["types"]
    name = route.facts.get("response") if route.name else _batch_response(types)
    if name is None:
        return answered
    node = {"$ref": name}
    wrong = list(problems(answered.data, node, types, ""))
    if wrong:
        raise GoogleRefusal(500, "internalError", f"The practice Google answers wrongly: {wrong[0][1]}")
    mask = asked.given.get("fields") or _DEFAULTS.get(route.name)
    return replace(answered, data=masked(answered.data, mask, node, types)) if mask else answered


def _batch_response(types: Mapping[str, Any]) -> str:
    return next(
        name
        for name in types
        if name.startswith("BatchUpdate") and "replies" in types[name].get("properties", {})
    )


_FILE = "kind,id,name,mimeType"
_DEFAULTS = {
    "drive_files_get": _FILE,
    "drive_files_create": _FILE,
    "drive_files_update": _FILE,
    "drive_files_copy": _FILE,
    "drive_files_list": f"kind,nextPageToken,incompleteSearch,files({_FILE})",
    "drive_permissions_list": "kind,nextPageToken,permissions(kind,id,type,role)",
    "drive_permissions_get": "kind,id,type,role",
    "drive_permissions_create": "kind,id,type,role",
    "drive_permissions_update": "kind,id,type,role",
    "drive_drives_list": "kind,nextPageToken,drives(kind,id,name)",
}
