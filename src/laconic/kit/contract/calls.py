"""Rules that are checked by calling a tool: its answers, and its effects."""

from __future__ import annotations

import json
from contextlib import nullcontext
from typing import Any

from laconic.kit.answers.envelope import NOTES
from laconic.kit.answers.records import field_names, options_of, wire_name
from laconic.kit.arguments.extras import LEAST_BUDGET
from laconic.kit.arguments.known import arguments_of
from laconic.kit.contract.terms import Untried, difference
from laconic.kit.contract.trial import Trial
from laconic.kit.testing import ERAS, Reply
from laconic.text import case_of


async def text_comes_alone(trial: Trial) -> None:
    """In text mode there is no structured content and no output schema: some hosts would show only those."""
    for tool in await trial.client.tools():
        if tool["name"] == trial.spec.name and "outputSchema" in tool:
            raise trial.broken("an output schema is listed in text mode.")
    if (await trial.succeed()).structured is not None:
        raise trial.broken("there is structured content in text mode.")


async def structured_content_fits_its_schema(trial: Trial) -> None:
    """Structured content fits the listed output schema, in every format and with every choice of fields."""
    schema = trial.listed.get("outputSchema")
    for choice in [*views(trial), *_smallest(trial)]:
        async with trial.fresh() if trial.spec.writes else nullcontext(trial) as other:
            reply = await other.succeed(**choice)
        if (reply.structured is None) != (schema is None):
            has = "no structured content" if reply.structured is None else "structured content"
            lists = "no output schema" if schema is None else "an output schema"
            raise trial.broken(f"the answer has {has}, and {lists} is listed.")
        if schema is not None:
            _fit(trial, schema, reply, choice)


def views(trial: Trial) -> list[dict[str, Any]]:
    """Return the arguments for each view of the answer that the kit offers here."""
    own, spec = arguments_of(trial.spec).extras, trial.spec
    record = spec.signature.record
    found: list[dict[str, Any]] = [{}]
    if record is not None and "format" in own:
        found += [{"format": form} for form in options_of(record).formats]
    if record is not None and spec.fields in own:
        words = field_names(record, spec.case)
        found += [{spec.fields: [word]} for word in words] + [{spec.fields: words}]
    return found


def _smallest(trial: Trial) -> list[dict[str, Any]]:
    """Return the arguments for the smallest possible answer, whose rest is kept aside."""
    return [{"budget": LEAST_BUDGET}] if "budget" in arguments_of(trial.spec).extras else []


def _fit(trial: Trial, schema: dict[str, Any], reply: Reply, choice: dict[str, Any]) -> None:
    wrong = misfit(schema, reply.structured)
    if wrong:
        raise trial.broken(f"with {choice or 'its sample'}, {wrong}")
    if trial.output == "structured" and json.loads(reply.text) != reply.structured:
        raise trial.broken("the text for hosts that show only text differs from the data.")


def misfit(schema: dict[str, Any], data: Any) -> str | None:
    """Return what does not fit a schema; None if everything does.

    Raises:
        Untried: jsonschema is not installed.
    """
    try:
        from jsonschema import Draft202012Validator  # optional
    except ImportError:
        raise Untried("checking answers against schemas needs jsonschema: pip install jsonschema") from None
    for error in Draft202012Validator(schema).iter_errors(data):
        where = ".".join(str(part) for part in error.absolute_path) or "it"
        return f"{where} does not fit: {error.message[:300]}"
    return None


