"""Rules about what is read after a write: bodies as they were written, lists as they were asked for."""

from __future__ import annotations

from typing import Any

from laconic.kit.answers.pages import Page
from laconic.kit.answers.records import options_of
from laconic.kit.contract.calls import value_of
from laconic.kit.contract.read_back import inside
from laconic.kit.contract.terms import Body, Untried
from laconic.kit.contract.trial import Trial
from laconic.kit.declaring.spec import Effect
from laconic.kit.pipeline import Answer
from laconic.kit.testing import Reply

__all__ = ["a_body_is_read_back_as_written", "a_cursor_keeps_its_list"]

_MANY = 100  # items that are looked at
_FEW = 2  # items that one write may take away after the first page


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
    known = _keys(await trial.answer({**trial.sample, "limit": _MANY}))
    are_many = len(known) > _FEW
    first = await trial.answer({**trial.sample, "limit": 1})
    if first.cursor is None:
        raise Untried(f"{trial.spec.name}: its sample finds fewer than two items, too few for a second page")
    for name, sample in samples.items():
        await trial.client.send(name, sample)
        shown = _keys(await trial.answer({"cursor": first.cursor, "limit": _MANY}))
        # a write may move, add or remove an item, not all of them
        if not shown & known and (are_many or len(shown) > 1):
            raise trial.broken(
                f"after {name}, a cursor shows {len(shown)} items, none of which its list had.",
                "put what the list depends on into its arguments, or into the pins of what is supplied",
            )
        known |= shown


def _keys(answer: Answer) -> set[str]:
    items: list[Any] = list(answer.value.items) if isinstance(answer.value, Page) else []
    return {str(getattr(item, options_of(type(item)).key, item)) for item in items}
