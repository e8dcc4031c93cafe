"""Reading: `documents.get`, with tabs or with the first one in the older fields."""

from __future__ import annotations

from laconic.sandbox.google.answering import AnsweredGoogle, AskedGoogle
from laconic.sandbox.google.docs.threads import shown_suggestion, shown_thread
from laconic.sandbox.google.drive.changing import add_file, touch
from laconic.sandbox.google.drive.files import GOOGLE, ROLES, file_of, role_of
from laconic.sandbox.google.papers.documents import document_of, new_document, revision_id
from laconic.sandbox.google.papers.runs import Row
from laconic.sandbox.google.papers.showing import shown_tab, tab_properties
from laconic.sandbox.google.papers.suggesting import decided
from laconic.sandbox.google.refusals import GoogleRefusal, bad_request

__all__ = ["HANDLERS"]

_COMMENTS = "COMMENTS_VIEW_MODE_"


def _get(asked: AskedGoogle) -> AnsweredGoogle:
    row = file_of(asked, asked.given["documentId"])
    doc = document_of(asked.state, row["id"])
    role = role_of(asked.state, row, asked.person)
    mode, with_comments = _view_mode(asked, role), _with_comments(asked, role)
    found: Row = {"documentId": row["id"], "title": row["name"], "suggestionsViewMode": mode}
    if _rank(role) >= _rank("writer"):
        found["revisionId"] = revision_id(doc, asked.person)
    tabs = [_viewed(tab, mode) for tab in doc["tabs"]]
    if not _with_tabs(asked):
        return AnsweredGoogle({**found, **shown_tab(tabs[0])})
    if with_comments is not None:
        found["commentsViewMode"] = f"COMMENTS_VIEW_MODE_{'INCLUDED' if with_comments else 'OMITTED'}"
    if with_comments:
        anchors = {id: one for tab in tabs for id, one in tab["anchors"].items()}
        talk = [one for one in row.get("talk", []) if not one["deleted"]]
        found["comments"] = [shown_thread(one, anchors, asked.person) for one in talk]
        found["suggestions"] = [shown_suggestion(one, asked.person) for one in doc["suggestions"]]
    found["tabs"] = _nested(tabs, with_comments=bool(with_comments))
    return AnsweredGoogle(found)


def _viewed(tab: Row, mode: str) -> Row:
    """Return a tab with its suggestions accepted or rejected, if that is wanted."""
    if mode == "SUGGESTIONS_INLINE":
        return tab
    return decided(tab, is_accepted=mode == "PREVIEW_SUGGESTIONS_ACCEPTED")


def _with_comments(asked: AskedGoogle, role: str) -> bool | None:
    """Whether comments are wanted; None if nothing is said about them."""
    mode = asked.given.get("commentsViewMode", _COMMENTS + "UNSPECIFIED").removeprefix(_COMMENTS)
    if mode == "UNSPECIFIED":
        return None
    if not _with_tabs(asked):
        raise bad_request("commentsViewMode can be set only together with includeTabsContent.")
    suggestions = asked.given.get("suggestionsViewMode", "")
    if mode == "INCLUDED" and suggestions != "SUGGESTIONS_INLINE":
        raise bad_request("To include comments, suggestionsViewMode must be SUGGESTIONS_INLINE.")
    if mode == "DEFAULT_FOR_CURRENT_ACCESS" and suggestions.startswith("PREVIEW_"):
        raise bad_request("suggestionsViewMode must not be a preview with this commentsViewMode.")
    return mode != "OMITTED" and _rank(role) >= _rank("commenter")


def _rank(role: str) -> int:
    return ROLES.index(role)


def _view_mode(asked: AskedGoogle, role: str) -> str:
    mode: str = asked.given.get("suggestionsViewMode", "DEFAULT_FOR_CURRENT_ACCESS")
    sees = _rank(role) >= _rank("commenter")
    if mode == "DEFAULT_FOR_CURRENT_ACCESS":
        return "SUGGESTIONS_INLINE" if sees else "PREVIEW_WITHOUT_SUGGESTIONS"
    if mode != "PREVIEW_WITHOUT_SUGGESTIONS" and not sees:
        raise GoogleRefusal(403, "forbidden", "The caller does not have permission to view suggestions.")
    return mode


def _with_tabs(asked: AskedGoogle) -> bool:
    fields = asked.given.get("fields", "")
    return bool(asked.given.get("includeTabsContent")) or "tabs" in fields.replace("(", ",").replace("/", ",")


def _nested(tabs: list[Row], parent: str = "", *, with_comments: bool) -> list[Row]:
    """Return the tabs below another one, each with its own below it."""
    found = []
    for tab in (one for one in tabs if one["parent"] == parent):
        one: Row = {"tabProperties": tab_properties(tabs, tab)}
        one["documentTab"] = shown_tab(tab, with_comments=with_comments)
        below = _nested(tabs, tab["id"], with_comments=with_comments)
        found.append({**one, "childTabs": below} if below else one)
    return found


def _create(asked: AskedGoogle) -> AnsweredGoogle:
    title = asked.body.get("title") or "Untitled document"
    row = add_file(asked, {"name": title, "mimeType": f"{GOOGLE}document"})
    doc = new_document(asked.state, row["id"])
    touch(asked, row)
    found = {"documentId": row["id"], "title": row["name"], "suggestionsViewMode": "SUGGESTIONS_INLINE"}
    return AnsweredGoogle(
        {**found, "revisionId": revision_id(doc, asked.person), **shown_tab(doc["tabs"][0])}
    )


HANDLERS = {"docs_create": _create, "docs_get": _get}
