"""Rules about lists: the total is shown, and every item can be reached."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from laconic.kit.answers.packing import unpacked
from laconic.kit.answers.pages import Page, Window
from laconic.kit.answers.records import options_of
from laconic.kit.arguments.extras import LEAST_BUDGET
from laconic.kit.arguments.known import arguments_of
from laconic.kit.contract.calls import leaves
from laconic.kit.contract.terms import Untried
from laconic.kit.contract.trial import Trial
from laconic.kit.pipeline import Answer
from laconic.kit.plain import jsonable

_ENOUGH = 30  # items whose pages are followed with a small budget, often one by one


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


async def pages_are_true_in_every_form(trial: Trial) -> None:
    """In every form, and with the smallest budget, the pages together show every item once and count them."""
    arguments: dict[str, Any] = {**trial.sample, "limit": _most(trial)}
    wanted = [_key(item) for item in _page(trial, await trial.answer(arguments)).items][:_ENOUGH]
    if "budget" in arguments_of(trial.spec).extras:
        arguments["budget"] = LEAST_BUDGET
    found: list[str] = []
    while arguments and len(found) < len(wanted):
        answer = await trial.answer(arguments)
        page = _page(trial, answer)
        _counted(trial, answer, page)
        found += [_key(item) for item in page.items]
        arguments = {"cursor": answer.cursor} if answer.cursor else {}
    if found[: len(wanted)] != wanted:
        raise trial.broken(f"with a small budget the pages show {found}.", f"they should show {wanted}")


def _counted(trial: Trial, answer: Answer, page: Page[Any]) -> None:
    """Refuse data without one of the items, the total or the cursor, and a heading that miscounts."""
    if answer.structured is not None:
        items = [jsonable(_value(item)) for item in page.items]
        if not any(_shows(rows, items) for rows in _lists(answer.structured)):
            raise trial.broken(f"the data of a page does not have {items}.", f"it is {answer.structured}")
        for fact in (page.total, answer.cursor):
            if fact is not None and fact not in leaves(answer.structured):
                raise trial.broken(f"the data of a page does not have {fact}.", f"it is {answer.structured}")
    head = answer.text.removeprefix("<beginning>\n").partition("\n")[0]
    is_part = page.start == 0 and page.total is not None and len(page.items) < page.total
    if answer.blocks and is_part and f"{len(page.items):,} of" not in head:
        raise trial.broken(f"a page of {len(page.items)} items says: {head}")


async def a_page_keeps_its_limit(trial: Trial) -> None:
    """A page has at most as many items as the limit, given or declared, and that limit is in its data."""
    for given in ({}, {"limit": 1}):
        arguments = {**trial.sample, **given}
        answer = await trial.answer(arguments)
        page, checked = _page(trial, answer), arguments_of(trial.spec).check(arguments)
        limit = _window(trial).at(position=None, limit=checked.limit, start=0, form=checked.format).count
        if len(page.items) > limit:
            raise trial.broken(f"a page has {len(page.items)} items, and its limit is {limit}.")
        for said in _limits(answer.structured):
            if said != limit:
                raise trial.broken(f"its limit is {limit}, and its data says {said}.")


async def an_offset_skips_items(trial: Trial) -> None:
    """A list that takes an offset skips so many items, and its data says how many."""
    two = _page(trial, await trial.answer({**trial.sample, "limit": 2}))
    if len(two.items) < 2:
        raise Untried(f"{trial.spec.name}: its sample finds fewer than two items, too few to skip one")
    answer = await trial.answer({**trial.sample, "limit": 1, "offset": 1})
    shown, wanted = [[_key(item) for item in page] for page in (_page(trial, answer).items, two.items[1:])]
    if shown != wanted:
        raise trial.broken(f"with offset 1 it shows {shown}.", f"skip window.start items, to show {wanted}")
    if answer.facts and answer.facts.page and answer.facts.page.start != 1:
        raise trial.broken(f"with offset 1 its data says {answer.facts.page.start}.")


async def the_second_page_looks_like_the_first(trial: Trial) -> None:
    """The cursor, passed alone, gives a page of the same length, with the same fields."""
    record = trial.spec.signature.record
    forms = list(options_of(record).formats) if record else []
    form = {"format": forms[-1]} if "format" in arguments_of(trial.spec).extras else {}
    first = await trial.answer({**trial.sample, "limit": 1, **form})
    _page(trial, first)
    if first.cursor is None:
        raise Untried(f"{trial.spec.name}: its sample finds fewer than two items, too few for a second page")
    second = await trial.answer({"cursor": first.cursor})
    count = len(_page(trial, second).items)
    if count != 1:
        raise trial.broken(f"after a page of 1 item, the cursor alone gives a page of {count}.")
    if first.facts and first.facts.page and second.facts and second.facts.page:
        before, after = first.facts.page.columns, second.facts.page.columns
        if before != after:
            raise trial.broken(f"the first page has the fields {before}, and the second {after}.")


def _page(trial: Trial, answer: Answer) -> Page[Any]:
    if not isinstance(answer.value, Page) or not answer.value.items:
        raise Untried(f"{trial.spec.name}: its sample finds nothing to page through")
    return answer.value


def _window(trial: Trial) -> Window:
    return trial.spec.signature.window[1] if trial.spec.signature.window else Window()


def _most(trial: Trial) -> int:
    return _window(trial).most


def _key(item: Any) -> str:
    return str(_value(item))


def _lists(value: Any) -> Iterator[list[Any]]:
    """Return every list inside, at any depth of the toolset's envelope."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if isinstance(value, list):
        yield value
    elif isinstance(value, dict) and "columns" in value:
        yield unpacked(value)
    for inner in inside:
        yield from _lists(inner)


def _limits(value: Any) -> Iterator[Any]:
    """Return what the envelope calls `limit`, at any depth; items and tables may have such a field too."""
    if isinstance(value, dict) and "columns" not in value:
        for name, inner in value.items():
            if name == "limit":
                yield inner
            yield from _limits(inner)


def _shows(rows: list[Any], keys: list[Any]) -> bool:
    if len(rows) != len(keys):
        return False
    return all(key in leaves(row) for row, key in zip(rows, keys, strict=True) if not isinstance(key, dict))


def _value(item: Any) -> Any:
    """Return the key of a record, or the record."""
    return getattr(item, options_of(type(item)).key, item)
