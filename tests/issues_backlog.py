"""A workspace as agents leave it, always the same: 252 files with long titles, some with the same id."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice, product
from pathlib import Path
from random import Random
from typing import Final

__all__ = ["FILES", "fill_backlog"]

FILES: Final = 252
_FIRST_DAY: Final = date(2025, 10, 6)
_DOING: Final = (
    *("Update", "Replace", "Move", "Validate", "Document", "Simplify", "Cover", "Instrument"),
    *("Rework", "Extract", "Harden", "Paginate"),
)
_THINGS: Final = (
    "computed aggregations in the reporting cache",
    "retry handling of the nightly import",
    "step results shared between workflow phases",
    "session audit entries after a failed resume",
    "permission checks for archived workspaces",
    "schema migrations that run at start-up",
    "webhook delivery when the queue is full",
    "the dependency graph in the planning view",
    "error messages of the provisioning command",
    "search results that span several projects",
    "feature flags read before configuration is loaded",
    "timeouts in the document conversion service",
    "rate limits per tenant in the public API",
    "fixtures of the integration test suite",
    "token counting for long specifications",
    "the export of closed items to spreadsheets",
)
_LABELS: Final = (
    *("workflow-engine", "reporting", "import", "api", "planning-view", "sessions", "search", "infra"),
    *("permissions", "exports"),
)
_KINDS: Final = ("auto-created", "tech-debt", "bug", "enhancement")
_STATES: Final = (
    *("closed", "closed", "cancelled", "open", "open", "closed", "mixed", "open"),
    *("closed", "mixed"),
)
_PREFIXES: Final = {"issue": "ISS", "specification": "SPEC", "idea": "IDEA"}
_FOLDERS: Final = {"issue": "issues", "specification": "specifications", "idea": "ideas"}
_MERGED: Final = range(162, 181)  # numbers that two branches assigned before they were merged


@dataclass(frozen=True)
class _Plan:
    """What an agent created in one go: its items have the day and the labels in common."""

    made: date
    labels: tuple[str, ...]
    state: str
    ended: date
    count: int


def fill_backlog(root: Path) -> None:
    """Write the workspace."""
    random = Random(7)
    titles = [f"{doing} {thing}" for doing, thing in product(_DOING, _THINGS)]
    random.shuffle(titles)
    names = iter(titles * 2)
    numbers = dict.fromkeys(_PREFIXES, 0)
    items = ((plan, place) for plan in _plans(random) for place in range(plan.count))
    for plan, place in islice(items, FILES):
        kind = _kind(random, place)
        _write(root, random, plan, kind, _next_number(numbers, kind), next(names))


def _plans(random: Random) -> Iterator[_Plan]:
    day = _FIRST_DAY
    while True:
        labels = (random.choice(_LABELS), random.choice(_KINDS), f"plan-{day:%m%d}")
        ended = day + timedelta(days=random.randint(1, 9))
        yield _Plan(day, labels, random.choice(_STATES), ended, random.randint(2, 9))
        day += timedelta(days=random.randint(1, 5))


def _kind(random: Random, place: int) -> str:
    if place == 0:
        return random.choice(("specification", "specification", "issue"))
    return "idea" if random.random() < 0.07 else "issue"


def _next_number(numbers: dict[str, int], kind: str) -> int:
    """Return the next number of a kind; the last issues repeat numbers that a merged branch assigned too."""
    numbers[kind] += 1
    repeated = numbers[kind] - _MERGED.stop + _MERGED.start
    return repeated if kind == "issue" and numbers[kind] >= _MERGED.stop else numbers[kind]


def _write(root: Path, random: Random, plan: _Plan, kind: str, number: int, title: str) -> None:
    status = random.choice(("open", "in_progress", "closed")) if plan.state == "mixed" else plan.state
    is_done = status in ("closed", "cancelled")
    is_alone = random.random() < 0.08  # touched by itself, not with its plan
    updated = plan.ended + timedelta(days=random.randint(1, 20)) if is_alone else plan.ended
    updated = updated if is_done or is_alone or status == "in_progress" else plan.made
    labels = plan.labels if random.random() < 0.85 else plan.labels[:2]
    lines = [
        *("---", f'id: "{number:06d}"', f"title: {title}", f"type: {kind}", f"status: {status}"),
        f"priority: {random.choice(('low', 'medium', 'medium', 'high'))}",
        *("labels:", *(f"  - {label}" for label in labels)),
        *(f"createdAt: '{plan.made}T09:00:00.000Z'", f"updatedAt: '{updated}T17:30:00.000Z'"),
        *([f"assignee: agent-{random.randint(1, 4)}"] if status == "in_progress" else []),
        *("---", f"{title}.", ""),
    ]
    folder = root / ".wrangler" / _FOLDERS[kind] / ("archived" if is_done else "")
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{_PREFIXES[kind]}-{number:06d}-{'-'.join(title.lower().split())[:50]}.md"
    (folder / name).write_text("\n".join(lines), encoding="utf-8")
