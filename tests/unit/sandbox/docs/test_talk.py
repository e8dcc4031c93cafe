"""The practice Docs: comments, suggestions, revisions and who may do what."""

from typing import Any

import pytest

from tests.google_server import GoogleServer
from tests.unit.sandbox.docs.paper import Paper, append, bullets, delete, insert, lines, span, style, table

BOB = "bob@harbour.example"
INLINE = {"suggestionsViewMode": "SUGGESTIONS_INLINE"}
TALK = {**INLINE, "commentsViewMode": "COMMENTS_VIEW_MODE_INCLUDED"}
ACCEPTED = {"suggestionsViewMode": "PREVIEW_SUGGESTIONS_ACCEPTED"}
WITHOUT = {"suggestionsViewMode": "PREVIEW_WITHOUT_SUGGESTIONS"}


def token_of(site: GoogleServer, email: str) -> str:
    form = {"grant_type": "refresh_token", "client_id": "desktop", "client_secret": "desktop-secret"}
    return str(
        site.http.post("/token", data={**form, "refresh_token": site.grant(email)}).json()["access_token"]
    )


def share(paper: Paper, role: str) -> str:
    """Let Bob do something with a document; his token."""
    body = {"type": "user", "role": role, "emailAddress": BOB}
    assert paper.site.ask("POST", f"/drive/v3/files/{paper.id}/permissions", body).status_code == 200
    return token_of(paper.site, BOB)


def comment(start: int, end: int, content: str = "Why?", **more: str) -> dict[str, Any]:
    return {"insertComment": {"range": span(start, end), "content": content, **more}}


def suggest(paper: Paper, *requests: dict[str, Any]) -> list[str]:
    """Suggest something; the ids of the suggestions."""
    reply = paper.ask(*requests, writeMode="SUGGEST").json()
    return [id for one in reply["suggestionResponses"] for id in one.get("createdSuggestionIds", [])]


def test_a_comment_is_anchored_and_moves_with_its_text(site: GoogleServer) -> None:
    paper = Paper(site, text="one two three")
    reply = paper.ask(comment(5, 8)).json()
    thread = reply["replies"][0]["insertComment"]["commentThread"]
    assert thread["plainTextQuote"] == "two" and thread["headPost"]["author"]["me"] is True
    assert reply["commentUpdateState"] == "ALL_SAVED"
    assert paper.ask(insert(1, "x")).json()["commentUpdateState"] == "NO_UPDATES_REQUESTED"
    found = paper.read(**TALK)
    assert [one["headPost"]["content"] for one in found["comments"]] == ["Why?"]
    anchor = found["tabs"][0]["documentTab"]["commentAnchors"][thread["anchorId"]]
    assert anchor["ranges"] == [{"startIndex": 6, "endIndex": 9, "tabId": "t.0"}]
    [drive] = site.ask("GET", f"/drive/v3/files/{paper.id}/comments", fields="comments").json()["comments"]
    assert drive["quotedFileContent"]["value"] == "two" and drive["id"] == thread["commentId"]


def test_a_comment_of_drive_is_never_anchored(site: GoogleServer) -> None:
    paper = Paper(site, text="one two three")
    body = {"content": "Hm.", "anchor": '{"r": "head", "a": [{"txt": {"o": 1, "l": 3}}]}'}
    site.ask("POST", f"/drive/v3/files/{paper.id}/comments", body, fields="id")
    found = paper.read(**TALK)
    assert [one["headPost"]["content"] for one in found["comments"]] == ["Hm."]
    assert "anchorId" not in found["comments"][0]
    assert found["tabs"][0]["documentTab"]["commentAnchors"] == {}


