"""Attempts: what a tool would answer if somebody had put hostile text into its records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from laconic.kit.answers.pages import Batch, Page
from laconic.kit.answers.records import Record, options_of
from laconic.kit.answers.views import View
from laconic.kit.contract.hostile import FORGED, everything, hostile_copies

__all__ = ["Attempt", "attempts", "records_of", "worth_trying"]


@dataclass(frozen=True)
class Attempt:
    """What a tool would answer if somebody had put a hostile text into one field of a record."""

    field: str
    where: str  # the field or its keys, in words
    is_enough: bool  # to see that a field is not shown
    value: Any


def attempts(value: Any) -> Iterator[Attempt]:
    """Return every hostile text in every field that takes text."""
    for record in {id(one): one for one in records_of(value)}.values():
        is_under = sum(one is record for one in records_of(value)) > 1
        for hostile in hostile_copies(record):
            if is_under and hostile.where not in options_of(type(record)).headings:
                continue  # on a line, it is the same as in a lone record
            other: Any = hostile.record
            if isinstance(value, Page | Batch):
                other = replace(value, items=[other if one is record else one for one in value.items])
            is_enough = hostile.text in (FORGED[0], everything(hostile.field))
            yield Attempt(hostile.field, hostile.where, is_enough, other)


def worth_trying(tried: Sequence[Attempt], view: View) -> Iterator[tuple[str, Any]]:
    """Return all hostile texts, where fields are chosen in those; two are enough to see what is left out."""
    for one in tried:
        if view.fields is None or one.field in view.columns or one.is_enough:
            yield one.where, one.value


def records_of(value: Any) -> Sequence[Record]:
    """Return the records of a tool's answer."""
    if isinstance(value, Page | Batch):
        return value.items
    return [value] if isinstance(value, Record) else []
