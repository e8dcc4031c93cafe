"""The same call with the same key runs once; a repetition gets the first answer.

The record of a call is written before its effect. After anything that may happen then, even a crash, a later
call with the key finds the answer, or a record that it is not known whether the call took effect.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from laconic.kit.cursors import canonical
from laconic.kit.errors import BadArguments, Conflict, Failure, NeedsConfirm, Problem, show
from laconic.kit.keeping.frozen import frozen, packed, thawed, unpacked
from laconic.kit.peer import AskLater, NotSupported
from laconic.kit.pipeline import Answer, Call, Inner, Step
from laconic.stores.keyvalue import KeyValue

KEPT: Final = 24 * 3600.0
_GRACE: Final = 5.0  # seconds after its deadline until the record of a call counts as abandoned
_LONGEST: Final = 255  # characters of a key
_PATIENCE: Final = 0.5  # of the deadline: how long a second call waits for the first
_POLL: Final = 0.05


def replay(
    state: KeyValue, deadline: float, *, repeats: float | None = None, now: Callable[[], float] = time.time
) -> Step:
    """Run a call with a key once; with `repeats`, ask about an equal call within so many seconds."""

    async def step(call: Call, inner: Inner) -> Answer:
        checked = call.checked
        if checked is None or not call.spec.replays:
            return await inner(call)
        if repeats is not None and not checked.again:
            await _question(state, call, repeats, now())
        if checked.key is None:
            return await _remembered(state, call, repeats, now(), await inner(call))
        if len(checked.key) > _LONGEST:
            raise BadArguments(
                [
                    Problem(
                        "idempotencyKey",
                        f"Invalid key {show(checked.key)}. Expected: at most {_LONGEST} characters.",
                    )
                ]
            )
        kept = _KeyRecord(state, call, checked.key, call.spec.deadline or deadline, now)
        answer = await kept.first_answer()
        if answer is None:
            answer = await kept.run(inner)
            return await _remembered(state, call, repeats, now(), answer)
        return answer

    return step


class _KeyRecord:
    """The record of one key of a caller and tool."""

    def __init__(
        self, state: KeyValue, call: Call, key: str, deadline: float, now: Callable[[], float]
    ) -> None:
        self._state = state
        self._call = call
        self._key = key
        self._now = now
        self._name = "replay:" + hashlib.blake2b(f"{call.scope}\n{key}".encode(), digest_size=16).hexdigest()
        self._arguments = _digests(call)
        self._patience = deadline * _PATIENCE
        self._mine = {
            "state": "running",
            "fence": secrets.token_hex(8),  # distinguishes our record from a later one
            "until": now() + deadline + _GRACE,
            "arguments": self._arguments,
        }

    async def first_answer(self) -> Answer | None:
        """Claim the key and return None, or return the answer of the call that claimed it before.

        Raises:
            Conflict: the key was used for other arguments, or the first call's outcome is not known.
        """
        began = time.monotonic()
        while not await self._state.put_new(self._name, packed(self._mine), KEPT):
            raw = await self._state.get(self._name)
            if raw is None:
                continue  # that call failed without an effect: the key is free again
            record = unpacked(raw)
            self._compare(record["arguments"])
            if record["state"] == "done":
                return _again(record)
            if record["state"] == "unknown" or record["until"] < self._now():
                raise self._unknown()
            if time.monotonic() - began > self._patience:
                raise self._running()
            await asyncio.sleep(_POLL)
        return None

    async def run(self, inner: Inner) -> Answer:
        """Run the call, and keep its outcome."""
        try:
            answer = await inner(self._call)
        except Failure as failure:
            if failure.changed is False:
                await self._state.delete(self._name)  # no effect: the key may be used again
            else:
                await self._finish({"state": "unknown", "arguments": self._arguments})
            raise
        except (AskLater, NotSupported):
            await self._state.delete(
                self._name
            )  # a question has no effect: the client calls again with the reply
            raise
        except BaseException:
            # cancelled, or a bug: shielded, because we may be cancelled again
            await asyncio.shield(self._finish({"state": "unknown", "arguments": self._arguments}))
            raise
        done = {"state": "done", "at": self._now(), "arguments": self._arguments, "answer": frozen(answer)}
        await asyncio.shield(self._finish(done))
        return answer

    async def _finish(self, record: dict[str, Any]) -> None:
        await self._state.replace(self._name, packed(self._mine), packed(record), KEPT)

    def _compare(self, before: Mapping[str, Any]) -> None:
        now = self._arguments
        other = [name for name in sorted({*before, *now}) if before.get(name) != now.get(name)]
        if other:
            first = other[0]
            was, given = before.get(first, "left out"), now.get(first, "left out")
            raise Conflict(
                f"The key {show(self._key)} was used for another call: {', '.join(other)} differs "
                f"({first} was {was}, now {given}).",
                field="idempotencyKey",
                given=self._key,
                advice="Repeat the first call unchanged, or use a new key for a new call.",
            )

    def _running(self) -> Conflict:
        return Conflict(
            f"A call with the key {show(self._key)} is still in progress.",
            code="RESOURCE_LOCKED",
            field="idempotencyKey",
            given=self._key,
            retry_after=max(1.0, round(self._patience)),
            advice="Send the same call again then to get its answer.",
        )

    def _unknown(self) -> Conflict:
        finder = self._call.spec.finder
        check = f"Check with {finder}" if finder else "Check"
        return Conflict(
            f"A call with the key {show(self._key)} was interrupted; it is not known whether it took effect.",
            code="RESOURCE_LOCKED",
            field="idempotencyKey",
            given=self._key,
            advice=f"{check} whether it did; if not, repeat it with a new key.",
            changed=None,
        )


def _digests(call: Call) -> dict[str, str]:
    """Return the arguments, each as a short text that differs when the value does, with a digest."""
    assert call.checked is not None
    found: dict[str, str] = {}
    for name, value in call.checked.wire.items():
        raw = canonical({"": value})
        short = show(value)
        found[name] = f"{short} #{hashlib.blake2b(raw, digest_size=6).hexdigest()}"
    return found


def _again(record: dict[str, Any]) -> Answer:
    answer = thawed(record["answer"])
    answer.note(["Already done; this is the first answer again."])
    return answer


async def _question(state: KeyValue, call: Call, repeats: float, now: float) -> None:
    raw = await state.get(_recent(call))
    if raw is None:
        return
    first = unpacked(raw)
    ago = max(1, round(now - first["at"]))
    raise NeedsConfirm(
        f"You made the same call {ago} s ago, and it was done: {first['answer']} Do you want a second one?",
        field="again",
        advice="Pass again: true if so; otherwise continue with the first.",
        changed=False,
    )


async def _remembered(
    state: KeyValue, call: Call, repeats: float | None, now: float, answer: Answer
) -> Answer:
    if repeats is not None and answer.failure is None:
        short = " ".join(answer.text.split())[:120]
        await state.put(_recent(call), packed({"at": now, "answer": f"“{short}”."}), repeats)
    return answer


def _recent(call: Call) -> str:
    raw = f"{call.scope}\n".encode() + canonical(_digests(call))
    return "recent:" + hashlib.blake2b(raw, digest_size=16).hexdigest()