def test_comments_are_answered_changed_and_deleted_by_their_authors(site: GoogleServer) -> None:
    paper = Paper(site, text="one two three")
    bob = share(paper, "commenter")
    [made] = paper.do(comment(5, 8))
    id = made["insertComment"]["commentThread"]["commentId"]
    reply = paper.ask({"addCommentReply": {"commentId": id, "post": {"content": "So."}}}, token=bob).json()
    post = reply["replies"][0]["addCommentReply"]["post"]["postId"]
    change = {"updateCommentPost": {"commentId": id, "postId": post, "content": "Because."}}
    assert "Only the author" in paper.refused(change)
    assert paper.ask(change, token=bob).status_code == 200
    close = {"addCommentReply": {"commentId": id, "post": {"commentAction": "RESOLVE"}}}
    [closed] = paper.do(close)
    [thread] = paper.read(**TALK)["comments"]
    assert thread["status"] == "RESOLVED"
    assert [one.get("content", one.get("commentAction")) for one in thread["replies"]] == [
        "Because.",
        "RESOLVE",
    ]
    action = {"commentId": id, "postId": closed["addCommentReply"]["post"]["postId"]}
    assert "with an action" in paper.refused({"deleteCommentReply": action})
    assert "Only the author" in paper.refused({"deleteCommentReply": {"commentId": id, "postId": post}})
    assert paper.ask({"deleteCommentReply": {"commentId": id, "postId": post}}, token=bob).status_code == 200
    assert paper.ask({"deleteComment": {"commentId": id}}, token=bob).status_code == 400
    paper.do({"deleteComment": {"commentId": id}})
    assert paper.read(**TALK)["comments"] == [] and paper.tab(0, **TALK)["commentAnchors"] == {}


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        (comment(1, 2, ""), "must not be empty"),
        (comment(1, 2, "ü" * 1025), "2048 UTF-8"),
        (comment(1, 2, assigneeEmailAddress="a" * 2049), "2048 UTF-8"),
        (comment(3, 99), "must be less than the end index"),
        ({"addCommentReply": {"commentId": "no", "post": {"content": "x"}}}, "was not found"),
        ({"addCommentReply": {"post": {"content": "x"}}}, "Exactly one of"),
    ],
)
def test_a_comment_that_does_not_fit_is_refused(
    site: GoogleServer, request_: dict[str, Any], why: str
) -> None:
    assert why in Paper(site, text="abc").refused(request_)


def test_an_assigned_comment_is_assigned_again(site: GoogleServer) -> None:
    paper = Paper(site, text="abc")
    plain, assigned = (
        one["insertComment"]["commentThread"]
        for one in paper.do(comment(1, 2), comment(2, 3, assigneeEmailAddress=BOB))
    )
    assert assigned["headPost"]["assigneeEmail"] == BOB
    post = {"content": "You.", "assigneeEmail": "carol@harbour.example"}
    [reply] = paper.do({"addCommentReply": {"commentId": assigned["commentId"], "post": post}})
    assert reply["addCommentReply"]["post"]["assigneeEmail"] == "carol@harbour.example"
    assert "assigned" in paper.refused({"addCommentReply": {"commentId": plain["commentId"], "post": post}})


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({"commentsViewMode": "COMMENTS_VIEW_MODE_INCLUDED"}, 400),
        ({**TALK, "includeTabsContent": "false"}, 400),
        ({**ACCEPTED, "commentsViewMode": "COMMENTS_VIEW_MODE_INCLUDED"}, 400),
        ({**WITHOUT, "commentsViewMode": "COMMENTS_VIEW_MODE_DEFAULT_FOR_CURRENT_ACCESS"}, 400),
        ({"commentsViewMode": "COMMENTS_VIEW_MODE_OMITTED"}, 200),
        (TALK, 200),
    ],
)
def test_comments_are_read_together_with_tabs_and_suggestions(
    site: GoogleServer, query: dict[str, str], status: int
) -> None:
    paper = Paper(site)
    reply = site.ask("GET", f"/v1/documents/{paper.id}", **{"includeTabsContent": "true", **query})
    assert reply.status_code == status, reply.text


