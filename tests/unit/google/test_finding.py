"""Operations are found in plain words; most questions were written for the tools of an earlier server."""

from collections import Counter
from pathlib import Path

import pytest

from laconic.kit import Settings
from laconic.kit.testing import connect
from laconic.servers.google.catalogue.index import entries
from laconic.servers.google.catalogue.phrases import phrases
from laconic.servers.google.tools import google
from tests.catalogue.google import QUESTIONS, Question
from tests.unit.google.granting import granted, wishes_in

NOW = {  # what earlier tools are called here
    "auth_getStatus": ("drive_about_get",),
    "auth_testFileAccess": ("drive_getFile",),
    "auth_listScopes": ("server_getInfo",),
    "auth_clearTokens": (),
    "drive_createComment": ("drive_comment",),
    "drive_getComment": ("drive_comments_get",),
    "drive_updateComment": ("drive_comments_update",),
    "drive_deleteComment": ("drive_comments_delete",),
    "drive_createReply": ("drive_replies_create", "drive_comment"),
    "drive_listReplies": ("drive_replies_list",),
    "drive_getReply": ("drive_replies_get",),
    "drive_updateReply": ("drive_replies_update",),
    "drive_deleteReply": ("drive_replies_delete",),
    "drive_createPermission": ("drive_share",),
    "drive_getPermission": ("drive_permissions_get",),
    "drive_updatePermission": ("drive_permissions_update",),
    "drive_deletePermission": ("drive_permissions_delete",),
    "docs_get": ("docs_getDocument",),
    "sheets_clearValues": ("sheets_values_clear",),
    "sheets_batchClearValues": ("sheets_values_batchClear",),
    "sheets_batchGetValues": ("sheets_batchGetValues", "sheets_values_get"),
    "sheets_batchUpdateValues": ("sheets_batchUpdateValues", "sheets_values_update"),
    "slides_createTextBox": ("slides_createShape",),
    "slides_get": ("slides_getPresentation",),
}
FLOORS = {"development half": (96, 101), "other half": (109, 121), "second": (140, 149)}  # first, among five

# Wishes, and how many find a right tool first and among five. Floors against a loss, not a measure: the
# phrases were widened with the first three sets in view. First opening: set_a 85.2 % and 99.2 % (109 and 127
# of 128), set_b 82.2 % and 97.7 % (106 and 126 of 129). Nobody had seen set_c before the phrases were done.
WISHES = {
    "every_kind": (319, (316, 319)),
    "set_a": (128, (126, 128)),
    "set_b": (129, (127, 129)),
    "set_c": (130, (122, 129)),
}


def answers(one: Question) -> set[str]:
    return {name for old in one.answers for name in NOW.get(old, (old,))}


def kind(one: Question) -> str:
    if one.set != "first":
        return one.set
    return "development half" if one.is_for_development else "other half"


async def test_operations_are_found_as_often_as_they_were() -> None:
    first, five = Counter[str](), Counter[str]()
    async with connect(google, settings=Settings(sandbox=True)) as client:
        for one in QUESTIONS:
            wanted = answers(one)
            if wanted:
                reply = await client.call("tools_find", query=one.question)
                found = [line.split(" ")[0] for line in reply.text.splitlines()][:5]
                first[kind(one)] += found[0] in wanted
                five[kind(one)] += bool(wanted.intersection(found))
    reached = {name: (first[name], five[name]) for name in FLOORS}
    assert all(reached[name] >= floor for name, floor in FLOORS.items()), reached


@pytest.mark.parametrize(("name", "count", "floor"), [(name, *rest) for name, rest in WISHES.items()])
async def test_wishes_are_granted_as_often_as_they_were(
    name: str, count: int, floor: tuple[int, int]
) -> None:
    wishes = wishes_in(Path(__file__).parent / "wishes" / f"{name}.txt")
    assert {tool for _, tools in wishes for tool in tools} <= {spec.name for spec in google.tools}
    found = await granted(wishes)
    assert found.count == count
    assert found.first >= floor[0] and found.among >= floor[1], found


def test_phrases_are_for_tools_that_exist() -> None:
    assert set(phrases()) <= {spec.name for spec in google.tools}


@pytest.mark.parametrize("profile", ["lean", "full"])
async def test_a_tool_and_its_operation_are_never_both_found(profile: str) -> None:
    settings = Settings(sandbox=True, tools={"google": profile}, long_list=True)
    async with connect(google, settings=settings) as client:
        reply = await client.call("tools_find", query="list files and folders", limit=50)
        called = await client.send("tools_read", {"tool": "drive_files_list", "arguments": {}})
    found = {line.split(" ")[0] for line in reply.text.splitlines()}
    twins = [(entry.name, entry.instead) for entry in entries().values() if entry.instead]
    assert twins and not [pair for pair in twins if set(pair) <= found]
    assert ("drive_listFiles" if profile == "lean" else "drive_files_list") in found
    assert '"files":[' in called.text
