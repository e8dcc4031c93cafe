"""The practice Google refuses what the real one refuses, and never pretends."""

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from laconic.sandbox.google.books.book import new_book
from laconic.sandbox.google.books.formulas import evaluated
from laconic.sandbox.google.carrying_out import left_out
from laconic.sandbox.google.routing import APIS, description_of
from laconic.sandbox.state import State
from tests.google_server import GoogleServer

LEFT_OUT = Path(__file__).with_name("google_left_out.txt")


@pytest.fixture
def site(served: GoogleServer) -> GoogleServer:
    served.reset()
    return served


def test_what_it_does_not_do_is_known() -> None:
    found = [name for api in APIS for name in left_out(api)]
    assert found == LEFT_OUT.read_text(encoding="utf-8").split()


def test_what_it_does_not_do_is_refused_with_its_id(site: GoogleServer) -> None:
    scopes = {
        one for api in APIS for facts in description_of(api)["operations"].values() for one in facts["scopes"]
    }
    refresh = site.grant("alice@harbour.example", " ".join(scopes))
    form = {"grant_type": "refresh_token", "client_id": "desktop", "client_secret": "desktop-secret"}
    token = site.http.post("/token", data={**form, "refresh_token": refresh}).json()["access_token"]
    head = {"authorization": f"Bearer {token}"}
    names = set(LEFT_OUT.read_text(encoding="utf-8").split())
    for api in APIS:
        for name, facts in description_of(api)["operations"].items():
            if name not in names:
                continue
            file = "Minutes October" if api == "docs" else "Budget 2026"
            path = re.sub(r"\{\w+\}", site.id(file), facts["path"])
            kind = facts.get("kind")
            body: dict[str, Any] = {"requests": [{kind: {}}]} if kind else {}
            more: dict[str, Any] = {"json": body} if facts["method"] in ("POST", "PUT", "PATCH") else {}
            reply = site.http.request(facts["method"], f"/{path}", headers=head, **more)
            message = reply.json()["error"]["message"]
            assert reply.status_code == 501 and f"does not do {facts['id']}." in message, (name, message)


@pytest.mark.parametrize(
    ("method", "path", "more", "status", "words"),
    [
        ("GET", "/drive/v3/files", {"colour": "red"}, 400, 'Unknown name "colour"'),
        ("GET", "/drive/v3/files", {"pageSize": "0"}, 400, "Values must be within the range: [1, 1000]"),
        ("GET", "/drive/v3/files", {"pageSize": "ten"}, 400, "Invalid value at 'pageSize'"),
        ("GET", "/drive/v3/files", {"fields": "files(colour)"}, 400, "Invalid field selection colour"),
        ("GET", "/drive/v3/files", {"fields": "files("}, 400, "contains an invalid argument"),
        ("GET", "/drive/v3/files", {"orderBy": "colour"}, 400, "Invalid field: colour"),
        ("GET", "/drive/v3/files", {"q": "fullText contains 'x'", "orderBy": "name"}, 400, "Sorting is not"),
        ("GET", "/drive/v3/files", {"q": "name ="}, 400, "Invalid Value"),
        ("GET", "/drive/v3/files", {"q": "colour = 'red'"}, 400, "Invalid Value"),
        ("GET", "/drive/v3/files", {"q": "name = 'a' and"}, 400, "Invalid Value"),
        ("GET", "/drive/v3/files", {"pageToken": "forged"}, 400, "Invalid Value"),
        ("GET", "/drive/v3/about", {}, 400, "'fields' parameter is required"),
        ("GET", "/drive/v3/files/nothing", {}, 404, "File not found: nothing."),
        ("POST", "/drive/v3/files", {"json": {"nmae": "x"}}, 400, 'Unknown name "nmae"'),
        ("POST", "/drive/v3/files", {"json": {"name": 5}}, 400, "Invalid value at 'name'"),
        ("POST", "/drive/v3/files", {"json": {"parents": ["a", "b"]}}, 400, "more than one parent"),
        ("GET", "/v4/spreadsheets/nothing", {}, 404, "File not found"),
        ("GET", "/nowhere", {}, 404, "not found on this server"),
    ],
)
def test_a_request_that_does_not_fit_is_refused_as_described(
    site: GoogleServer, method: str, path: str, more: dict[str, Any], status: int, words: str
) -> None:
    reply = site.ask(method, path, more.pop("json", None), **more)
    assert reply.status_code == status and words in reply.json()["error"]["message"], reply.text


