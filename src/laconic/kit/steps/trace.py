"""One line in the log for each call: name, outcome, time, tokens, trace id."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from laconic.kit.peer import AskLater, NotSupported
from laconic.kit.pipeline import Answer, Call, Inner, Step
from laconic.kit.redaction import redacted_log
from laconic.text import estimate_tokens

if TYPE_CHECKING:
    from laconic.kit.declaring.spec import Spec

log = redacted_log("laconic.call")


def trace(line_of: Callable[[Spec], str] = lambda spec: "") -> Step:
    """Log every call with its outcome; `line_of` is the form of a toolset that has its own."""

    def step(call: Call, inner: Inner) -> Awaitable[Answer]:
        return logged(call, inner) if log.isEnabledFor(logging.INFO) else inner(call)

    async def logged(call: Call, inner: Inner) -> Answer:
        began = time.perf_counter()
        outcome, tokens, is_ours = "cancelled", 0, not call.relays
        try:
            answer = await inner(call)
            outcome = answer.failure.code if answer.failure else "success"
            tokens = estimate_tokens(answer.text)
            is_ours = is_ours or _failed_here(call, answer)
            return answer
        except (AskLater, NotSupported) as end:
            outcome = end.outcome
            raise
        finally:
            if is_ours:
                took = (time.perf_counter() - began) * 1000
                facts = {"tool": call.name, "outcome": outcome, "ms": round(took, 1), "tokens": tokens}
                facts["trace"] = call.trace[:8]
                _write(facts, line_of(call.spec))

    return step


def _write(facts: dict[str, Any], form: str) -> None:
    if not form:
        log.info("%s %s %.1f ms ~%d tokens %s", *facts.values(), extra={"facts": facts})
        return
    success = "success" if facts["outcome"] == "success" else "failure"
    line = form.format_map({**facts, "success": success, "ms": f"{facts['ms']:.0f}"})
    log.info("%s", line, extra={"facts": {**facts, "message": line}})


def _failed_here(call: Call, answer: Answer) -> bool:
    """True if a call that relays another failed itself: the other call has its own line."""
    return bool(answer.meta.get("laconic/error", {}).get("trace") == call.trace)
