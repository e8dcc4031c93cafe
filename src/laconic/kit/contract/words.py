"""Rules about words: nothing is lost in a text, and other people's words stay apart from the kit's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from laconic.kit.answers.days import Days
from laconic.kit.answers.pages import Batch, Page
from laconic.kit.answers.records import Record, options_of
from laconic.kit.answers.sharing import FEWEST
from laconic.kit.answers.views import View
from laconic.kit.arguments.checked import Checked
from laconic.kit.contract.attempts import attempts, records_of, worth_trying
from laconic.kit.contract.calls import views
from laconic.kit.contract.hostile import FORGED
from laconic.kit.contract.read_back import NotReadBack, inside, outside, read_many, read_one
from laconic.kit.contract.terms import Untried
from laconic.kit.contract.trial import Trial
from laconic.kit.peer import SilentPeer
from laconic.kit.pipeline import Call
from laconic.kit.present.asked import view_of
from laconic.kit.present.forms import present

__all__ = ["other_peoples_words_stay_apart", "text_is_lossless"]

_FEW = 2  # records of a list


async def text_is_lossless(trial: Trial) -> None:
    """A text has every value of the data, in every format and with every choice of fields."""
    value, refusals = await _value(trial), _Refusals(trial)
    tried = [*attempts(value)]
    for call in _calls(trial):
        for lost in _lost(trial, call, value, _text(trial, call, value)):
            raise trial.broken(f"with {_choice(call)}, {lost} is not in the text.")
        for name, other in worth_trying(tried, _view(trial, call, value)):
            text = refusals.text(call, name, other)
            for lost in _lost(trial, call, other, text):
                raise trial.broken(
                    f"with {_choice(call)}, {lost} is not in the text with a hostile text in {name}."
                )
    refusals.report()


async def other_peoples_words_stay_apart(trial: Trial) -> None:
    """A text in a record cannot begin a line as the kit does, except between tags."""
    value, refusals = await _value(trial), _Refusals(trial)
    tried = [*attempts(value)]
    for call in _calls(trial):
        for name, other in worth_trying(tried, _view(trial, call, value)):
            for line in outside(refusals.text(call, name, other)):
                if line.lstrip().startswith(FORGED):
                    raise trial.broken(
                        f"with {_choice(call)}, a text in {name} passes for a line of the kit: {line}",
                        "write texts of others between tags, with laconic.text.tagged, or in a line that "
                        "begins with words of yours, with laconic.kit.one_line",
                    )
    refusals.report()


class _Refusals:
    """Fields in which a record's own text takes no hostile text: there, nothing can be checked."""

    def __init__(self, trial: Trial) -> None:
        self._trial = trial
        self._found: dict[str, Exception] = {}

    def text(self, call: Call, name: str, value: Any) -> str:
        """Return the text of a value with hostile text in this field; empty if it refuses it."""
        try:
            return _text(self._trial, call, value)
        except (TypeError, ValueError, LookupError) as error:
            self._found.setdefault(name, error)
            return ""

    def report(self) -> None:
        """Say what could not be tried.

        Raises:
            Untried: there are such fields.
        """
        if self._found:
            refused = "; ".join(f"{name} ({error!r:.80})" for name, error in self._found.items())
            raise Untried(f"{self._trial.spec.name}: its text takes no hostile text in {refused}")


async def _value(trial: Trial) -> Any:
    """Return what the sample returns; of a list, the first records.

    Raises:
        Untried: there is no record in it.
    """
    value = (await trial.answer(trial.sample)).value
    if isinstance(value, Page | Batch):
        first, *others = list(value.items)[:_FEW] or [None]
        value = replace(value, items=[one for one in [*[first] * _times(first), *others] if one is not None])
    if not records_of(value):
        raise Untried(f"{trial.spec.name}: its sample returns no record to check")
    return value


def _times(record: Record | None) -> int:
    """Return how often the first record is in a list, so that a list that may have a heading has one."""
    return FEWEST if record is not None and options_of(type(record)).headings else 1


def _calls(trial: Trial) -> Iterator[Call]:
    """Return a call for each view of the answer."""
    spec = trial.spec
    for choice in views(trial):
        checked = Checked({}, {}, format=choice.get("format"), fields=choice.get(spec.fields or ""))
        yield Call(spec, choice, SilentPeer(), output="both", checked=checked)


def _choice(call: Call) -> str:
    return str(call.arguments or "its sample")


def _text(trial: Trial, call: Call, value: Any) -> str:
    return present(call, value, trial.client.endpoint.envelope_of(trial.spec)).text


def _view(trial: Trial, call: Call, value: Any) -> View:
    record = trial.spec.signature.record if isinstance(value, Page | Batch) else None
    return view_of(call, record or type(records_of(value)[0]))


def _lost(trial: Trial, call: Call, value: Any, text: str) -> Iterator[str]:
    """Return the names of values that the text lacks."""
    records = records_of(value)
    if not text:  # refused
        return
    view = _view(trial, call, value)
    many = isinstance(value, Page | Batch)
    if all(view.own(one) is not None for one in records):
        yield from _lost_bodies(view, records, text)
        yield from _lost_words(view, records, text) if many else ()
        return
    expected = [view.values(one, days=many and view.days) for one in records]
    try:
        found = read_many(text, view) if many else [read_one(text, view)]
    except NotReadBack as error:
        yield str(error)
        return
    order = {repr(values): place for place, values in enumerate(expected)}
    for values in found:
        if repr(values) not in order:
            near = next((one for one in expected if _key(view, one) == _key(view, values)), {})
            yield next((name for name in values if values[name] != near.get(name)), "a record")
    if len(found) != len(expected):
        yield "a record"


def _key(view: View, values: dict[str, Any]) -> Any:
    return values.get(view.wire(view.options.key))


def _lost_words(view: View, records: Sequence[Record], text: str) -> Iterator[str]:
    """Return the fields whose words on a line are neither there nor in a heading."""
    day = Days.of(view, records)
    for record in records:
        for name, word in (view.own_line(record, day) or {}).items():
            is_usual = name == view.options.usual and f"{view.word(record, name)} unless marked" in text
            if word.strip(" :\n") not in text and not is_usual:
                yield name


def _lost_bodies(view: View, records: Sequence[Record], text: str) -> Iterator[str]:
    shown = inside(text)
    for name in view.options.bodies:
        if name in view.columns:
            bodies = [getattr(one, name) for one in records]
            yield from [name for body in bodies if body and body not in shown]
