"""Advising: what to do next and which field was meant, for somebody who has routes and no tools."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from laconic.kit import Problem
from laconic.text import did_you_mean, nearest

__all__ = ["advice_for_ids", "advice_for_routes", "ignored_header", "unknown_fields"]

_BY_ID: Final = "/api/prompts/{id}"
_PROMPT: Final = f"POST {_BY_ID}/unarchive"
# What the advice of the services calls by the name of a tool, or leaves to a person, who has pages for it.
_ROUTES: Final[Mapping[str, str]] = {
    "edit_prompt_template": "PATCH /api/prompts/{id}",
    "update_item": "PATCH /api/bookmarks/{id}",
    "a person must restore it first": f"{_PROMPT} makes it active again",
    "ask a person to restore or rename it": f"make it active with {_PROMPT}",
    "ask a person to restore it": "make it active with POST /api/bookmarks/{id}/unarchive",
}
_SENTENCE: Final = re.compile(r"(?<=[.?!])\s+")
_TOOL: Final = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")
_NAME: Final = re.compile(r"[\w.-]{1,40}", re.ASCII)
_MOST: Final = 8  # fields that are named


def advice_for_routes(advice: str, tools: Collection[str]) -> str:
    """Return advice that names routes instead of tools; a sentence with another tool is left out."""
    for tool, route in _ROUTES.items():
        advice = advice.replace(tool, route)
    kept = [one for one in _SENTENCE.split(advice) if not any(word in tools for word in _TOOL.findall(one))]
    return " ".join(kept)


def advice_for_ids(path: str) -> str:
    """Return what to do where an address has no id: perhaps a name was meant."""
    return "By its name, a prompt is at /api/prompts/name/{name}." if path.startswith(_BY_ID) else ""


def unknown_fields(given: Any, known: Iterable[str]) -> list[Problem]:
    """Return the fields of a request that are not known, with the one that was probably meant."""
    names = list(known)
    unknown = [name for name in given if name not in names] if isinstance(given, Mapping) else []
    found = []
    for name in unknown[:_MOST]:
        near = nearest(str(name)[:80], names)
        said = f"Unknown field '{str(name)[:80]}'.{did_you_mean(near)}"
        found.append(Problem(str(name)[:80], said, near=near[0] if near else None))
    return found


def ignored_header(problems: Iterable[Problem]) -> dict[str, str]:
    """Return the header that names what was ignored; names that no header can have are left out."""
    told = [
        f"{one.field} (did you mean {one.near}?)" if one.near else one.field
        for one in problems
        if _NAME.fullmatch(one.field)
    ]
    return {"x-ignored-fields": ", ".join(told)} if told else {}
