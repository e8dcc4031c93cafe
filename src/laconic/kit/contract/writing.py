"""Rules about what is read after a write: bodies as they were written, lists as they were asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laconic.kit.answers.pages import Page
from laconic.kit.answers.records import options_of
from laconic.kit.compact import compact
from laconic.kit.contract.calls import value_of
from laconic.kit.contract.read_back import inside
from laconic.kit.contract.terms import Body, Untried
from laconic.kit.contract.trial import Trial
from laconic.kit.declaring.spec import Effect
from laconic.kit.pipeline import Answer
from laconic.kit.plain import jsonable
from laconic.kit.testing import Reply

__all__ = ["a_body_is_read_back_as_written", "a_cursor_keeps_its_list"]

_MANY = 100  # items that are looked at
_FEW = 2  # items that one write may change or take away


async def a_body_is_read_back_as_written(trial: Trial) -> None:
    """A body that was written is read back unchanged, in the text and in the data."""
    body = trial.terms.bodies.get(trial.spec.name)
    if body is None:
        return
    for text in body.texts:
        async with trial.fresh() as world:
            written = await world.succeed(**{body.argument: text})
            found = value_of(written.structured, body.by)
            which = world.sample.get(body.by) if found is None else found
            reply = await world.client.send(body.read, {body.by: which})
            _same(world, reply, body, text)


def _same(trial: Trial, reply: Reply, body: Body, text: str) -> None:
    field = body.field or body.argument
    shown = value_of(reply.structured, field)
    if reply.failed or shown != text:
        raise trial.broken(f"{field} was written as {text!r}.", f"{body.read} gives {shown!r}: {reply.text}")
    if "\n" in text and text not in inside(reply.text):
        raise trial.broken(f"{field} was written as {text!r}.", f"the text of {body.read} is {reply.text!r}")


async def a_cursor_keeps_its_list(trial: Trial) -> None:
    """After any other call of the same caller, a cursor goes on in the list that it was made for."""
    others = [spec for spec in trial.terms.specs() if spec.writes and spec.effect is not Effect.DELETE]
    if not others:
        return
    samples = {
        spec.name: trial.terms.samples[spec.name] for spec in others if spec.name in trial.terms.samples
    }
    known = _items(await trial.answer({**trial.sample, "limit": _MANY}))
    first = await trial.answer({**trial.sample, "limit": 1})
    if first.cursor is None:
        raise Untried(f"{trial.spec.name}: its sample finds fewer than two items, too few for a second page")
    last = await _rest(trial, first)
    for name, sample in samples.items():
        before = await _state(trial)
        await trial.client.send(name, sample)
        changed_nothing = before is not None and before == await _state(trial)
        shown = await _rest(trial, first)
        if _are_others(shown, known) or (changed_nothing and shown.keys() != last.keys()):
            raise trial.broken(
                f"after {name}, a cursor shows {len(shown)} items of another list, and {len(last)} before.",
                "put what the list depends on into its arguments, or into the pins of what is supplied",
            )
        last = shown
        known |= shown


async def _rest(trial: Trial, first: Answer) -> dict[str, str]:
    """Return the items after a first page."""
    return _items(await trial.answer({"cursor": first.cursor, "limit": _MANY}))


def _items(answer: Answer) -> dict[str, str]:
    """Return the items of a page as JSON, by their keys."""
    items: list[Any] = list(answer.value.items) if isinstance(answer.value, Page) else []
    return {str(getattr(one, options_of(type(one)).key, one)): compact(jsonable(one)) for one in items}


def _are_others(shown: Mapping[str, str], known: Mapping[str, str]) -> bool:
    """True if these are items of another list: a write may change or remove some, not replace all of them."""
    if not shown.keys() & known.keys():
        return len(shown) > 1
    return len(shown) > _FEW and not set(shown.values()) & set(known.values())


async def _state(trial: Trial) -> Any:
    """Return the state of the store; None if it cannot be seen."""
    try:
        return await trial.state()
    except Untried:
        return None
