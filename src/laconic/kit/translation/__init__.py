"""Translation: errors of stores, of other systems and of texts, as failures that a caller can read.

A server's own web routes use it too, so that one mistake has the same words everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from errno import EACCES, EPERM, EROFS
from typing import TYPE_CHECKING, Any, Final

from laconic.kit.errors import (
    BadArguments,
    Bug,
    Conflict,
    Failure,
    Moved,
    NotFound,
    OutsideWorkspace,
    RateLimited,
    Refused,
    TooLarge,
    UpstreamDown,
)
from laconic.kit.errors.words import clean, show
from laconic.stores import errors as stores

if TYPE_CHECKING:
    from laconic.upstream.errors import UpstreamError

__all__ = ["failure_of"]

_BY_HAND: Final = "Fix the file by hand; trying again does not help."
_ALLOW: Final = "The person who runs this server must allow it; trying again does not help."
_MAKE_ROOM: Final = "The person who runs this server must make room; trying again does not help."
_SIGN_IN: Final = "The person who runs this server must sign in again; trying again does not help."
_READ_AGAIN: Final = "Read it again, then repeat if the change still fits."
_MOST_SAID: Final = 200  # letters
_PROVIDER: Final[dict[str, Any]] = {"code": "PROVIDER_ERROR", "category": "server"}
_ABSENT: Final[dict[str, Any]] = {"code": NotFound.code, "category": NotFound.category}


def failure_of(
    error: BaseException,
    hint: str = "",
    what: str = "This",
    given: Callable[[], Mapping[str, Any]] = dict,
) -> Failure:
    """Return an error as a failure; whatever is not known becomes a `Bug`, which the caller has to log.

    Args:
        error: what was raised.
        hint: what to do when something is not found, such as "Use jobs_list to find it.".
        what: the name of the work, for a bug.
        given: returns the caller's arguments by name, so that the words can name the one that is wrong.
    """
    if isinstance(error, Failure):
        if isinstance(error, NotFound) and hint and not error.advice:
            error.advice = hint
        return error
    if isinstance(error, stores.StoreError):
        return _harmless(_of_store(error, hint), error.harmless)
    return _of_text(error, given) or _of_upstream(error, hint) or Bug(f"{what} failed unexpectedly.")


def _harmless(failure: Failure, is_harmless: bool) -> Failure:
    failure.harmless = is_harmless
    failure.changed = False if is_harmless else None
    return failure


def _of_store(error: stores.StoreError, hint: str) -> Failure:
    words = str(error)
    match error:
        case stores.Missing():
            return Failure(words, advice=hint, **_ABSENT)
        case stores.OutsideFolder():
            return OutsideWorkspace(words)
        case stores.Taken():
            return Conflict(words, details={"existing": dict(error.existing)} if error.existing else None)
        case stores.Stale():
            return Moved("It", expected=None, current=error.version, message=words)
        case stores.BadValue():
            return BadArguments(words, field=error.field or None)
        case stores.ValueTooLarge():
            return TooLarge(words)
        case stores.Unreadable():
            return Failure(words, advice=_BY_HAND, **_PROVIDER)
        case stores.Full():
            return Failure(words, advice=_MAKE_ROOM, **_PROVIDER)
    if isinstance(error, stores.ReadOnly) or _is_forbidden(error.__cause__):
        return Failure(words, advice=_ALLOW, **_PROVIDER)
    if isinstance(error, stores.Unusable):
        return UpstreamDown(words, advice="", **_PROVIDER)
    return UpstreamDown(words, **_PROVIDER)


def _is_forbidden(cause: BaseException | None) -> bool:
    return isinstance(cause, OSError) and cause.errno in (EACCES, EPERM, EROFS)


def _of_text(error: BaseException, given: Callable[[], Mapping[str, Any]]) -> Failure | None:
    if not isinstance(error, LookupError | ValueError):
        return None
    from laconic.kit.translation.edits import no_lines, not_replaced
    from laconic.text import BadExpression, NoItems, NoLines, NoSection, NotReplaced

    match error:
        case NoSection(ambiguous=True):
            names = " or ".join(f"'{name}'" for name in error.candidates[:6])
            message = f"Invalid section {show(error.path)}. Valid values: {names}."
            return BadArguments(message, field="section", given=error.path, allowed=error.candidates)
        case NoSection():
            return NotFound("Section", show(error.path), near=error.candidates[:3])
        case NoLines():
            return no_lines(error, given())
        case NotReplaced():
            return not_replaced(error, given())
        case BadExpression():
            return BadArguments(f"Invalid regex: {error}.")
        case NoItems():
            return BadArguments(str(error))
    return None


def _of_upstream(error: BaseException, hint: str) -> Failure | None:
    from laconic.upstream import errors as upstream

    if not isinstance(error, upstream.UpstreamError):
        return None
    failure = _harmless(_in_kind(error, hint), error.harmless)
    if isinstance(error, upstream.Rejected):
        failure.about["httpStatus"] = error.status
    return failure


def _said(body: Any) -> str:
    """Return another system's own words on one line: a text, a list of them, or texts by field."""
    if isinstance(body, dict):
        parts = [(name, _said(inner)) for name, inner in body.items() if isinstance(inner, str | list)]
        said = " ".join(f"{name}: {inner}" for name, inner in parts if inner)
    elif isinstance(body, list):
        said = " ".join(one for one in body if isinstance(one, str))
    else:
        said = body if isinstance(body, str) else ""
    said = clean(said.strip()[: _MOST_SAID + 1])
    return said if len(said) <= _MOST_SAID else f"{said[:_MOST_SAID]}…"


def _in_kind(error: UpstreamError, hint: str) -> Failure:
    from laconic.upstream import errors as upstream

    words = str(error)
    if isinstance(error, upstream.Rejected) and (said := _said(error.body)):
        words = f"{words} It says: '{said}'"
    match error:
        case upstream.BadAddress():
            return Refused(words, category="validation")
        case upstream.Unauthorised():
            return Refused(words, advice=_SIGN_IN)
        case upstream.Forbidden():
            return Refused(words)
        case upstream.Absent():
            return Failure(words, advice=hint, **_ABSENT)
        case upstream.Clash():
            is_create = error.status == 409 and error.method in ("", "POST")
            return Conflict(words) if is_create else Conflict(words, code=Moved.code, advice=_READ_AGAIN)
        case upstream.Throttled():
            return RateLimited(words, retry_after=error.wait)
        case upstream.Invalid():
            return BadArguments(words)
        case upstream.Unreachable():
            return UpstreamDown(words)
        case upstream.BadReply():
            return UpstreamDown(words, advice="", **_PROVIDER)
    return UpstreamDown(words, **_PROVIDER)
