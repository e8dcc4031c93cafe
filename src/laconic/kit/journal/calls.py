"""The journal of calls: who called what in which work tree, what it changed, and how it went; never texts."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date
from enum import Enum
from functools import lru_cache
from math import isfinite
from pathlib import Path
from typing import Any, Final, Protocol

from laconic.effects import Change
from laconic.kit.compact import compact
from laconic.kit.journal.pulse import Job, pulse
from laconic.kit.redaction import redacted_log, secret_count, without_secrets
from laconic.stores.errors import StoreDown
from laconic.stores.journal.writing import Journal
from laconic.stores.locks import git_head, git_top
from laconic.stores.smallfile import beginning_of

__all__ = ["CallJournal", "CallRecord"]

log = redacted_log("laconic.journal")

LONGEST: Final = 4_000  # bytes of a record
_GATHERED: Final = 16  # records that wait for others at most
_HEAD: Final = 1_000  # bytes of the file that names the branch
_BRANCH: Final = 200  # characters
_VALUE: Final = 64  # characters: a longer value is a text
_NAME: Final = 200  # characters of a name that are looked at
_ID: Final = 128  # characters: half an id would be another one
_SHORT: Final = 500  # characters of ids that there is always room for
_NUMBER: Final = 10**18
_ITEMS: Final = 10  # of a list
_DEEPEST: Final = 4  # lists inside one another
_KNOWN: Final = 512  # kinds of calls whose words are kept
_SPARE: Final = 50  # bytes for the keys around ids and changes


class _Tool(Protocol):
    """What a record tells of a tool."""

    @property
    def name(self) -> str: ...
    @property
    def effect(self) -> Enum: ...


CallRecord = tuple[
    float,  # when it began, by `perf_counter`
    _Tool,
    str,  # the outcome
    float,  # milliseconds
    int,  # tokens of the arguments, estimated
    int,  # tokens of the answer, estimated
    str,  # the client
    str,  # the caller
    tuple[object, ...],  # the ids
    Mapping[str, Mapping[str, Change]] | None,  # what changed, by id and field
]
"""One call, as it was seen; a plain tuple, since every call makes one."""

Seen = tuple[Any, ...]
"""What makes a record when it is written: a function that returns one, and its arguments."""


class CallJournal:
    """Writes the calls of one process into a journal that others share.

    No answer waits for it: what may have changed something is written at a quick beat of the pulse, reads at
    the next one, all that have come meanwhile in one write.
    """

    def __init__(self, journal: Journal, workspace: Path, *, reads: bool = True, run: str = "") -> None:
        self.store: Final = journal
        self.reads: Final = reads  # whether calls that change nothing are recorded
        self.run: Final = run or os.urandom(4).hex()  # of this process: a process number may be used again
        self.passed_on: Callable[[str], None] | None = None  # gets the records of what may have changed
        self._waiting: list[Seen | str] = []
        self._job: Job | None = None
        self._is_full = False
        self._is_failing = False
        self._tree = str(git_top(workspace) or workspace)
        head = git_head(workspace)
        self._head = str(head) if head else ""
        self._stamp: tuple[int, ...] | None = None
        self._where = self._process = f'"pid":{os.getpid()},"run":"{self.run}"'

    def add(self, seen: Seen, *, soon: bool) -> None:
        """Record a call, together with others; its record is made when it is written. Never fails."""
        self._waiting.append(seen)
        if self._job is None:
            self._begin()
        if soon:
            pulse.hurry()
        if len(self._waiting) >= _GATHERED and not self._is_full:
            self._is_full = True
            asyncio.get_running_loop().call_soon(self.flush)  # as soon as the answer is sent

    def tell(self, **facts: Any) -> None:
        """Record something that is no call, such as a change notice."""
        shown = {
            name: without_secrets(fact) if isinstance(fact, str) else fact for name, fact in facts.items()
        }
        line = f'{{"at":{time.time():.3f},{self._process},{compact(shown)[1:-1]}}}'
        if len(line.encode("utf-8", "replace")) > LONGEST:  # half an address would be another one
            log.warning("A change notice is too long to be recorded.")
            return
        self._waiting.append(line)
        if self._job is None:
            self._begin()
        pulse.hurry()

    def _begin(self) -> None:
        self._job = Job(lambda: bool(self._waiting), self.flush)
        pulse.add(self._job)

    def flush(self) -> None:
        """Write what waits; if that fails, it is lost, and the log has one warning."""
        self._is_full = False
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        problem = self._write(waiting)
        if problem and not self._is_failing:
            log.warning("%s Calls go on without a record.", problem)
        self._is_failing = bool(problem)

    def _write(self, waiting: list[Seen | str]) -> str:
        """Write all that can be written; returns what went wrong."""
        lines, problem = [], ""
        where, since = self._place(), time.time() - time.perf_counter()
        for one in waiting:
            try:
                lines.append(one if isinstance(one, str) else self._made(one, where, since))
            except Exception as error:  # a value of the author's; the other records are written
                problem = f"A call cannot be recorded: {type(error).__name__}."
        try:
            self.store.append(lines)
        except StoreDown as error:
            problem = str(error)
        return problem

    def _made(self, seen: Seen, where: str, since: float) -> str:
        record: CallRecord = seen[0](*seen[1:])
        line = _line(record, where, since)
        if self.passed_on is not None and record[1].effect.value != "read":
            self.passed_on(line)
        return line

    def close(self) -> None:
        """Write what waits, and close the file."""
        self.flush()
        if self._job is not None:
            pulse.remove(self._job)
            self._job = None
        self.store.close()

    def _place(self) -> str:
        """Return process, work tree and branch as JSON; the branch is read again when its file changed."""
        stamp = (0, 0, secret_count())
        if self._head:
            with suppress(OSError):
                found = os.stat(self._head)  # noqa: PTH116  # the path is a string, which is faster
                stamp = (found.st_mtime_ns, found.st_ino, secret_count())
        if stamp != self._stamp:
            self._stamp = stamp
            branch = without_secrets(_branch(self._head) if self._head else "")[:_BRANCH]
            facts = {"tree": self._tree} | ({"branch": branch} if branch else {})
            self._where = f"{self._process},{compact(facts)[1:-1]}"
        return self._where


def _branch(head: str) -> str:
    """Return the name of the branch, or the beginning of the commit if none is checked out."""
    try:
        content = beginning_of(head, _HEAD).decode("utf-8", "replace").strip()
    except OSError:
        return ""
    name = content.removeprefix("ref: refs/heads/")
    return name if name != content else content[:12]


def _line(record: CallRecord, where: str, since: float) -> str:
    """Return a record as one line of JSON, within its bound; `since` is when `perf_counter` was 0."""
    at, tool, outcome, ms, taken, given, client, caller, ids, changes = record
    called = _called(tool, client, caller, outcome)
    head = f'{{"at":{since + at:.3f},{where},{called},"ms":{ms:.1f},"in":{taken},"out":{given}'
    if changes:
        room = LONGEST - len(head.encode("utf-8", "replace")) - _SPARE
        changed = {_id(id): _shown(fields) for id, fields in changes.items()}
        return f"{head},{compact(_fitting(changed, room))[1:-1]}}}"
    if ids:
        listed = tuple([str(id)[:_NAME] for id in ids[:_ITEMS]])
        named = _named(listed, secret_count())
        if len(named) > _SHORT:
            room = LONGEST - len(head.encode("utf-8", "replace")) - _SPARE
            named = compact(_fitting({_id(id): {} for id in listed}, room)["ids"])
        return f'{head},"ids":{named}}}'
    return head + "}"


_known: dict[tuple[str, str, str, str, int], str] = {}


def _called(tool: _Tool, client: str, caller: str, outcome: str) -> str:
    """Return what is the same for many calls as JSON, as long as no further secret is known."""
    key = (tool.name, client, caller, outcome, secret_count())
    found = _known.get(key)
    if found is None:
        who = {"client": _name(client), "caller": _name(caller)}
        facts = {"tool": tool.name, "effect": tool.effect.value, **who, "outcome": _name(outcome)}
        if len(_known) >= _KNOWN:
            _known.clear()
        found = _known[key] = compact({name: value for name, value in facts.items() if value})[1:-1]
    return found


@lru_cache(maxsize=512)
def _named(ids: tuple[str, ...], secrets: int) -> str:
    """Return ids as JSON, as long as no further secret is known; the same are read again and again."""
    return compact([_id(id) for id in ids])


def _fitting(changes: dict[str, dict[str, Any]], room: int) -> dict[str, Any]:
    """Return ids and changes; of a long batch, as many as there is room for."""
    kept: dict[str, dict[str, Any]] = {}
    for id, fields in changes.items():
        room -= len(compact({id: fields}).encode("utf-8", "replace")) + len(id.encode("utf-8", "replace")) + 3
        if room < 0:
            break
        kept[id] = fields
    facts = {"ids": list(kept), "changed": {id: fields for id, fields in kept.items() if fields}}
    left = len(changes) - len(kept)
    return facts | ({"more": left} if left else {})


def _shown(fields: Mapping[str, Change]) -> dict[str, Any]:
    return {_name(name): None if pair is None else _pair(pair) for name, pair in fields.items()}


def _pair(pair: tuple[Any, Any]) -> list[Any] | None:
    """Return both values; None if one of them may be a text."""
    values = [_value(value) for value in pair]
    return None if any(value is _TEXT for value in values) else values


_TEXT: Final = object()


def _value(value: Any, deepest: int = _DEEPEST) -> Any:
    """Return a number, a single word or a list of such; anything else may be somebody's words."""
    if isinstance(value, Enum):
        value = value.value
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, float):
        return value if isfinite(value) else _TEXT  # JSON has no other numbers
    if isinstance(value, int):
        return value if abs(value) < _NUMBER else _TEXT
    if isinstance(value, list | tuple | set | frozenset) and deepest:
        items = [_value(one, deepest - 1) for one in [*value][:_ITEMS]]
        return _TEXT if any(item is _TEXT for item in items) else items
    word = value.isoformat() if isinstance(value, date) else value
    is_word = isinstance(word, str) and len(word) <= _VALUE and word.isprintable() and " " not in word
    return without_secrets(word) if is_word else _TEXT


def _id(value: object) -> str:
    """Return an id without secrets, whole unless it is longer than any should be."""
    return without_secrets(str(value)[:_NAME])[:_ID]


def _name(value: object) -> str:
    """Return the beginning of a name, without secrets."""
    text = str(value)
    return without_secrets(text[:_NAME])[:_VALUE] if text else ""