def test_text_is_suggested_seen_in_three_ways_and_decided(site: GoogleServer) -> None:
    paper = Paper(site, text="one two")
    added, cut = suggest(paper, insert(4, " and a half"), delete(16, 19))
    assert paper.text == "=one and a half two\n"
    assert paper.lines(**ACCEPTED)[1] == "1 one and a half \n" and paper.lines(**WITHOUT)[1] == "1 one two\n"
    runs = [one["textRun"] for one in paper.tab()["body"]["content"][1]["paragraph"]["elements"]]
    assert [(one.get("suggestedInsertionIds"), one.get("suggestedDeletionIds")) for one in runs] == [
        (None, None),
        ([added], None),
        (None, None),
        (None, [cut]),
        (None, None),
    ]
    exported = site.ask("GET", f"/drive/v3/files/{paper.id}/export", mimeType="text/markdown")
    assert exported.text == "one two\n"
    threads = paper.read(**TALK)["suggestions"]
    assert [one["summaryText"] for one in threads] == ['Add: "and a half"', 'Delete: "two"']
    done = paper.ask(
        {"acceptSuggestion": {"suggestionId": added}}, {"rejectSuggestion": {"suggestionId": cut}}
    ).json()
    assert done["suggestionResponses"] == [
        {"acceptedSuggestionIds": [added]},
        {"rejectedSuggestionIds": [cut]},
    ]
    assert paper.lines(**INLINE) == paper.lines(**WITHOUT) == ["0 =", "1 one and a half two\n"]
    assert [one["status"] for one in paper.read(**TALK)["suggestions"]] == ["ACCEPTED", "REJECTED"]
    assert "already" in paper.refused({"acceptSuggestion": {"suggestionId": added}})


def test_paragraphs_tables_styles_and_lists_are_suggested(site: GoogleServer) -> None:
    paper = Paper(site, text="ab\ncd")
    before = paper.lines()
    heading = {
        "range": span(1, 2),
        "paragraphStyle": {"namedStyleType": "HEADING_1"},
        "fields": "namedStyleType",
    }
    ids = suggest(
        paper,
        style(1, 3, bold=True),
        {"updateParagraphStyle": heading},
        bullets(4, 5),
        insert(2, "\n"),
        table(4, 1, 1),
        {"insertPerson": {"location": {"index": 1}, "personProperties": {"email": BOB}}},
    )
    assert len(ids) == 6
    assert paper.lines(**WITHOUT) == before
    accepted = ["0 =", "1 <person>a\n", "4 b\n", "6 [['9 \\n']]", "11 \n", "12 *cd\n"]
    assert paper.lines(**ACCEPTED) == accepted
    first = paper.tab(0, **ACCEPTED)["body"]["content"][1]["paragraph"]
    assert first["elements"][1]["textRun"]["textStyle"] == {"bold": True}
    paper.do(*({"acceptSuggestion": {"suggestionId": id}} for id in ids))
    assert paper.lines() == accepted
    found = paper.tab()["body"]["content"][1]["paragraph"]["paragraphStyle"]
    assert found["namedStyleType"] == "HEADING_1" and "headingId" in found


def test_rejecting_everything_leaves_what_was(site: GoogleServer) -> None:
    paper = Paper(site, text="ab\ncd\nef")
    paper.do({"createNamedRange": {"name": "N", "range": span(7, 9)}})
    before = paper.tab()
    ids = suggest(paper, insert(2, "x\ny"), delete(5, 9), table(1, 2, 2), bullets(1, 2), insert(1, "z"))
    paper.do(*({"rejectSuggestion": {"suggestionId": id}} for id in ids))
    after = paper.tab()
    assert lines(after["body"]["content"]) == lines(before["body"]["content"])
    assert after["namedRanges"] == before["namedRanges"]


def test_somebodys_own_suggested_text_is_simply_deleted(site: GoogleServer) -> None:
    paper = Paper(site, text="ab")
    suggest(paper, insert(2, "xyz"))
    assert suggest(paper, delete(3, 4)) != []
    assert paper.lines() == ["0 =", "1 axzb\n"]


def test_only_what_can_be_suggested_is(site: GoogleServer) -> None:
    paper = Paper(site)
    reply = paper.ask({"addDocumentTab": {}}, writeMode="SUGGEST")
    assert reply.status_code == 400 and "write mode SUGGEST" in reply.json()["error"]["message"]


