"""Examples of what is sent, by the name of the body; tests send every one of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

__all__ = ["EXAMPLES"]

_ID: Final = "0190aaaa-0000-7000-8000-000000000000"
_TEMPLATE: Final = "Review this {{ language }} code."
_REPLACE: Final = {"old_str": "Review", "new_str": "Check"}

EXAMPLES: Final[Mapping[str, Mapping[str, Any]]] = {
    "NewPrompt": {"name": "code-review", "content": _TEMPLATE, "tags": ["code"]},
    "NewNote": {"title": "Review of the parser", "content": "Review it again.", "tags": ["code"]},
    "NewBookmark": {"url": "https://example.com/reviews", "title": "Reviews", "content": "Review early."},
    "PromptChange": {"title": "Code review", "tags": ["code", "daily"]},
    "NoteChangeBody": {"title": "Review of the new parser", "description": None},
    "BookmarkChange": {"title": "How to review", "tags": ["reading"]},
    "TextReplacement": _REPLACE,
    "PromptReplacement": _REPLACE,
    "DraftTemplate": {"content": _TEMPLATE},
    "DraftValues": {"content": _TEMPLATE, "arguments": {"language": "Python"}},
    "PromptValues": {"arguments": {"language": "Python"}},
    "ImportBody": {
        "files": [{"name": "greet.md", "content": "---\nname: greet\n---\nHello.\n"}],
        "on_conflict": "skip",
        "dry_run": True,
    },
    "NewRelationship": {"source_id": _ID, "target_id": _ID, "description": "has the details"},
    "LinkChange": {"description": "has all details"},
    "TagRename": {"new_name": "programming"},
    "NewToken": {"name": "my-script", "scope": "read", "expires_in_days": 90},
    "TokenName": {"name": "my-other-script"},
}