def test_the_two_forms_of_errors(site: GoogleServer) -> None:
    older = site.ask("GET", "/drive/v3/files/nothing").json()["error"]
    newer = site.ask("GET", "/v4/spreadsheets/nothing").json()["error"]
    assert older["errors"][0] == {
        **{"domain": "global", "reason": "notFound", "message": "File not found: nothing."},
        **{"location": "fileId", "locationType": "parameter"},
    }
    assert newer["status"] == "NOT_FOUND" and "errors" not in newer


def test_a_page_token_is_for_its_query_alone(site: GoogleServer) -> None:
    token = site.ask("GET", "/drive/v3/files", pageSize=2).json()["nextPageToken"]
    assert site.ask("GET", "/drive/v3/files", pageSize=2, pageToken=token).status_code == 200
    other = site.ask("GET", "/drive/v3/files", pageToken=token, q="starred = true")
    assert other.status_code == 400


def test_a_token_needs_the_scope_of_what_it_does(site: GoogleServer) -> None:
    refresh = site.grant("alice@harbour.example", "spreadsheets.readonly")
    form = {"grant_type": "refresh_token", "client_id": "desktop", "client_secret": "desktop-secret"}
    token = site.http.post("/token", data={**form, "refresh_token": refresh}).json()["access_token"]
    head = {"authorization": f"Bearer {token}"}
    book = f"/v4/spreadsheets/{site.id('Budget 2026')}"
    assert site.http.get(book, headers=head).status_code == 200
    write = site.http.post(f"{book}/values/A1:clear", headers=head, json={})
    drive = site.http.get("/drive/v3/files", headers=head)
    assert write.json()["error"]["details"][0]["reason"] == "ACCESS_TOKEN_SCOPE_INSUFFICIENT"
    assert drive.json()["error"]["errors"][0]["reason"] == "insufficientPermissions"
    assert site.http.get(book).status_code == 401


def test_a_code_is_for_its_verifier_and_good_once(site: GoogleServer) -> None:
    ask = {"client_id": "desktop", "redirect_uri": "http://127.0.0.1:1", "state": "s", "scope": "x"}
    ask |= {"code_challenge": "wrong", "code_challenge_method": "S256", "access_type": "offline"}
    where = site.http.get("/o/oauth2/v2/auth", params=ask).headers["location"]
    code = parse_qs(urlsplit(where).query)["code"][0]
    form = {"grant_type": "authorization_code", "client_id": "desktop", "client_secret": "desktop-secret"}
    form |= {"code": code, "redirect_uri": "http://127.0.0.1:1", "code_verifier": "v"}
    assert site.http.post("/token", data=form).json()["error_description"] == "Invalid code verifier."
    assert site.http.post("/token", data=form).json()["error_description"] == "Malformed auth code."
    plain = site.http.get("/o/oauth2/v2/auth", params={**ask, "code_challenge_method": "plain"})
    assert plain.status_code == 400


def test_uploads_in_one_request_and_in_two_parts(site: GoogleServer) -> None:
    simple = site.ask(
        "POST", "/upload/drive/v3/files", b"abc", uploadType="media", headers={"content-type": "text/plain"}
    ).json()
    parts = (
        b'--x\r\ncontent-type: application/json\r\n\r\n{"name": "two"}\r\n'
        b"--x\r\ncontent-type: text/plain\r\n\r\nin two parts\r\n--x--"
    )
    kind = {"content-type": "multipart/related; boundary=x"}
    double = site.ask("POST", "/upload/drive/v3/files", parts, uploadType="multipart", headers=kind).json()
    assert site.ask("GET", f"/drive/v3/files/{simple['id']}", alt="media").content == b"abc"
    assert double["name"] == "two"
    ranged = {"range": "bytes=3-5"}
    got = site.ask("GET", f"/drive/v3/files/{double['id']}", alt="media", headers=ranged)
    assert got.content == b"two" and got.status_code == 206
    assert got.headers["content-range"] == "bytes 3-5/12"


def test_a_file_created_with_an_id_exists_once(site: GoogleServer) -> None:
    [id] = site.ask("GET", "/drive/v3/files/generateIds", count=1).json()["ids"]
    assert site.ask("POST", "/drive/v3/files", {"id": id, "name": "x"}).status_code == 200
    assert site.ask("POST", "/drive/v3/files", {"id": id, "name": "x"}).status_code == 409


