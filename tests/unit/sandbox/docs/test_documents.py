"""The practice Docs: documents are read, created, edited and converted."""

import json
from typing import Any

import pytest

from tests.google_server import GoogleServer

MARKDOWN = "# One\n\nText with **bold** and [a link](https://x.example/).\n\n* a\n    * b\n* c\n\n| x | y |\n"
MARKDOWN += "| :---- | :---- |\n| 1 | 2 |\n"


@pytest.fixture(autouse=True)
def fresh(site: GoogleServer) -> None:
    site.reset()


def upload(site: GoogleServer, text: str, media: str) -> str:
    """Upload a text that becomes a document; its id."""
    about = json.dumps({"name": "Made", "mimeType": "application/vnd.google-apps.document"})
    parts = (
        f"--x\r\ncontent-type: application/json\r\n\r\n{about}\r\n"
        f"--x\r\ncontent-type: {media}\r\n\r\n{text}\r\n--x--"
    )
    kind = {"content-type": "multipart/related; boundary=x"}
    reply = site.ask("POST", "/upload/drive/v3/files", parts.encode(), uploadType="multipart", headers=kind)
    return str(reply.json()["id"])


def export(site: GoogleServer, id: str, media: str) -> str:
    return str(site.ask("GET", f"/drive/v3/files/{id}/export", mimeType=media).text)


def texts(content: list[dict[str, Any]]) -> str:
    """The text of paragraphs, with [t] in place of a table."""
    found = ""
    for one in content:
        elements = one.get("paragraph", {}).get("elements", [])
        found += "".join(run.get("textRun", {}).get("content", "") for run in elements)
        found += "[t]" if "table" in one else ""
    return found


def test_the_sample_has_tabs_segments_lists_and_a_table(site: GoogleServer) -> None:
    path = f"/v1/documents/{site.id('Harbour handbook')}"
    whole = site.ask("GET", path, includeTabsContent="true").json()
    assert [tab["tabProperties"]["title"] for tab in whole["tabs"]] == ["Rules", "Crew"]
    first = whole["tabs"][0]["documentTab"]
    assert {"headers", "footers", "footnotes", "lists"} <= set(first) and "body" not in whole
    assert first["body"]["content"][0] == {
        "endIndex": 1,
        "sectionBreak": first["body"]["content"][0]["sectionBreak"],
    }
    older = site.ask("GET", path).json()
    assert older["body"] == first["body"] and "tabs" not in older
    masked = site.ask("GET", path, fields="tabs(tabProperties)").json()
    assert [list(tab) for tab in masked["tabs"]] == [["tabProperties"]] * 2


@pytest.mark.parametrize(
    ("text", "media", "expected"),
    [
        (MARKDOWN, "text/markdown", MARKDOWN),
        ("one\ntwo\n", "text/plain", "one\n\ntwo\n"),
        ("<h1>One</h1><p>a <b>b</b></p><ul><li>c</li></ul>", "text/html", "# One\n\na **b**\n\n* c\n"),
    ],
)
def test_uploads_become_documents_and_come_back_as_markdown(
    site: GoogleServer, text: str, media: str, expected: str
) -> None:
    assert export(site, upload(site, text, media), "text/markdown") == expected


def test_a_document_is_exported_as_text_and_html(site: GoogleServer) -> None:
    id = upload(site, MARKDOWN, "text/markdown")
    assert export(site, id, "text/plain") == "One\nText with bold and a link.\na\nb\nc\nx\ny\n1\n2\n\n"
    html = export(site, id, "text/html")
    assert "<h1>One</h1>" in html and '<a href="https://x.example/">a link</a>' in html and "<td>" in html


def test_a_new_document_is_edited_and_its_revision_advances(site: GoogleServer) -> None:
    made = site.ask("POST", "/v1/documents", {"title": "New"}).json()
    path, guard = f"/v1/documents/{made['documentId']}", {"requiredRevisionId": made["revisionId"]}
    before = site.ask("GET", f"/drive/v3/files/{made['documentId']}", fields="version").json()
    requests = [{"insertText": {"location": {"index": 1}, "text": "Hi\nthere"}}]
    done = site.ask("POST", f"{path}:batchUpdate", {"requests": requests, "writeControl": guard}).json()
    assert done["replies"] == [{}] and done["writeControl"]["requiredRevisionId"] != made["revisionId"]
    again = site.ask("POST", f"{path}:batchUpdate", {"requests": requests, "writeControl": guard})
    assert again.status_code == 400 and "does not match the latest" in again.json()["error"]["message"]
    read = site.ask("GET", path).json()
    assert texts(read["body"]["content"]) == "Hi\nthere\n"
    assert read["revisionId"] == done["writeControl"]["requiredRevisionId"]
    after = site.ask("GET", f"/drive/v3/files/{made['documentId']}", fields="version").json()
    assert int(after["version"]) > int(before["version"])


def test_a_batch_of_a_document_is_all_or_nothing(site: GoogleServer) -> None:
    path = f"/v1/documents/{site.id('Harbour handbook')}"
    before = site.ask("GET", path, includeTabsContent="true").json()
    requests = [
        {"insertText": {"location": {"index": 1}, "text": "x"}},
        {"insertTable": {"location": {"index": 2}, "rows": 2, "columns": 2}},
        {"insertText": {"location": {"index": 10_000}, "text": "x"}},
    ]
    reply = site.ask("POST", f"{path}:batchUpdate", {"requests": requests}).json()["error"]
    assert reply["message"] == (
        "Invalid requests[2].insertText: Index 10000 must be less than the end index of the referenced "
        "segment, 395."
    )
    assert reply["status"] == "INVALID_ARGUMENT"
    assert site.ask("GET", path, includeTabsContent="true").json() == before


def test_a_document_of_a_million_and_a_half_characters_is_edited_in_the_middle(site: GoogleServer) -> None:
    line = "Boats lie at the pier, and the crane waits for spring. 🚢" * 10
    count = 1_500_000 // (len(line) + 1)
    id = upload(site, "\n".join([line] * count), "text/plain")
    old = site.app.state.rows("documents")[id]  # type: ignore[index]  # by text
    size = len(f"{line}\n".encode("utf-16-le")) // 2
    middle = 1 + size * (count // 2)
    requests = [{"insertText": {"location": {"index": middle}, "text": "here\n"}}]
    reply = site.ask("POST", f"/v1/documents/{id}:batchUpdate", {"requests": requests})
    assert reply.status_code == 200
    read = site.ask("GET", f"/v1/documents/{id}", fields="body(content(startIndex,endIndex))").json()
    places = [(one.get("startIndex", 0), one["endIndex"]) for one in read["body"]["content"]]
    assert (middle, middle + 5) in places and places[-1][1] == 1 + size * count + 5
    text = export(site, id, "text/plain")
    assert text.count("here\n") == 1 and len(text) == (len(line) + 1) * count + 5
    new = site.app.state.rows("documents")[id]  # type: ignore[index]  # by text
    before, after = (one["tabs"][0]["segments"][""]["blocks"] for one in (old, new))
    shared = sum(one is other for one, other in zip(before, after, strict=False))
    assert shared == count // 2 + 1  # what is before the change is not even copied
