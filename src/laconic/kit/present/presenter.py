"""The presenter: makes the answer of a call that succeeded from what its function returned."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from laconic.kit.answers.content import Verbatim
from laconic.kit.answers.envelope import Envelope
from laconic.kit.answers.pages import Page, Place, Within
from laconic.kit.answers.sizes import Sizes
from laconic.kit.arguments.known import arguments_of
from laconic.kit.cursors import LONGEST, Cursors
from laconic.kit.declaring.spec import ResourceSpec, Spec, ToolSpec
from laconic.kit.errors import BadArguments, Bug, Problem, TooLarge
from laconic.kit.keeping.shrink import size_of
from laconic.kit.pipeline import Answer, Call
from laconic.kit.present.asked import key_of, limit_of
from laconic.kit.present.forms import present
from laconic.stores.errors import StoreError

__all__ = ["Presenter"]

_NO_NEXT = "The next page cannot be shown: its cursor could not be kept."


class Presenter:
    """Makes answers: blocks small enough, pages within the call's budget, cursors sealed."""

    def __init__(
        self,
        cursors: Cursors,
        envelope_of: Callable[[Spec], Envelope],
        sizes: Sizes,
        *,
        can_keep: bool = False,
    ) -> None:
        """`can_keep`: the rest of long texts can be kept aside, so that they need not be refused."""
        self._cursors = cursors
        self._envelope_of = envelope_of
        self._sizes = sizes
        self._can_keep = can_keep

    def answer(self, call: Call, value: Any) -> Answer:
        """Return the answer of a call whose function returned this value, which is no page.

        Raises:
            TooLarge: a read returned more bytes than an answer takes.
        """
        return present(call, self._fitted(call, value), self._envelope_of(call.spec))

    def _fitted(self, call: Call, value: Any) -> Any:
        is_text = isinstance(value, str | Verbatim) and isinstance(call.spec, ResourceSpec)
        is_whole = not isinstance(call.spec, ToolSpec) and not (is_text and self._can_keep)  # never shortened
        try:
            return self._sizes.fitted(value, texts=is_whole)
        except TooLarge as error:
            if not call.spec.writes:
                raise
            return f"Done, but the result is not shown. {error.message}"  # a failure would be untrue

    async def page(self, call: Call, page: Page[Any]) -> Answer:
        """Present a page, cut to what the budget holds: its cursor continues there, so nothing is lost."""
        _refuse_offset(call, page)
        if call.within is not None:
            page = _cut(call, _rest(call, page, call.within), limit_of(call))
        answer = await self._sealed_page(call, page)
        if not call.budget or size_of(answer) <= call.budget:
            return answer
        fits, over = 1, len(page.items)
        while over - fits > 1:
            count = (fits + over) // 2
            draft = present(call, _cut(call, page, count), self._envelope_of(call.spec), "-" * LONGEST)
            fits, over = (count, over) if size_of(draft) <= call.budget else (fits, count)
        return await self._sealed_page(call, _cut(call, page, fits)) if over > 1 else answer

    async def _sealed_page(self, call: Call, page: Page[Any]) -> Answer:
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
            secret = arguments_of(call.spec).secret
            return await self._cursors.seal(call.scope, call.query, place, call.view, secret)
        except TypeError as error:
            raise Bug(f"{call.spec.name} cannot be paged: {error}.") from error


def _refuse_offset(call: Call, page: Page[Any]) -> None:
    """Refuse an offset that the list did not follow: its page does not say where it starts."""
    offset = call.checked.offset if call.checked else 0
    is_first = call.position is None and call.within is None
    if offset and is_first and page.start is None and not call.spec.writes:
        message = f"Invalid offset {offset}. This list cannot skip items: pass the cursor of the page before."
        raise BadArguments([Problem("offset", message, offset)])


def _cut(call: Call, page: Page[Any], count: int) -> Page[Any]:
    """Return a page of the first items; without a sort key, the next call asks for the whole page again."""
    if page.key is not None or count >= len(page.items):
        return page.first(count)
    window, checked, before = call.spec.signature.window, call.checked, call.within
    if window is None or checked is None:
        return page  # no caller could go on
    limit = before.limit if before else limit_of(call)
    start = before.start if before else checked.offset
    return page.first(count, Within(call.position, start, limit, _shown(call, page, count)))


def _shown(call: Call, page: Page[Any], count: int) -> tuple[str, ...] | int:
    """Return what was shown of a whole page: the keys of its items, or how many if that is not clear."""
    keys, before = _keys(call, page), call.within.shown if call.within else ()
    if len(set(keys)) < len(page.items) or isinstance(before, int):
        return (before if isinstance(before, int) else len(before)) + count
    return (*before, *keys[:count])


def _rest(call: Call, page: Page[Any], within: Within) -> Page[Any]:
    """Return a page without the items that were shown before."""
    shown = within.shown
    if isinstance(shown, int):
        left = page.items[shown:]
    else:
        keys, seen = _keys(call, page), set(shown)
        left = [item for item, key in zip(page.items, keys, strict=True) if key not in seen]
    skipped = len(page.items) - len(left)
    return replace(page, items=left, start=None if page.start is None else page.start + skipped)


def _keys(call: Call, page: Page[Any]) -> list[str]:
    record = call.spec.signature.record
    key = None if record is None else key_of(record)
    return [] if key is None else [str(getattr(item, key)) for item in page.items]