def test_a_batch_is_all_or_nothing(site: GoogleServer) -> None:
    book = f"/v4/spreadsheets/{site.id('Budget 2026')}"
    requests = [
        {"addSheet": {"properties": {"title": "New"}}},
        {"addSheet": {"properties": {"title": "Months"}}},
    ]
    reply = site.ask("POST", f"{book}:batchUpdate", {"requests": requests})
    assert "Invalid requests[1].addSheet: A sheet with the name" in reply.json()["error"]["message"]
    assert "New" not in json.dumps(site.ask("GET", book).json())


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("=1+2*3", 7),
        ("=(1+2)*3", 9),
        ("=2^3^2", 512),
        ("=SUM(A1:A3)", 6),
        ("=AVERAGE(A1:A3)/2", 1.0),
        ('=IF(A1<A2,"less","more")', "less"),
        ('="a"&A1&"b"', "a1b"),
        ("=1/0", "#DIV/0!"),
        ("=NOSUCH(1)", "#NAME?"),
        ("=B1", 6),
        ("=C1", "#REF!"),
        ("=1+", "#ERROR!"),
    ],
)
def test_formulas(formula: str, value: object) -> None:
    book = new_book(State(), "x", "x", "1,=SUM(A1:A3),=C1\n2\n3\n")
    assert evaluated(book, book["sheets"][0], formula) == value


def test_words_are_found_in_what_files_say_now(site: GoogleServer) -> None:
    def found(word: str) -> set[str]:
        listed = site.ask("GET", "/drive/v3/files", q=f"fullText contains '{word}'", pageSize=100)
        return {str(row["name"]) for row in listed.json()["files"]}

    assert "Budget 2026" in found("January") and "Minutes October" in found("three builders")
    assert not found("Zebra")
    body = {"valueInputOption": "RAW", "data": [{"range": "Months!Z9", "values": [["a Zebra"]]}]}
    site.ask("POST", f"/v4/spreadsheets/{site.id('Budget 2026')}/values:batchUpdate", body)
    insert = {"insertText": {"location": {"index": 1}, "text": "Zebra "}}
    site.ask("POST", f"/v1/documents/{site.id('Minutes October')}:batchUpdate", {"requests": [insert]})
    assert found("zebra") == {"Budget 2026", "Minutes October"}


@pytest.mark.parametrize("name", ["Budget 2026", "Minutes October", "Harbour plan"])
def test_an_export_is_of_its_type_or_is_refused_by_name(site: GoogleServer, name: str) -> None:
    address, head = f"/drive/v3/files/{site.id(name)}/export", {"authorization": f"Bearer {site.token()}"}
    made = site.http.get(address, params={"mimeType": "application/pdf"}, headers=head)
    office = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    left_out = site.http.get(address, params={"mimeType": office}, headers=head)
    assert made.content.startswith(b"%PDF-1.4\n") and made.content.endswith(b"%%EOF\n")
    assert int(made.content.split(b"startxref\n")[1].split()[0]) == made.content.index(b"xref\n0 ")
    assert left_out.status_code == 501 and "does not do drive.files.export" in left_out.text


def test_changes_come_in_pages_and_are_those_of_files_that_are_seen(site: GoogleServer) -> None:
    token, ids = "1", list[str]()
    while True:
        page = site.ask("GET", "/drive/v3/changes", pageToken=token, pageSize=3).json()
        ids += [one["fileId"] for one in page["changes"]]
        if "nextPageToken" not in page:
            break
        token = page["nextPageToken"]
    assert len(ids) > 3 and site.id("Budget 2026") in ids and site.id("Bob's secrets") not in ids
    assert int(page["newStartPageToken"]) > len(ids)
    assert site.ask("GET", "/drive/v3/changes", pageToken="x").status_code == 400


def test_what_was_asked_is_remembered_within_bounds(site: GoogleServer) -> None:
    for _ in range(3):
        site.ask("POST", "/upload/drive/v3/files", b"x" * 100_000, uploadType="media")
    assert [len(one.body) for one in site.app.seen if one.path == "upload/drive/v3/files"] == [0, 0, 0]
    assert site.app.seen.maxlen


