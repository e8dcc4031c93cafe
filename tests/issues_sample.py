"""A small workspace as a team would have it, always the same: 40 specifications of 40 KB and 60 issues."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, Final

from laconic.kit.testing import TestClient, count_tokens

__all__ = [
    "BACKLOG",
    "LABELS",
    "LIMITS",
    "SAMPLE",
    "TASKS",
    "browse",
    "fill_sample",
    "lists",
    "structured_tokens",
    "tasks",
]

SAMPLE: Final = {
    "minimal, text": 244,
    "summary, text": 390,
    "minimal, structured": 285,
    "summary, structured": 619,
}
"""The tokens of a list of twenty in this workspace."""

BACKLOG: Final = {
    "summary, text": 582,
    "summary, only open, text": 533,
    "summary, structured": 779,
}
"""The same in the workspace of `issues_backlog`."""

TASKS: Final = {  # calls, and tokens of calls and answers
    "start, one by one": (10, 364),
    "start, at once": (1, 326),
    "read, one by one": (10, 403),
    "read, at once": (1, 191),
}
"""What it costs to start ten tasks, and to read ten tasks."""

LABELS: Final = 337
"""The tokens of the list of labels in the workspace of `issues_backlog`."""

LIMITS: Final = {
    "sample": {"minimal, text": 245, "summary, text": 400, "summary, structured": 0.75 * 836},
    "backlog": {
        "summary, text": 600,
        "summary, only open, text": 780,
        "summary, structured": 0.75 * 1_282,
    },
}
"""The most that each may cost; for data, three quarters of version 0.1.0."""

_LISTS: Final[dict[str, dict[str, Any]]] = {
    "minimal": {"format": "minimal"},
    "summary": {"format": "summary"},
    "summary, only open": {"format": "summary", "status": ["open"]},
}
_QUESTION: Final = "resumable uploads"  # what the one who looks for a specification has heard of it
_WANTED: Final = "FR-004: A resumed upload MUST verify the checksum of every part it skips."

_DOING: Final = ("Fix", "Speed up", "Retry", "Document", "Test", "Remove", "Redesign", "Measure")
_THINGS: Final = (  # with the verb about five tokens, as titles of a real workspace of this kind have
    "the login timeout",
    "nightly backups",
    "search without accents",
    "importer errors",
    "the invoice cache",
    "late webhooks",
    "dark mode in settings",
    "API rate limits",
)
_PLANS: Final = (
    "Audit log",
    "Shared folders",
    "Resumable uploads",
    "Single sign-on",
    "Offline mode",
    "Invoice rounding",
    "Attachment search",
    "Report templates",
)
_PHASES: Final = ("first release", "follow-up", "migration", "clean-up", "pilot")
_PARTS: Final = (
    *("Summary", "Goals", "Background", "Requirements", "Design", "Data model", "Interfaces", "Errors"),
    *("Security", "Migration", "Testing", "Rollout", "Open questions"),
)
_LABELS: Final = ("backend", "frontend", "performance", "security", "mobile", "docs")
_SENTENCES: Final = (
    "The service keeps what it was told until the caller confirms that it has been read.",
    "A request that arrives twice is answered from the first result, and the second one is logged.",
    "Administrators see the same list as everybody else, with two more columns.",
    "Old clients ignore the new field, so that nothing has to be released on the same day.",
    "When the queue is full the oldest entry is written to disk before a new one is taken.",
    "The page shows a short message with one action, and the details only when asked for.",
    "Each step can be repeated without harm, because it first looks at what is already there.",
    "The table has an index on the date, and rows older than a year move to the archive.",
    "Measurements from the pilot show that most calls end within a tenth of a second.",
    "If the directory cannot be reached, accounts that were active during the last day stay so.",
)
_LONG: Final = 40_000


def fill_sample(root: Path) -> None:
    """Write the workspace."""
    random = Random(11)
    plans = [f"{plan}, {phase}" for plan, phase in product(_PLANS, _PHASES)]
    for number, title in enumerate(plans, 1):
        is_wanted = title == "Resumable uploads, first release"
        _write(root, "specification", f"SPEC-{number:06d}", title, _plan(random, title, is_wanted), random)
    issues = [f"{doing} {thing}" for doing, thing in product(_DOING, _THINGS)]
    for number, title in enumerate(random.sample(issues, 60), 1):
        body = " ".join(random.choices(_SENTENCES, k=30))
        _write(root, "issue", f"ISS-{number:06d}", title, body, random)


def _plan(random: Random, title: str, is_wanted: bool) -> str:
    parts = [f"# {title}"]
    for part in _PARTS:
        body = " ".join(random.choices(_SENTENCES, k=_LONG // len(_PARTS) // 84))
        if part == "Requirements":
            body += f"\n\n- {_WANTED if is_wanted else 'FR-004: Nothing of it MUST block the caller.'}"
        parts.append(f"## {part}\n\n{body}")
    return "\n\n".join(parts)


def _write(root: Path, kind: str, id: str, title: str, body: str, random: Random) -> None:
    folder = root / ".wrangler" / f"{kind}s"
    folder.mkdir(parents=True, exist_ok=True)
    labels = "".join(f"\n  - {label}" for label in random.sample(_LABELS, random.randint(0, 2)))
    at = f"2026-{random.randint(1, 9):02d}-{random.randint(1, 28):02d}T09:{random.randint(10, 59)}:00.000Z"
    lines = [
        *("---", f"id: {id}", f"title: '{title}'", f"type: {kind}"),
        f"status: {random.choice(('open', 'open', 'in_progress'))}",
        f"priority: {random.choice(('low', 'medium', 'high', 'critical'))}",
        *(f"labels:{labels or ' []'}", f"createdAt: '{at}'", f"updatedAt: '{at}'"),
        *([f"project: {random.choice(('billing', 'platform'))}"] if random.random() < 0.5 else []),
        *([f"assignee: {random.choice(('ana', 'ben'))}"] if random.random() < 0.3 else []),
        *("---", body, ""),
    ]
    (folder / f"{id}-{'-'.join(title.lower().replace(',', '').split())[:50]}.md").write_text(
        "\n".join(lines), encoding="utf-8"
    )


async def browse(client: TestClient) -> int:
    """Find the right specification and read its requirements; return the tokens of all answers.

    Raises:
        RuntimeError: the requirement was not found there.
    """
    found = await client.call("issues_search", query=_QUESTION, filters={"types": ["specification"]})
    (id,) = re.findall(r"^(SPEC-\d+).*first release", found.text, re.MULTILINE)
    beginning = await client.call("issues_get", id=id)
    (handle,) = re.findall(r"handle='([^']+)'", beginning.text)
    section = await client.call("read_on", handle=handle, section="Requirements")
    if _WANTED not in section.text:
        raise RuntimeError(f"not what was wanted: {section.text[:200]}")
    return found.tokens + beginning.tokens + section.tokens


async def lists(client: TestClient) -> dict[str, int]:
    """Count the tokens of lists of twenty, in the form that the server answers in."""
    found: dict[str, int] = {}
    for name, more in _LISTS.items():
        reply = await client.call("issues_list", limit=20, **more)
        is_text = reply.structured is None
        tokens = reply.tokens if is_text else structured_tokens(reply.structured)
        found[f"{name}, {'text' if is_text else 'structured'}"] = tokens
    return found


async def tasks(client: TestClient) -> dict[str, tuple[int, int]]:
    """Count the calls, and the tokens of arguments and answers, for ten tasks at once and one by one."""
    ids = [f"ISS-{number:06d}" for number in range(1, 21)]
    started, doing = {"status": "in_progress", "assignee": "agent-1"}, ("priority", "labels", "project")
    work: dict[str, list[tuple[str, dict[str, Any]]]] = {
        "start, one by one": [("issues_update", {"id": id, **started}) for id in ids[:10]],
        "start, at once": [("issues_update_batch", {"updates": [{"id": id, **started} for id in ids[10:]]})],
        "read, one by one": [("issues_get", {"id": id, "fields": list(doing)}) for id in ids[:10]],
        "read, at once": [("issues_get_batch", {"ids": ids[10:], "fields": list(doing)})],
    }
    return {name: (len(calls), await _spent(client, calls)) for name, calls in work.items()}


async def _spent(client: TestClient, calls: list[tuple[str, dict[str, Any]]]) -> int:
    tokens = 0
    for tool, arguments in calls:
        reply = await client.call(tool, **arguments)
        if reply.failed or "Failed:" in reply.text:
            raise RuntimeError(reply.text)
        tokens += structured_tokens({"name": tool, "arguments": arguments}) + reply.tokens
    return tokens


def structured_tokens(structured: Any) -> int:
    """Count structured content as hosts show it to a model: compact JSON."""
    return count_tokens(json.dumps(structured, ensure_ascii=False, separators=(",", ":")))