async def each_form_is_enough_by_itself(trial: Trial) -> None:
    """If text and data are both sent, each has the total, the cursor, the key and the remarks."""
    spec = trial.spec
    some = {"limit": 1} if spec.signature.is_page else {}
    page = (await trial.answer({**trial.sample, **some})).value if spec.signature.is_page else None
    reply = await trial.succeed(**some)
    if reply.structured is None:
        return
    data = leaves(reply.structured)
    if page is not None:
        if page.items:  # an empty list says so in words
            _both(trial, reply, "the total", page.total, data)
        if page.next is not None and not reply.cursor and "Pass offset " not in reply.text:
            raise trial.broken("the text does not say how to get the next page.", f"it says: {reply.text}")
        _both(trial, reply, "the cursor", reply.cursor or None, data)
        await _remark(trial)
    elif spec.signature.record is not None:
        record = spec.signature.record
        key = wire_name(record, options_of(record).key, spec.case)
        value = value_of(reply.structured, key)
        if not (spec.writes and value in leaves(trial.sample)):  # the caller just said it
            _both(trial, reply, f"the {key}", value, data)


def _both(trial: Trial, reply: Reply, what: str, value: Any, data: list[Any]) -> None:
    if value is None:
        return
    written = {str(value), f"{value:,}" if isinstance(value, int) else str(value)}
    if not any(form in reply.text for form in written):
        raise trial.broken(f"{what}, {value}, is not in the text.", f"it says: {reply.text}")
    if value not in data:
        raise trial.broken(f"{what}, {value}, is not in the data.", f"it says: {reply.structured}")


def value_of(data: Any, key: str) -> Any:
    """Return the first value of that name, at any depth of the toolset's envelope."""
    if not isinstance(data, dict):
        return None
    inner = [value_of(inner, key) for inner in data.values()]
    return data.get(key, next((value for value in inner if value is not None), None))


async def _remark(trial: Trial) -> None:
    window = trial.spec.signature.window
    most = window[1].most if window else 0
    reply = await trial.succeed(limit=most + 1)
    remarks = (reply.structured or {}).get(NOTES, [])
    if not remarks or not all(remark in reply.text for remark in remarks):
        raise trial.broken("a remark is not in both forms.", f"a limit of {most + 1} is more than allowed")


def leaves(value: Any) -> list[Any]:
    """Return every value inside, without the structure."""
    if isinstance(value, dict):
        return [leaf for inner in value.values() for leaf in leaves(inner)]
    if isinstance(value, list):
        return [leaf for inner in value for leaf in leaves(inner)]
    return [value]


async def a_read_changes_nothing(trial: Trial) -> None:
    """A tool that is marked read-only leaves the store as it was."""
    sample, before = trial.sample, await trial.state()
    await trial.succeed(**sample)
    if await trial.state() != before:
        raise trial.broken("it is marked read-only and changed the store.")


async def an_idempotent_tool_may_be_repeated(trial: Trial) -> None:
    """The second call of a tool that is marked idempotent leaves the store as the first one did."""
    await trial.succeed()
    once = await trial.state()
    await trial.send(trial.sample)  # may be refused, say by a guard; only its effect counts
    if await trial.state() != once:
        raise trial.broken("it is marked idempotent, and a second call changed the store again.")


async def a_retry_with_the_same_key_happens_once(trial: Trial) -> None:
    """A call that is sent twice with one idempotency key takes effect once, and is answered twice."""
    key = {case_of("idempotency_key", trial.spec.case): "contract"}
    await trial.succeed(**key)
    once = await trial.state()
    await trial.succeed(**key)
    if await trial.state() != once:
        raise trial.broken("a second call with the same idempotency key changed the store again.")


async def both_eras_are_answered_alike(trial: Trial) -> None:
    """A client of the old protocol gets the same answer as one of the new: the same text, data and blocks."""
    replies: list[str] = []
    for era in ERAS:
        async with trial.fresh(era) if trial.spec.writes else trial.here(era) as other:
            replies.append(other.steady(await other.succeed()))
    old, new = replies
    if old != new:
        raise trial.broken(f"the answers differ:\n{difference(old, new, *ERAS)}")


async def arguments_left_out_are_none(trial: Trial) -> None:
    """A call without `arguments` is a call with an empty object: some clients leave the key out."""
    without = trial.steady(await trial.send(None))
    async with trial.fresh() as other:
        empty = other.steady(await other.send({}))
    if without != empty:
        raise trial.broken(f"the answers differ:\n{difference(without, empty, 'no arguments', '{}')}")
