"""Handles: long texts kept whole, to be read in slices."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from laconic import text as texts
from laconic.data import dataclass
from laconic.kit.errors import Conflict, NotFound
from laconic.kit.keeping.frozen import packed, unpacked
from laconic.stores.errors import StoreError
from laconic.stores.keyvalue import KeyValue

if TYPE_CHECKING:
    from laconic.text import Kind

__all__ = ["SCHEME", "TOOL", "Handles", "Whole", "shown_of", "way_to_read"]

TOOL: Final = "read_on"  # the tool that reads them
SCHEME: Final = "kept"  # of their addresses
KEPT: Final = 30 * 60.0
_LETTERS: Final = "23456789abcdefghjkmnpqrstuvwxyz"  # without look-alikes


def way_to_read(tool: str, handle: str | None, *ways: str) -> str:
    """Return how to read a kept text with this tool, the best way first; without a handle: one of several."""
    first, last = ways[:-1], ways[-1]
    which = f"handle='{handle}'" if handle else "one of these handles"
    return f"{tool} with {which} and {' or '.join([*filter(None, [', '.join(first)]), last])}"


def shown_of(end: int, body: str, seconds: float, name: str = "") -> str:
    """Return the line that says how much of a text is shown, and how long the whole is kept."""
    of = f"{name}: " if name else ""
    return (
        f"[{of}{end:,} of {len(body):,} characters shown, ~{texts.estimate_tokens(body):,} tokens "
        f"in all; the whole is kept for {seconds / 60:g} minutes.]"
    )


@dataclass(frozen=True)
class Whole:
    """A kept text, and the tool it came from."""

    text: str
    tool: str
    kind: Kind


class Handles:
    """Keeps texts for their callers for a while, in a store of bounded size."""

    def __init__(
        self, store: KeyValue, *, seconds: float = KEPT, now: Callable[[], float] = time.time
    ) -> None:
        self._store = store
        self.seconds = seconds
        self._now = now
        self._untouched: dict[str, float] = {}  # changed subjects that the store could not be told about

    async def keep(
        self,
        caller: str,
        text: str,
        *,
        tool: str,
        subject: str | None,
        began: float,
        kind: Kind | None = None,
    ) -> str:
        """Keep a text and return its handle; `began` is when the call that produced it started."""
        handle = "".join(secrets.choice(_LETTERS) for _ in range(16))
        kind = kind or texts.kind_of(text)
        about = {"text": text, "kind": kind, "tool": tool, "subject": subject, "at": began}
        await self._store.put(_name(caller, handle), packed(about), self.seconds)
        return handle

    async def open(self, caller: str, handle: str) -> Whole:
        """Return a kept text.

        Raises:
            NotFound: it has expired, or belongs to another caller.
            Conflict: its subject was changed since.
        """
        name = _name(caller, handle)
        raw = await self._store.get(name)
        if raw is None:
            raise NotFound(
                "Kept text",
                handle,
                advice=f"It has expired (after {self.seconds / 60:g} minutes) or belongs to another caller: "
                "call the tool that gave the handle again.",
            )
        about = unpacked(raw)
        await self._check(name, about)
        return Whole(about["text"], about["tool"], about["kind"])

    async def _check(self, name: str, about: dict[str, Any]) -> None:
        if about["subject"] is None:
            return
        if await self._changed_at(about["subject"]) >= about["at"]:
            with suppress(StoreError):  # it is refused in any case
                await self._store.delete(name)
            raise Conflict(
                "What this handle shows was changed since it was kept.",
                code="RESOURCE_LOCKED",
                advice=f"Call {about['tool']} again for the present text.",
            )

    async def _changed_at(self, subject: str) -> float:
        raw = await self._store.get(_touched(subject))
        recorded = unpacked(raw)["at"] if raw is not None else float("-inf")
        return max(recorded, self._untouched.get(subject, recorded))

    def now(self) -> float:
        """Return the time."""
        return self._now()

    async def touch(self, subject: str) -> None:
        """Record that a subject was changed: texts kept about it are out of date."""
        at = self._now()
        try:
            await self._store.put(_touched(subject), packed({"at": at}), self.seconds + 60)
        except BaseException:
            known = self._untouched | {subject: at}
            self._untouched = {key: when for key, when in known.items() if when > at - self.seconds}
            raise


def _name(caller: str, handle: str) -> str:
    return f"handle:{hashlib.blake2b(caller.encode(), digest_size=8).hexdigest()}:{handle}"


def _touched(subject: str) -> str:
    return f"touched:{subject}"
