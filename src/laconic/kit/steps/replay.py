"""The same call with the same key runs once; a repetition gets the first answer."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final

from laconic.kit.cursors import canonical
from laconic.kit.declaring.reserved import key_name
from laconic.kit.effects import recorded
from laconic.kit.errors import BadArguments, NeedsConfirm, Problem
from laconic.kit.errors.words import show
from laconic.kit.keeping.frozen import packed, unpacked
from laconic.kit.keeping.keys import KeyRecord, digests
from laconic.kit.keeping.unsettled import Unsettled
from laconic.kit.pipeline import Answer, Call, Inner, Step, only_for
from laconic.stores.keyvalue import KeyValue

if TYPE_CHECKING:
    from laconic.kit.arguments.checked import Checked

_LONGEST: Final = 255  # characters of a key
_NOT_REMEMBERED: Final = "A repetition of this call would not be noticed."


def replay(
    state: KeyValue, deadline: float, *, repeats: float | None = None, now: Callable[[], float] = time.time
) -> Step:
    """Run a call with a key once; with `repeats`, ask about an equal call within so many seconds."""
    unsettled = Unsettled()

    @only_for(lambda spec: bool(spec.replays))
    def step(call: Call, inner: Inner) -> Awaitable[Answer]:
        checked = call.checked
        if checked is None or (checked.key is None and repeats is None):
            return inner(call)
        return once(call, inner, checked)

    async def once(call: Call, inner: Inner, checked: Checked) -> Answer:
        if repeats is not None and not checked.again:
            await _question(state, call, now())
        if checked.key is None:
            return await _remembered(state, call, repeats, now(), await inner(call))
        if len(checked.key) > _LONGEST:
            raise BadArguments(
                [
                    Problem(
                        key_name(call.spec),
                        f"Invalid key {show(checked.key)}. Expected: at most {_LONGEST} characters.",
                    )
                ]
            )
        kept = KeyRecord(state, unsettled, call, checked.key, call.spec.deadline or deadline, now)
        answer = await kept.first_answer()
        if answer is None:
            answer = await kept.run(inner)
            return await _remembered(state, call, repeats, now(), answer)
        return answer

    return step


async def _question(state: KeyValue, call: Call, now: float) -> None:
    raw = await state.get(_recent(call))
    if raw is None:
        return
    first = unpacked(raw)
    ago = max(1, round(now - first["at"]))
    raise NeedsConfirm(
        f"You made the same call {ago} s ago, and it was done: {first['answer']} Do you want a second one?",
        field="again",
        advice="Pass again: true if so; otherwise continue with the first.",
    )


async def _remembered(
    state: KeyValue, call: Call, repeats: float | None, now: float, answer: Answer
) -> Answer:
    if repeats is not None and answer.failure is None:
        short = " ".join(answer.text.split())[:120]
        kept = packed({"at": now, "answer": f"“{short}”."})
        await recorded(call, state.put(_recent(call), kept, repeats), _NOT_REMEMBERED)
    return answer


def _recent(call: Call) -> str:
    raw = f"{call.scope}\n".encode() + canonical(digests(call))
    return "recent:" + hashlib.blake2b(raw, digest_size=16).hexdigest()
