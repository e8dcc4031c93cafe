"""What classic tools answer is true: nothing looks done, or whole, that is not."""

import json
from typing import Any

import pytest

from laconic.kit.testing import TestClient
from tests.google_server import GoogleServer
from tests.unit.google.classic.test_drive import PLAN


@pytest.mark.requirement("004-P2-3")
@pytest.mark.parametrize("fields", ["files(id,name)", "files/name", "nextPageToken,files(name)", "*"])
async def test_a_list_with_fields_of_the_caller_goes_on_to_its_end(
    site: GoogleServer, classic: TestClient, fields: str
) -> None:
    names: list[str] = []
    more: dict[str, Any] = {}
    while True:
        page = json.loads((await classic.call("drive_listFiles", pageSize=3, fields=fields, **more)).text)
        names += [one["name"] for one in page["items"]]
        assert "total" not in page["pagination"]
        if not page["pagination"]["has_more"]:
            break
        more = {"pageToken": page["pagination"]["next_cursor"]}
    assert len(names) == len(set(names)) == 10


async def test_other_lists_with_fields_go_on_as_well(site: GoogleServer, classic: TestClient) -> None:
    one = {"fileId": site.id("Minutes October"), "pageSize": 1}
    first = json.loads((await classic.call("drive_listPermissions", fields="permissions(role)", **one)).text)
    token = first["pagination"]["next_cursor"]
    second = json.loads((await classic.call("drive_listPermissions", pageToken=token, **one)).text)
    assert first["items"] == [{"role": "owner"}] and first["pagination"]["has_more"]
    assert second["items"][0]["role"] != "owner"


async def test_fields_that_are_not_of_a_list_are_answered_with_some_that_are(
    site: GoogleServer, classic: TestClient
) -> None:
    told = await classic.call("drive_listFiles", fields="id,name")
    people = await classic.call("drive_listPermissions", fileId=site.id(PLAN), fields="role")
    assert told.failed and "Fields of a list are such as files(id)." in told.text
    assert people.failed and "Fields of a list are such as permissions(id)." in people.text


async def test_a_search_that_left_drives_out_has_no_total(site: GoogleServer, classic: TestClient) -> None:
    site.app.faults.add("incomplete", method="GET", path="drive/v3/files")
    found = json.loads((await classic.call("drive_listFiles", q="name contains 'pier'")).text)
    assert found["incompleteSearch"] and found["pagination"] == {"count": 1, "has_more": False}
