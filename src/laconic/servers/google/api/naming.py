"""Naming: advice names tools as `lean` has them; other profiles have others, or none for the same purpose."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_SENTENCE: Final = re.compile(r"(?<=\.) +")
_TOOL: Final = re.compile(r"\b(?:drive|docs|sheets|slides)_\w+")
_ELSEWHERE: Final = "drive_downloadFile (served with --tools google=lean)"
_FIND: Final = {
    "drive_getFile": "drive_listFiles",
    "drive_exportFile": "",
    "drive_comment": "",
    "drive_downloadFile": _ELSEWHERE,
}
_NAMES: Final[
    Mapping[str, Mapping[str, str]]
] = {  # by profile, and by the name in `lean`; empty: there is none
    "classic": {"drive_comment": "drive_createComment", "drive_downloadFile": _ELSEWHERE},
    "full": {
        "drive_comment": "drive_comments_create",
        "drive_downloadFile": _ELSEWHERE,
        "drive_getFile": "drive_files_get",
        "drive_listFiles": "drive_files_list",
        "drive_listPermissions": "drive_permissions_list",
        "sheets_appendValues": "sheets_values_append",
    },
    "docs": _FIND,
    "sheets": _FIND,
    "slides": _FIND,
}


def named(words: str, profile: str) -> str:
    """Return advice in the names of a profile, without the sentences that name a tool it has not."""
    names = _NAMES.get(profile)
    if not names:
        return words
    told = [_renamed(one, names) for one in _SENTENCE.split(words)]
    return " ".join(one for one in told if one)


def _renamed(sentence: str, names: Mapping[str, str]) -> str:
    found = _TOOL.findall(sentence)
    if any(names.get(one) == "" for one in found):
        return ""
    return _TOOL.sub(lambda one: names.get(one[0], one[0]), sentence)
