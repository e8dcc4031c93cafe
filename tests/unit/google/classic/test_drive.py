"""Each classic tool for files does over HTTP what its name says: the state afterwards is looked at."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from laconic.kit.testing import TestClient
from tests.google_server import GoogleServer
from tests.unit.google.serving import serving

Case = tuple[str, dict[str, Any], Callable[[GoogleServer], bool]]
PLAN = "Pier plan.txt"


def comments(site: GoogleServer) -> list[dict[str, Any]]:
    answer = site.ask("GET", f"/drive/v3/files/{site.id(PLAN)}/comments", fields="*").json()
    return list(answer["comments"])


def permissions(site: GoogleServer) -> dict[str, str]:
    answer = site.ask("GET", f"/drive/v3/files/{site.id(PLAN)}/permissions", fields="*").json()
    return {one.get("emailAddress", one["type"]): one["role"] for one in answer["permissions"]}


CASES: list[Case] = [
    (
        "drive_createFile",
        {"name": "Logs", "mimeType": "application/vnd.google-apps.folder", "properties": {"a": "b"}},
        lambda site: site.row("Logs")["properties"] == {"a": "b"},
    ),
    (
        "drive_updateFile",
        {"fileId": PLAN, "name": "Plan", "description": "Of the pier", "supportsAllDrives": True},
        lambda site: site.row("Plan")["description"] == "Of the pier",
    ),
    (
        "drive_copyFile",
        {"fileId": PLAN, "name": "Copy", "description": "Again"},
        lambda site: site.row("Copy")["description"] == "Again",
    ),
    (
        "drive_createPermission",
        {"fileId": PLAN, "role": "writer", "type": "user", "emailAddress": "bob@harbour.example"},
        lambda site: permissions(site)["bob@harbour.example"] == "writer",
    ),
    (
        "drive_createComment",
        {"fileId": PLAN, "content": "Hm.", "quotedFileContent": {"mimeType": "text/plain", "value": "pier"}},
        lambda site: comments(site)[0]["quotedFileContent"]["value"] == "pier",
    ),
]


@pytest.mark.parametrize(("name", "arguments", "holds"), CASES, ids=[case[0] for case in CASES])
async def test_it_does_what_its_name_says(
    site: GoogleServer,
    classic: TestClient,
    name: str,
    arguments: dict[str, Any],
    holds: Callable[[GoogleServer], bool],
) -> None:
    given = {**arguments, **({"fileId": site.id(PLAN)} if "fileId" in arguments else {})}
    done = await classic.send(name, given)
    assert not done.failed, done.text
    assert holds(site), done.text


async def test_a_file_is_moved_trashed_and_deleted(site: GoogleServer, classic: TestClient) -> None:
    one, harbour = {"fileId": site.id(PLAN)}, site.id("Harbour")
    nothing = await classic.call("drive_updateFile", **one)
    moved = await classic.call("drive_updateFile", parents=["root"], **one)
    assert not moved.failed and site.row(PLAN)["parents"] != [harbour]
    shown = await classic.call("drive_getFile", fields="name,trashed", includeTrashed=True, **one)
    await classic.call("drive_updateFile", trashed=True, **one)
    assert site.row(PLAN)["trashed"]
    deleted = await classic.call("drive_deleteFile", **one)
    assert "Nothing to change: pass name, mimeType, parents" in nothing.text
    assert json.loads(shown.text) == {"name": PLAN, "trashed": False}
    assert deleted.text == "Done." and site.ask("GET", f"/drive/v3/files/{one['fileId']}").status_code == 404


async def test_a_file_is_moved_to_one_folder_and_not_to_the_first_of_several(
    site: GoogleServer, classic: TestClient
) -> None:
    there = site.row(PLAN)["parents"]
    told = await classic.call("drive_updateFile", fileId=site.id(PLAN), name="x", parents=["root", *there])
    assert told.failed and "A file is in one folder: pass one." in told.text
    assert site.row(PLAN)["parents"] == there


async def test_a_file_is_found_by_the_address_of_its_page(site: GoogleServer, classic: TestClient) -> None:
    plan, minutes = site.id(PLAN), site.id("Minutes October")
    file = await classic.call("drive_getFile", fileId=f"https://drive.google.com/file/d/{plan}/view")
    page = f"https://docs.google.com/document/d/{minutes}/edit?tab=t.0"
    before = await classic.call("docs_getDocument", documentId=minutes)
    done = await classic.call(
        "docs_replaceAllText", documentId=page, containsText="crane", replaceText="mast"
    )
    after = await classic.call("docs_getDocument", documentId=minutes)
    assert json.loads(file.text)["name"] == PLAN and not done.failed, done.text
    assert "The crane" in before.text and "The mast" in after.text


async def test_comments_and_replies_are_written_read_and_deleted(
    site: GoogleServer, classic: TestClient
) -> None:
    one = {"fileId": site.id(PLAN)}
    made = json.loads((await classic.call("drive_createComment", content="Hm.", **one)).text)
    which = {**one, "commentId": made["id"]}
    reply = json.loads((await classic.call("drive_createReply", content="Ok.", **which)).text)
    await classic.call("drive_updateComment", content="Well.", **which)
    await classic.call("drive_updateReply", replyId=reply["id"], content="Fine.", **which)
    read = json.loads((await classic.call("drive_getComment", **which)).text)
    answered = json.loads((await classic.call("drive_getReply", replyId=reply["id"], **which)).text)
    listed = json.loads((await classic.call("drive_listReplies", **which)).text)
    said = json.loads((await classic.call("drive_listComments", **one)).text)
    resolved = await classic.call("drive_createReply", content="Done", action="resolve", **which)
    assert not resolved.failed, resolved.text
    assert comments(site)[0]["resolved"]
    await classic.call("drive_deleteReply", replyId=reply["id"], **which)
    assert next(one for one in comments(site)[0]["replies"] if not one.get("deleted"))["content"] == "Done"
    gone = await classic.call("drive_deleteComment", **which)
    assert read["content"] == "Well." and answered["content"] == "Fine."
    assert [one["content"] for one in listed["items"]] == ["Fine."]
    assert listed["pagination"] == {"count": 1, "has_more": False, "total": 1}
    assert [one["content"] for one in said["items"]] == ["Well."]
    assert gone.text == "Done." and not [one for one in comments(site) if not one.get("deleted")]


async def test_a_google_file_is_read_as_another_type(site: GoogleServer, classic: TestClient) -> None:
    one = {"fileId": site.id("Minutes October")}
    html = await classic.call("drive_exportFile", mimeType="text/html", **one)
    markdown = await classic.call("drive_exportFile", mimeType="text/markdown", **one)
    assert ">Berths</h2>" in html.text and "## Berths" in markdown.text


async def test_permissions_are_read_changed_and_ended(site: GoogleServer, classic: TestClient) -> None:
    one = {"fileId": site.id(PLAN)}
    made = json.loads(
        (
            await classic.call(
                "drive_createPermission",
                role="reader",
                type="user",
                emailAddress="bob@harbour.example",
                **one,
            )
        ).text
    )
    which = {**one, "permissionId": made["id"]}
    await classic.call("drive_updatePermission", role="commenter", **which)
    shown = json.loads((await classic.call("drive_getPermission", fields="role", **which)).text)
    listed = json.loads((await classic.call("drive_listPermissions", **one)).text)
    ended = await classic.call("drive_deletePermission", **which)
    owner = {"role": "owner", "type": "user", "emailAddress": "bob@harbour.example"}
    await classic.call("drive_createPermission", **owner, **one)
    assert shown == {"role": "commenter"} and listed["pagination"]["count"] == len(listed["items"]) == 2
    assert ended.text == "Done." and site.row(PLAN)["owner"] == "bob@harbour.example"


async def test_lists_say_how_to_go_on_and_never_invent_a_total(
    site: GoogleServer, classic: TestClient
) -> None:
    found: list[str] = []
    more: dict[str, Any] = {}
    while True:
        page = json.loads(
            (await classic.send("drive_listFiles", {"pageSize": 2, "orderBy": "name", **more})).text
        )
        found += [one["name"] for one in page["items"]]
        assert "total" not in page["pagination"]
        if not page["pagination"]["has_more"]:
            break
        more = {"pageToken": page["pagination"]["next_cursor"]}
    trashed = await classic.call("drive_listFiles", q="name contains 'Old'", includeTrashed=True)
    table = await classic.call("drive_listFiles", q="name contains 'Pier'", response_format="markdown")
    several = await classic.call("drive_listFiles", pageSize=1, response_format="markdown")
    assert sorted(found) == found and PLAN in found and "Old ideas" not in found
    assert json.loads(trashed.text)["items"][0]["name"] == "Old ideas"
    assert table.text.startswith("| id | name |") and f"| {PLAN} |" in table.text
    assert "There are more: pass pageToken '" in several.text


async def test_the_account_is_shown_and_its_token_forgotten(site: GoogleServer, tmp_path: Path) -> None:
    async with serving(site, tmp_path, tools={"google": "classic"}) as client:
        status = await client.call("auth_getStatus")
        rights = await client.call("auth_testFileAccess", fileId=site.id("Ferry timetable"))
        secret = await client.call("auth_testFileAccess", fileId=site.id("Bob's secrets"))
        scopes = await client.call("auth_listScopes")
        info = await client.call("server_getInfo", includeUptime=True)
        before = site.tokens
        cleared = await client.call("auth_clearTokens")
        again = await client.call("auth_getStatus")
    assert '"emailAddress":"alice@harbour.example"' in status.text and '"account":"work"' in status.text
    assert '"canEdit":false' in rights.text and secret.failed
    assert scopes.text == "work: drive" and "Open for" in info.text
    assert "Forgot the token of 'work'." in cleared.text
    assert not again.failed and site.tokens == before + 1
