"""Questions: what a server may ask its client, the capability each needs, and which replies fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

__all__ = ["QUESTIONS", "check", "declares", "fits", "needs"]

QUESTIONS: Final = ("elicitation/create", "sampling/createMessage", "roots/list")
_ACTIONS: Final = ("accept", "decline", "cancel")


def needs(method: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the capability that a question needs, as the client would declare it."""
    if method == "elicitation/create":
        return {"elicitation": {"url": {}} if params.get("mode") == "url" else {}}
    if method == "sampling/createMessage":
        return {"sampling": {"tools": {}} if params.get("tools") or params.get("toolChoice") else {}}
    return {"roots": {}}


def declares(capabilities: Mapping[str, Any] | None, wanted: Mapping[str, Any]) -> bool:
    """True if the client declared these capabilities."""
    for name, parts in wanted.items():
        declared = (capabilities or {}).get(name)
        if not isinstance(declared, Mapping) or any(declared.get(part) is None for part in parts):
            return False
        if name == "elicitation" and not parts and "url" in declared and "form" not in declared:
            return False  # only addresses can be shown; a bare {} means forms
    return True


def check(method: str, params: Mapping[str, Any]) -> None:
    """Check a tool's question against the protocol.

    Raises:
        ValueError: it is not a question, or a parameter is missing.
    """
    if method not in QUESTIONS:
        raise ValueError(f"{method} is not a question; the questions are {', '.join(QUESTIONS)}.")
    wanted: dict[str, type] = {}
    if method == "elicitation/create":
        is_form = params.get("mode", "form") == "form"
        wanted = {"message": str} | ({"requestedSchema": dict} if is_form else {"url": str})
    elif method == "sampling/createMessage":
        wanted = {"messages": list, "maxTokens": int}
    for name, kind in wanted.items():
        if not isinstance(params.get(name), kind):
            raise ValueError(f"The question {method} lacks {name}.")


def fits(method: str, reply: Any) -> bool:
    """True if a reply fits this question."""
    if not isinstance(reply, Mapping):
        return False
    if method == "elicitation/create":
        content = reply.get("content")
        return reply.get("action") in _ACTIONS and (content is None or _is_flat(content))
    if method == "sampling/createMessage":
        is_said = reply.get("role") in ("user", "assistant") and isinstance(reply.get("model"), str)
        return is_said and isinstance(reply.get("content"), dict | list)
    roots = reply.get("roots")
    return isinstance(roots, list) and all(
        isinstance(root, Mapping) and str(root.get("uri", "")).startswith("file://") for root in roots
    )


def _is_flat(content: Any) -> bool:
    """True if all fields of a form are strings, numbers, booleans, or lists of strings."""
    return isinstance(content, Mapping) and all(
        value is None
        or isinstance(value, str | int | float)
        or (isinstance(value, list) and all(isinstance(one, str) for one in value))
        for value in content.values()
    )
