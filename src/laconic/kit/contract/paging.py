"""Rules about lists: the total is shown, and every item can be reached."""

from __future__ import annotations

from typing import Any

from laconic.kit.answers.pages import Page
from laconic.kit.contract.terms import Untried
from laconic.kit.contract.trial import Trial
from laconic.kit.pipeline import Answer


async def a_page_says_shown_of_total(trial: Trial) -> None:
    """A page shows how many items it has, of how many, or that the total is not known."""
    answer = await trial.answer({**trial.sample, "limit": 1})
    page, text = _page(trial, answer), answer.text
    if page.total is None:
        if "not known" not in text:
            raise trial.broken("the page does not say that its total is not known.", f"it says: {text}")
        return
    head = text.partition("\n")[0]
    if f"{page.total:,}" not in head or (page.total > 1 and f"{len(page.items):,} of" not in head):
        raise trial.broken(f"the page does not say 'shown of total' ({page.total:,}).", f"it says: {text}")


async def the_cursor_reaches_every_item_once(trial: Trial) -> None:
    """Following the cursor, passed alone, shows every item once and ends."""
    whole = _page(trial, await trial.answer({**trial.sample, "limit": _most(trial)}))
    wanted = [_key(item) for item in whole.items]
    if len(wanted) < 2:
        raise Untried(f"{trial.spec.name}: its sample finds fewer than two items, too few to follow a cursor")
    size = max(1, len(wanted) // 7)  # about seven pages, at any length
    found: list[str] = []
    arguments: dict[str, Any] = {**trial.sample, "limit": size}
    while arguments:
        answer = await trial.answer(arguments)
        page = _page(trial, answer)
        found += [_key(item) for item in page.items]
        if len(found) > len(wanted) or (len(found) == len(wanted) and whole.next is not None):
            break
        arguments = {"cursor": answer.cursor, "limit": size} if page.next is not None else {}
    if found[: len(wanted)] != wanted:
        missed, again = len(set(wanted) - set(found)), len(found) - len(set(found))
        raise trial.broken(f"the cursor misses {missed} of {len(wanted)} items and repeats {again}.")
    if len(found) > len(wanted) and whole.next is None:
        raise trial.broken(f"the cursor does not end after {len(wanted)} items.")


def _page(trial: Trial, answer: Answer) -> Page[Any]:
    if not isinstance(answer.value, Page) or not answer.value.items:
        raise Untried(f"{trial.spec.name}: its sample finds nothing to page through")
    return answer.value


def _most(trial: Trial) -> int:
    window = trial.spec.signature.window
    return window[1].most if window else 1


def _key(item: Any) -> str:
    return str(getattr(item, getattr(item, "key", ""), item))