@pytest.mark.parametrize(
    ("method", "path", "options"),
    [
        ("POST", "/drive/v3/files/{file}/copy", {"copyComments": "true"}),
        ("PATCH", "/drive/v3/files/{file}", {"keepRevisionForever": "true"}),
        ("GET", "/drive/v3/files", {"spaces": "appDataFolder"}),
        ("PUT", "/v4/spreadsheets/{book}/values/Months!A1", {"includeValuesInResponse": "true"}),
    ],
)
def test_an_option_that_it_leaves_out_is_refused_by_name(
    site: GoogleServer, method: str, path: str, options: dict[str, str]
) -> None:
    where = path.format(file=site.id("Pier plan.txt"), book=site.id("Budget 2026"))
    more = {"valueInputOption": "RAW"} if method == "PUT" else {}
    body = {"values": [["x"]]} if method == "PUT" else {}
    told = site.ask(method, where, body, **options, **more)
    assert told.status_code == 501 and f"with {next(iter(options))}." in told.text


def test_a_cell_and_a_spreadsheet_have_limits(site: GoogleServer) -> None:
    book = f"/v4/spreadsheets/{site.id('Budget 2026')}"
    many = {"appendDimension": {"sheetId": 0, "dimension": "ROWS", "length": 400_000}}
    before = site.ask("GET", book).json()["sheets"]
    answers = [
        site.ask("PUT", f"{book}/values/Months!A1", {"values": [["x" * 50_001]]}, valueInputOption="RAW"),
        site.ask(
            "POST",
            f"{book}/values/Months!A1:append",
            {"values": [["x" * 50_001]]},
            valueInputOption="RAW",
            insertDataOption="INSERT_ROWS",
        ),
        site.ask("POST", f"{book}:batchUpdate", {"requests": [many]}),
    ]
    assert [one.status_code for one in answers] == [400, 400, 400]
    assert "maximum of 50000 characters" in answers[0].text and "limit of 10000000" in answers[2].text
    assert site.ask("GET", book).json()["sheets"] == before


def test_what_is_deleted_of_a_talk_is_shown_without_its_words_to_those_who_ask(site: GoogleServer) -> None:
    talk = f"/drive/v3/files/{site.id('Pier plan.txt')}/comments"
    one = site.ask("POST", talk, {"content": "Hm."}, fields="*").json()["id"]
    for words in ("Yes.", "No."):
        last = site.ask("POST", f"{talk}/{one}/replies", {"content": words}, fields="*").json()["id"]
    site.ask("DELETE", f"{talk}/{one}/replies/{last}")
    shown = site.ask("GET", f"{talk}/{one}", fields="*").json()["replies"]
    everything = site.ask("GET", f"{talk}/{one}", fields="*", includeDeleted="true").json()["replies"]
    assert [reply["content"] for reply in shown] == ["Yes."]
    assert [(reply["deleted"], reply.get("content")) for reply in everything] == [
        (False, "Yes."),
        (True, None),
    ]
    site.ask("DELETE", f"{talk}/{one}")
    assert site.ask("GET", talk, fields="*").json()["comments"] == []
    [gone] = site.ask("GET", talk, fields="*", includeDeleted="true").json()["comments"]
    assert gone["deleted"] and "content" not in gone
    assert site.ask("GET", f"{talk}/{one}", fields="*").status_code == 404


@pytest.mark.parametrize(
    ("method", "end", "body", "query"),
    [
        ("POST", "/{}/replies", {"content": "Ok.", "action": "close"}, {}),
        ("GET", "", None, {"startModifiedTime": "yesterday"}),
    ],
)
def test_a_talk_takes_no_other_actions_and_times(
    site: GoogleServer, method: str, end: str, body: Any, query: dict[str, str]
) -> None:
    talk = f"/drive/v3/files/{site.id('Pier plan.txt')}/comments"
    one = site.ask("POST", talk, {"content": "Hm."}, fields="*").json()["id"]
    assert site.ask(method, talk + end.format(one), body, fields="*", **query).status_code == 400


def test_the_files_of_one_drive_need_its_id(site: GoogleServer) -> None:
    shared = {"includeItemsFromAllDrives": "true", "supportsAllDrives": "true", "corpora": "drive"}
    without = site.ask("GET", "/drive/v3/files", **shared)
    found = site.ask("GET", "/drive/v3/files", driveId="0AHarbourOfficePVA", **shared).json()["files"]
    assert without.status_code == 400 and without.json()["error"]["errors"][0]["location"] == "driveId"
    assert "Opening hours.txt" in [one["name"] for one in found]
