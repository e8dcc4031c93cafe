"""The presenter: makes the answer of a call that succeeded from what its function returned."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from laconic.kit.answers.envelope import Envelope
from laconic.kit.answers.pages import Page, Place
from laconic.kit.answers.sizes import Sizes
from laconic.kit.cursors import Cursors
from laconic.kit.declaring.spec import Spec, ToolSpec
from laconic.kit.errors import Bug, TooLarge
from laconic.kit.pipeline import Answer, Call
from laconic.kit.present.forms import present
from laconic.stores.errors import StoreError

__all__ = ["Presenter"]

_NO_NEXT = "The next page cannot be shown: its cursor could not be kept."
_MARGIN = 0.9  # of the rows that would fit at their average length, because some are longer


class Presenter:
    """Makes answers: blocks small enough, pages within the call's budget, cursors sealed."""

    def __init__(self, cursors: Cursors, envelope_of: Callable[[Spec], Envelope], sizes: Sizes) -> None:
        self._cursors = cursors
        self._envelope_of = envelope_of
        self._sizes = sizes

    async def answer(self, call: Call, value: Any) -> Answer:
        """Return the answer of a call whose function returned this value.

        Raises:
            TooLarge: a read returned more bytes than an answer takes.
        """
        if isinstance(value, Page):
            return await self._fitted_page(call, value)
        return present(call, self._fitted(call, value), self._envelope_of(call.spec))

    def _fitted(self, call: Call, value: Any) -> Any:
        is_whole = not isinstance(call.spec, ToolSpec)  # resources and prompts are never shortened
        try:
            return self._sizes.fitted(value, texts=is_whole)
        except TooLarge as error:
            if not call.spec.writes:
                raise
            return f"Done, but the result is not shown. {error.message}"  # a failure would be untrue

    async def _fitted_page(self, call: Call, page: Page[Any]) -> Answer:
        """Cut a page that is longer than the budget: its cursor continues there, so nothing is lost."""
        answer = await self._page(call, page)
        if not call.budget or len(answer.text) <= call.budget or page.key is None:
            return answer
        count = int(len(page.items) * call.budget / len(answer.text) * _MARGIN)
        return await self._page(call, page.first(max(1, count)))

    async def _page(self, call: Call, page: Page[Any]) -> Answer:
        cursor = None
        if page.next is not None:
            try:
                cursor = await self._sealed(call, page.next)
            except StoreError:
                if not call.spec.writes:
                    raise
                call.notes += [] if _NO_NEXT in call.notes else [_NO_NEXT]
        return present(call, page, self._envelope_of(call.spec), cursor)

    async def _sealed(self, call: Call, place: Place) -> str:
        try:
            return await self._cursors.seal(call.scope, call.query, place, call.view)
        except TypeError as error:
            raise Bug(f"{call.spec.name} cannot be paged: {error}.") from error