def test_a_commenter_suggests_and_a_reader_only_reads(site: GoogleServer) -> None:
    paper = Paper(site, text="abc")
    bob = share(paper, "commenter")
    head = {"authorization": f"Bearer {bob}"}
    assert paper.ask(insert(1, "x"), token=bob).status_code == 403
    [made] = paper.ask(insert(1, "x"), token=bob, writeMode="SUGGEST").json()["suggestionResponses"]
    id = made["createdSuggestionIds"][0]
    assert paper.ask({"acceptSuggestion": {"suggestionId": id}}, token=bob).status_code == 403
    assert paper.refused({"deleteSuggestion": {"suggestionId": id}}, status=403)
    gone = paper.ask({"deleteSuggestion": {"suggestionId": id}}, token=bob).json()
    assert gone["suggestionResponses"] == [{"deletedSuggestionIds": [id]}] and paper.text == "=abc\n"
    seen = site.ask("GET", f"/v1/documents/{paper.id}", headers=head).json()
    assert "revisionId" not in seen and seen["suggestionsViewMode"] == "SUGGESTIONS_INLINE"
    other = Paper(site, text="abc")
    reader = share(other, "reader")
    head = {"authorization": f"Bearer {reader}"}
    suggest(other, insert(1, "x"))
    read = site.ask("GET", f"/v1/documents/{other.id}", headers=head).json()
    assert read["suggestionsViewMode"] == "PREVIEW_WITHOUT_SUGGESTIONS"
    assert lines(read["body"]["content"]) == ["0 =", "1 abc\n"]
    for query in (INLINE, {**TALK, "includeTabsContent": "true"}):
        assert site.ask("GET", f"/v1/documents/{other.id}", headers=head, **query).status_code == 403
    default = {
        "commentsViewMode": "COMMENTS_VIEW_MODE_DEFAULT_FOR_CURRENT_ACCESS",
        "includeTabsContent": "true",
    }
    omitted = site.ask("GET", f"/v1/documents/{other.id}", headers=head, **default).json()
    assert omitted["commentsViewMode"] == "COMMENTS_VIEW_MODE_OMITTED" and "comments" not in omitted
    assert other.ask(comment(1, 2), token=reader).status_code == 403
    hidden = site.ask("GET", f"/v1/documents/{Paper(site).id}", headers=head)
    assert hidden.status_code == 404 and hidden.json()["error"]["status"] == "NOT_FOUND"


def test_a_reply_belongs_to_a_suggestion(site: GoogleServer) -> None:
    paper = Paper(site, text="abc")
    [id] = suggest(paper, insert(1, "x"))
    paper.do({"addCommentReply": {"suggestionId": id, "post": {"content": "Good."}}})
    [thread] = paper.read(**TALK)["suggestions"]
    assert [one["content"] for one in thread["replies"]] == ["Good."]
    first = {"suggestionId": id, "postId": id, "content": "x"}
    assert "first post" in paper.refused({"updateCommentPost": first})
    resolve = {"suggestionId": id, "post": {"commentAction": "RESOLVE"}}
    assert "neither an action" in paper.refused({"addCommentReply": resolve})


def test_a_batch_for_an_older_revision_goes_around_what_others_did(site: GoogleServer) -> None:
    paper = Paper(site, text="one two three")
    old = paper.read()["revisionId"]
    paper.do(insert(1, "zero "), delete(18, 19))
    paper.do(insert(5, "!"), delete(5, 6))
    paper.do(insert(5, "5"), insert(9, "x"), append("."), delete(1, 5), targetRevisionId=old)
    assert paper.text == "=zero 5twox thre.\n"
    assert "too far behind" in paper.refused(insert(1, "x"), targetRevisionId="no")
    both = {"targetRevisionId": old, "requiredRevisionId": old}
    assert "At most one" in paper.refused(insert(1, "x"), **both)


def test_the_api_refuses_a_file_that_is_no_document(site: GoogleServer) -> None:
    reply = site.ask("GET", f"/v1/documents/{site.id('Budget 2026')}").json()["error"]
    assert reply["status"] == "FAILED_PRECONDITION" and reply["code"] == 400
