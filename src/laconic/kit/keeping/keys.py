"""Keys: the record of a call under its idempotency key, who runs the call, and how it ended.

The record is written before the effect. Whatever happens then, a later call with the key finds the answer, or
learns that it is not known whether the first one took effect.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from laconic.kit.cursors import canonical
from laconic.kit.declaring.reserved import key_name
from laconic.kit.effects import changed_by, recorded
from laconic.kit.errors import Conflict
from laconic.kit.errors.words import show
from laconic.kit.keeping.frozen import frozen, packed, thawed, unpacked
from laconic.kit.keeping.processes import is_gone, this_process
from laconic.kit.keeping.signs import SILENT, SignsOfLife, is_alive
from laconic.kit.keeping.unsettled import Unsettled
from laconic.kit.peer import AskLater, NotSupported
from laconic.kit.pipeline import Answer, Call, Inner
from laconic.kit.redaction import secrets_in
from laconic.stores.errors import StoreError
from laconic.stores.keyvalue import KeyValue

__all__ = ["KeyRecord", "digests"]

KEPT: Final = 24 * 3600.0
_GRACE: Final = 5.0  # seconds after its deadline until the record of a call counts as abandoned
_PATIENCE: Final = 0.5  # of the deadline: how long a second call waits for the first
_POLL: Final = 0.05
_WATCHED: Final = 6.0  # seconds that somebody who waits looks for such a sign at least
_NOT_RECORDED: Final = "The key could not be recorded: repeat this call only after checking."
_RUNNING: Final[set[str]] = set()  # the fences of the calls that run in this process


class KeyRecord:
    """The record of one key of a caller and tool."""

    def __init__(
        self,
        state: KeyValue,
        unsettled: Unsettled,
        call: Call,
        key: str,
        deadline: float,
        now: Callable[[], float],
    ) -> None:
        self._state = state
        self._unsettled = unsettled
        self._call = call
        self._key = key
        self._now = now
        self._name = "replay:" + hashlib.blake2b(f"{call.scope}\n{key}".encode(), digest_size=16).hexdigest()
        self._arguments = digests(call, key)
        self._patience = deadline * _PATIENCE
        self._fence = secrets.token_hex(8)  # distinguishes our record from a later one
        self._mine = packed(
            {
                "state": "running",
                "fence": self._fence,
                "at": now(),
                "until": now() + deadline + _GRACE,
                "by": this_process(),
                "arguments": self._arguments,
            }
        )
        self._unknown = packed({"state": "unknown", "arguments": self._arguments})

    async def first_answer(self) -> Answer | None:
        """Claim the key and return None, or return the answer of the call that claimed it before.

        Raises:
            Conflict: the key was used for other arguments, or the first call's outcome is not known.
        """
        _RUNNING.add(self._fence)
        answer: Answer | None = None
        is_ours = False
        try:
            answer = await self._claimed()
            is_ours = answer is None
            return answer
        except (StoreError, asyncio.CancelledError):
            self._remember(None)  # perhaps it was written: then nobody runs it
            raise
        finally:
            if not is_ours:
                _RUNNING.discard(self._fence)

    async def _claimed(self) -> Answer | None:
        if await self._settled():
            return None
        began = time.monotonic()
        while not await self._state.put_new(self._name, self._mine, KEPT):
            raw = await self._state.get(self._name)
            if raw is None:
                continue  # that call failed without an effect: the key is free again
            record = unpacked(raw)
            self._compare(record["arguments"])
            if record["state"] == "done":
                return _again(record)
            watched = time.monotonic() - began
            if record["state"] == "unknown" or await self._is_over(record, watched):
                if await self._state.get(self._name) != raw:
                    continue  # it was finished while we looked
                raise self._interrupted()
            if watched > self._patience:
                raise self._in_progress()
            await asyncio.sleep(_POLL)
        return None

    async def _settled(self) -> bool:
        """Write what an earlier call could not; True if that call had no effect and the key is ours now."""
        left = self._unsettled.get(self._name)
        if left is None:
            return False
        present, wanted = left
        if wanted is None:
            is_ours = await self._state.replace(self._name, present, self._mine, KEPT)
            self._unsettled.drop(self._name)
            return is_ours
        try:
            await self._write(present, wanted)
        except StoreError:
            self._compare(unpacked(wanted)["arguments"])
            raise self._interrupted() from None
        self._unsettled.drop(self._name)
        return False

    async def _is_over(self, record: Mapping[str, Any], watched: float) -> bool:
        """True if the call of a running record cannot be running any more."""
        is_late = bool(record["until"] < self._now())
        by = record.get("by")
        if by is None:
            return is_late  # written by 0.1.0, which did not say
        if by == this_process():
            return record["fence"] not in _RUNNING
        if is_gone(by):
            return True
        if not is_late and (watched < _WATCHED or self._now() - record["at"] < SILENT):
            return False
        return not await is_alive(self._state, record["fence"])

    async def run(self, inner: Inner) -> Answer:
        """Run the call, and keep its outcome."""
        try:
            async with SignsOfLife(self._state, self._fence):
                answer = await inner(self._call)
        except BaseException as error:
            # a question has no effect: the client calls again with the reply
            is_free = isinstance(error, AskLater | NotSupported) or changed_by(self._call, error) is False
            await recorded(self._call, self._finish(None if is_free else lambda: self._unknown))
            raise
        done = {"state": "done", "arguments": self._arguments}
        await recorded(
            self._call,
            self._finish(lambda: packed(done | {"at": self._now(), "answer": frozen(answer)})),
            _NOT_RECORDED,
        )
        return answer

    async def _finish(self, outcome: Callable[[], bytes] | None) -> None:
        """Replace our record by the outcome, or delete it; shielded, because we may be cancelled again."""
        ending = asyncio.ensure_future(self._record(outcome))
        ending.add_done_callback(_retrieve)
        await asyncio.shield(ending)

    async def _record(self, outcome: Callable[[], bytes] | None) -> None:
        try:
            if outcome is not None:
                await self._write(self._mine, outcome())
            elif await self._state.get(self._name) == self._mine:
                await self._state.delete(self._name)
        except BaseException:
            self._remember(None if outcome is None else self._unknown)
            raise
        finally:
            _RUNNING.discard(self._fence)

    async def _write(self, present: bytes, wanted: bytes) -> None:
        """Replace a record, or write it again if the store has lost it."""
        if await self._state.replace(self._name, present, wanted, KEPT):
            return
        if await self._state.put_new(self._name, wanted, KEPT):
            return
        if await self._state.get(self._name) != wanted:
            raise StoreError("The key belongs to another call now.")

    def _remember(self, wanted: bytes | None) -> None:
        """Remember what should be in the store, which may not have it."""
        self._unsettled.add(self._name, self._mine, wanted)

    def _compare(self, before: Mapping[str, Any]) -> None:
        now = self._arguments
        other = [name for name in sorted({*before, *now}) if before.get(name) != now.get(name)]
        if other:
            first = other[0]
            was, given = _told_apart(before.get(first, "left out"), now.get(first, "left out"))
            raise Conflict(
                f"The key {show(self._key)} was used for another call: {', '.join(other)} differs "
                f"({first} was {was}, now {given}).",
                field=key_name(self._call.spec),
                given=self._key,
                advice="Repeat the first call unchanged, or use a new key for a new call.",
            )

    def _in_progress(self) -> Conflict:
        return Conflict(
            f"A call with the key {show(self._key)} is still in progress.",
            code="RESOURCE_LOCKED",
            field=key_name(self._call.spec),
            given=self._key,
            retry_after=max(1.0, round(self._patience)),
            advice="Send the same call again then to get its answer.",
        )

    def _interrupted(self) -> Conflict:
        finder = self._call.spec.finder
        check = f"Check with {finder}" if finder else "Check"
        return Conflict(
            f"A call with the key {show(self._key)} was interrupted; it is not known whether it took effect.",
            code="RESOURCE_LOCKED",
            field=key_name(self._call.spec),
            given=self._key,
            advice=f"{check} whether it did; if not, repeat it with a new key.",
            changed=None,
        )


def _retrieve(ending: asyncio.Future[None]) -> None:
    """Retrieve an exception that nobody awaits after a cancel: asyncio would log it otherwise."""
    if not ending.cancelled():
        ending.exception()


def digests(call: Call, salt: str = "") -> dict[str, str]:
    """Return the arguments, each as a short text that differs when the value does, with a digest.

    The digest of a secret depends on the salt, so that nobody who reads the store can try values.
    """
    assert call.checked is not None
    found: dict[str, str] = {}
    for name, value in call.checked.wire.items():
        raw = canonical({"": value}) + _of_secrets(value, f"{call.scope}\n{salt}")
        short = show(value)
        found[name] = f"{short} #{hashlib.blake2b(raw, digest_size=6).hexdigest()}"
    return found


def _of_secrets(value: Any, salt: str) -> bytes:
    """Return bytes that differ when secrets do, which all look alike when printed; none for other values."""
    secret = secrets_in(value)
    if not secret:
        return b""
    return hmac.digest(salt.encode(errors="surrogatepass"), canonical({"": secret}), "sha256")


def _told_apart(one: str, other: str) -> tuple[str, str]:
    """Return two of `digests`, without the digests if the short texts differ."""
    short, other_short = (text.rpartition(" #")[0] or text for text in (one, other))
    return (one, other) if short == other_short else (short, other_short)


def _again(record: dict[str, Any]) -> Answer:
    answer = thawed(record["answer"])
    answer.note(["Already done; this is the first answer again."])
    return answer
