"""Requests about prompts that are no call: to list them, to find one, and to complete an argument."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from laconic.kit.errors import Bug, TimedOut
from laconic.kit.running import run

if TYPE_CHECKING:
    from laconic.kit.catalogue import Catalogue
    from laconic.kit.declaring.spec import PromptSpec
    from laconic.kit.peer import Caller
    from laconic.kit.prompts.sources import Place, Prompts
    from laconic.kit.settings import Settings
    from laconic.kit.supplying.supply import Supplies

__all__ = ["PromptRequests"]

T = TypeVar("T")
_PAGE: Final = 100  # prompts, or fewer if all lists have shorter pages
_Prompt = dict[str, Any]
_Listed = tuple[list[_Prompt], "Place | None"]


class PromptRequests:
    """Answers them, each within the server's deadline."""

    def __init__(self, catalogue: Callable[[], Catalogue], settings: Settings, supplies: Supplies) -> None:
        self._catalogue = catalogue  # loads every toolset: only if it is needed
        self._settings = settings
        self._supplies = supplies

    @cached_property
    def _prompts(self) -> Prompts:
        from laconic.kit.prompts.sources import Prompts

        return Prompts(self._catalogue(), self._supplies)

    async def find(self, caller: Caller, name: str) -> PromptSpec:
        """Return a caller's prompt.

        Raises:
            Unknown: no prompt has that name.
        """
        return await self._in_time("prompts/get", partial(self._prompts.find, caller, name))

    async def page(
        self, caller: Caller, place: Place | None, declared: Sequence[_Prompt], lists: Mapping[str, str]
    ) -> _Listed:
        """Return a page of a caller's prompts, declared and from sources, and where the next begins.

        `lists` are the functions of sources that may know their first prompts without being loaded.
        """
        count = min(self._settings.list_page, _PAGE)
        if place is None and (known := self._known(count, declared, lists)) is not None:
            return known
        asked = partial(self._prompts.page, caller, place, count, declared)
        return await self._in_time("prompts/list", asked)

    def _known(self, count: int, declared: Sequence[_Prompt], lists: Mapping[str, str]) -> _Listed | None:
        """Return the first page of prompts if it is known without loading a toolset; else None."""
        if not lists or not all(lists.values()):
            return None
        from laconic.kit.prompts.known import known_page

        return known_page(lists, self._supplies.outside, count, declared)

    async def complete(
        self, caller: Caller, kind: str, name: str, argument: str, typed: str, others: Mapping[str, str]
    ) -> list[str]:
        """Suggest values for an argument of a prompt or of a resource's address."""
        from laconic.kit.prompts.completion import suggest

        known = (self._catalogue(), self._supplies, caller)
        asked = partial(suggest, *known, kind, name, argument, typed, others)
        return await self._in_time("completion/complete", asked)

    async def _in_time(self, what: str, work: Callable[[], Awaitable[T]]) -> T:
        """Do work that is no call of a tool, within the server's deadline.

        Raises:
            TimedOut: it took longer.
            Failure: a store or another system failed; the words say how.
        """
        most = self._settings.deadline
        try:
            async with asyncio.timeout(most) as timer:
                found: T = await run(work, {})
                return found
        except TimeoutError:
            if not timer.expired():
                raise
            raise TimedOut(f"{what} took longer than {most:g} s and was stopped.") from None
        except Exception as error:
            from laconic.kit.translation import failure_of

            failure = failure_of(error, what=what)
            if isinstance(failure, Bug):
                raise
            raise failure from error
