"""Running a tool's function: whatever it raises is raised in a form that can be answered."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from typing import Any, Final

from laconic.kit.declaring.spec import Function
from laconic.kit.peer import AskLater

__all__ = ["answerable", "is_cancelled", "is_of_group", "run"]


OF_GROUP: Final = "raised by one of several tasks"


def is_of_group(error: BaseException) -> bool:
    """True if one of several concurrent tasks raised this: the others may have done their work."""
    return OF_GROUP in getattr(error, "__notes__", ())


def is_cancelled() -> bool:
    """True if somebody asked the present task to stop: else a CancelledError is the tool's own."""
    task = asyncio.current_task()
    return task is None or task.cancelling() > 0


async def run(
    function: Function, values: Mapping[str, Any], loop: asyncio.AbstractEventLoop | None = None
) -> Any:
    """Run a function with these arguments; `loop` is the running one, if that is known."""
    task = asyncio.current_task(loop)
    before = task.cancelling() if task else 0
    try:
        value = await function(**values)
    except asyncio.CancelledError as error:
        if is_cancelled():
            raise
        raise RuntimeError("it raised CancelledError, but nobody cancelled it") from error
    except GeneratorExit as error:
        if not _is_current(task):
            raise  # nobody will continue this call
        raise answerable(error) from error
    except BaseException as error:
        _forget(task, before)
        found = answerable(_alone(error) if isinstance(error, BaseExceptionGroup) else error)
        if found is error:
            raise
        raise found from found.__cause__
    if task is not None and task.cancelling() > before:
        _forget(task, before)
    return value


def answerable(error: BaseException) -> BaseException:
    """Return what a function raised, as a bug if it would end the server or the waiting for an answer."""
    is_control = isinstance(error, AskLater | asyncio.CancelledError)
    if is_control or (isinstance(error, Exception) and not isinstance(error, StopIteration)):
        return error
    bug = RuntimeError(f"it raised {type(error).__name__}")
    bug.__cause__ = error
    return bug


def _is_current(task: asyncio.Task[Any] | None) -> bool:
    try:
        return task is not None and asyncio.current_task() is task
    except RuntimeError:  # there is no event loop any more
        return False


def _alone(group: BaseExceptionGroup[Any]) -> BaseException:
    asked, rest = group.split(AskLater)
    failed = list(_leaves(rest)) if rest is not None else []
    if len(failed) == 1:
        failed[0].add_note(OF_GROUP)
        return failed[0]
    if failed:
        return rest or group  # several things broke: a bug report needs them all
    return _merged(list(_leaves(asked or group)))


def _leaves(group: BaseException) -> Iterator[BaseException]:
    if isinstance(group, BaseExceptionGroup):
        for one in group.exceptions:
            yield from _leaves(one)
    else:
        yield group


def _merged(found: list[BaseException]) -> AskLater:
    """Merge questions that were asked concurrently into one."""
    asked = [one for one in found if isinstance(one, AskLater)]
    states = (one.state for one in asked if one.state is not None)
    requests = {key: request for one in asked for key, request in one.requests.items()}
    return AskLater(requests, next(states, None))


def _forget(task: asyncio.Task[Any] | None, before: int) -> None:
    """Clear the cancels that a failed asyncio.TaskGroup leaves on its task before Python 3.13.

    With them a later time-out could not be distinguished from a real cancel.
    """
    while task and task.cancelling() > before:
        task.uncancel()
