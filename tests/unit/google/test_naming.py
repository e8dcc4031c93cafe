"""Advice names the tools that its reader has: each profile has other ones."""

import re
from pathlib import Path
from typing import Any

import pytest

from laconic.servers.google.api.naming import named
from laconic.servers.google.tools import google
from tests.google_server import GoogleServer
from tests.unit.google.serving import serving

_TOOL = re.compile(r"\b(?:drive|docs|sheets|slides)_\w+")
_ELSEWHERE = "drive_downloadFile (served with --tools google=lean)"
ADVICE = (
    "drive_getFile says which. drive_listFiles finds files. drive_exportFile reads it. "
    "Look at drive_listPermissions. Use drive_downloadFile."
)
OF_SHEETS, OF_DOCS = "sheets_appendValues adds rows.", "drive_comment comments on the file as a whole."


def served(profile: str) -> set[str]:
    """The tools that a profile lists or puts aside."""
    return {spec.name for spec in google.select(profile).tools}


def named_in(text: str) -> set[str]:
    """The tools that a text sends its reader to."""
    return set(_TOOL.findall(text.replace(_ELSEWHERE, "")))


@pytest.mark.parametrize(
    ("profile", "words"),
    [
        *((profile, ADVICE) for profile in ("lean", "drive", "classic", "full")),
        *(
            (profile, ADVICE.replace("drive_listPermissions", "it"))
            for profile in ("docs", "sheets", "slides")
        ),
        *((profile, OF_SHEETS) for profile in ("lean", "sheets", "classic", "full")),
        *((profile, OF_DOCS) for profile in ("lean", "docs", "classic", "full")),
    ],
)
def test_what_advice_names_is_served(profile: str, words: str) -> None:
    assert named_in(words)
    assert named_in(named(words, profile)) <= served(profile)


@pytest.mark.parametrize(
    ("profile", "tool", "key", "given", "words"),
    [
        (
            "lean",
            "docs_getDocument",
            "documentId",
            {},
            "drive_getFile says which. drive_exportFile reads it.",
        ),
        ("docs", "docs_getDocument", "documentId", {}, "drive_listFiles says which."),
        ("classic", "docs_get", "documentId", {}, "drive_getFile says which. drive_exportFile reads it."),
        ("full", "docs_get", "documentId", {}, "drive_files_get says which. drive_exportFile reads it."),
        (
            "full",
            "sheets_values_get",
            "spreadsheetId",
            {"range": "Months!A3000"},
            "sheets_values_append adds rows below the last one.",
        ),
        (
            "full",
            "drive_files_export",
            "fileId",
            {"mimeType": "application/pdf"},
            f"Use {_ELSEWHERE}.",
        ),
    ],
)
async def test_a_refusal_sends_to_tools_of_the_profile(
    site: GoogleServer, tmp_path: Path, profile: str, tool: str, key: str, given: dict[str, Any], words: str
) -> None:
    async with serving(site, tmp_path, tools={"google": profile}) as client:
        told = await client.send(tool, {key: site.id("Budget 2026"), **given})
        gone = await client.send(tool, {key: "1notThere0000", **given})
    assert told.failed and told.text.endswith(words), told.text
    assert gone.failed and named_in(gone.text) == {
        "drive_files_list" if profile == "full" else "drive_listFiles"
    }


@pytest.mark.parametrize("profile", ["lean", "classic", "full", "drive", "docs", "sheets", "slides"])
async def test_instructions_name_no_tool_that_a_profile_does_not_have(
    site: GoogleServer, tmp_path: Path, profile: str
) -> None:
    async with serving(site, tmp_path, tools={"google": profile}) as client:
        names = {tool["name"] for tool in await client.tools()}
    told = google.instructions_of(profile)
    assert set(re.findall(r"\btools_\w+", told)) == {name for name in names if name.startswith("tools_")}
    assert set(re.findall(r"\b(\w+_) ", told)) <= {f"{name.partition('_')[0]}_" for name in names}
