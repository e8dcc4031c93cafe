"""Effects: whether a call changed something, and book-keeping that cannot undo what was done."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING

from laconic.kit import running
from laconic.kit.errors import Failure
from laconic.kit.redaction import redacted_log
from laconic.kit.translation import failure_of
from laconic.stores import errors as stores

if TYPE_CHECKING:
    from laconic.kit.pipeline import Call

__all__ = ["changed_by", "recorded"]

log = redacted_log("laconic.state")


def changed_by(call: Call, error: BaseException) -> bool | None:
    """Return whether a call that failed changed something; None if that is not known.

    In a write, "nothing" has to be asserted: by its author, by the kind of a failure before any effect that
    the kit can see, or because its function was never started.
    """
    is_of_group = running.is_of_group(error)  # what it asserts, it asserts for its own task
    if isinstance(error, Failure) and error.says_changed and not is_of_group:
        return error.changed
    if not call.spec.writes or not call.started:
        return False
    if is_of_group:
        return True if isinstance(error, Failure) and error.changed else None
    if call.returned or call.effects.any:
        return None  # the function did its work, or a part of it
    return False if failure_of(error).harmless else None


async def recorded(call: Call, work: Awaitable[object], missing: str = "") -> None:
    """Do book-keeping; if it fails, the outcome of the call stays, and a note tells what is `missing`."""
    try:
        await work
    except Exception as error:
        is_down = isinstance(error, stores.StoreError)
        log.warning("%s: not recorded: %s", call.spec.name, error, exc_info=None if is_down else error)
        if missing:
            call.notes.append(missing)
