"""Mistakes in a declaration, found when its module is imported: one sentence each, with the tool's name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from datetime import date, time, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from string import Formatter
from types import NoneType
from typing import Any, Final, get_args, get_origin, is_typeddict
from uuid import UUID

from pydantic import BaseModel

from laconic.kit.answers.content import Beside, Block, Verbatim
from laconic.kit.answers.pages import Batch, Page
from laconic.kit.answers.records import Record, options_of
from laconic.kit.declaring.classes import classes_of
from laconic.kit.declaring.options import Options
from laconic.kit.declaring.parts import Part
from laconic.kit.declaring.reserved import refuse_reserved
from laconic.kit.declaring.spec import ToolSpec
from laconic.kit.errors import BadConfiguration
from laconic.text import case_of, did_you_mean, nearest

__all__ = ["check_declaration", "unknown_option"]

_VALUES: Final = (str, int, float, bool, NoneType, date, time, timedelta, Decimal, UUID, Enum, PurePath)
_OPTIONS: Final = tuple(option.name for option in fields(Options))
_SOUND: Final[set[int]] = set()
_BLOCKS: Final = (*get_args(Block), Verbatim)


def check_declaration(tool: ToolSpec, *, also: tuple[type, ...] = ()) -> None:
    """Check what a tool takes, returns and names.

    Args:
        tool: as it was declared.
        also: further types that it may return.

    Raises:
        BadConfiguration: with the tool's name and what to change.
    """
    signature = tool.signature
    if id(signature) not in _SOUND:
        _parameters(tool)
        _returns(tool, also)
    if signature.collects:
        _SOUND.add(id(signature))  # one function runs many tools; its signature is kept for good
    refuse_reserved(tool)
    _names(tool)


def unknown_option(tool: str, given: Iterable[str]) -> BadConfiguration | None:
    """Return what is wrong with the names of a declaration's options, if anything is."""
    for name in given:
        if name not in _OPTIONS:
            hint = did_you_mean(nearest(name, _OPTIONS), quote="'")
            return BadConfiguration(f"{tool}: unknown option '{name}'.{hint}")
    return None


def _parameters(tool: ToolSpec) -> None:
    for parameter in tool.signature.parameters:
        for kind in classes_of(parameter.annotation):
            if not _can_be_sent(kind):
                raise BadConfiguration(
                    f"{tool.name}: no caller can send {parameter.name}, a {kind.__name__}. If the server "
                    f"supplies it, add it to the toolset: Toolset(provides=({kind.__name__},))."
                )
            if issubclass(kind, Part):
                _case(tool, kind)


def _case(tool: ToolSpec, part: type[Part]) -> None:
    other = [field.alias or name for name, field in part.model_fields.items()]
    if any(
        case_of(name, tool.case) != written for name, written in zip(part.model_fields, other, strict=True)
    ):
        base = "CamelPart" if tool.case == "camel" else "Part"
        raise BadConfiguration(
            f"{tool.name}: the names of {part.__name__} are not in {tool.case} case, as its toolset is. "
            f"Write class {part.__name__}({base})."
        )


def _can_be_sent(kind: type) -> bool:
    known = (*_VALUES, bytes, list, dict, tuple, set, frozenset, BaseModel)
    described = "__get_pydantic_core_schema__", "__pydantic_core_schema__"
    return (
        kind is object
        or issubclass(kind, known)
        or is_dataclass(kind)
        or is_typeddict(kind)
        or any(hasattr(kind, name) for name in described)
    )


def _returns(tool: ToolSpec, also: tuple[type, ...]) -> None:
    signature = tool.signature
    if (signature.is_page or signature.is_batch) and signature.record is None:
        many = "Page" if signature.is_page else "Batch"
        raise BadConfiguration(f"{tool.name} returns a {many} of something that is not a Record.")
    if signature.record is not None:
        _fields(tool, signature.record)
    if signature.window is not None and signature.returns is None:
        raise BadConfiguration(f"{tool.name} takes a Window: declare what it returns, such as -> Page[Book].")
    _with_blocks(tool, signature.returns)
    for kind in classes_of(signature.returns):
        if not _can_be_shown(kind, also):
            raise BadConfiguration(
                f"{tool.name} returns {_spelling(signature.returns)}, which cannot be shown. Return a "
                "Record, text, a number, a model, a dataclass, or a list of blocks: [Text(…), Image(…)]."
            )


def _with_blocks(tool: ToolSpec, returns: Any) -> None:
    """Check each tuple in what a tool returns: it is a record and the blocks beside it."""
    for kind in (returns, *get_args(returns)):
        if get_origin(kind) is tuple and not kind_of_tuple(kind):
            raise BadConfiguration(
                f"{tool.name} returns {_spelling(kind)}. A tuple is a record and the blocks beside it, such "
                "as tuple[Summary, Link]."
            )


def kind_of_tuple(kind: Any) -> type[Record] | None:
    """Return the record of a tuple that is a record and the blocks beside it: images, sounds, documents."""
    record, *others = get_args(kind) or (None,)
    if not isinstance(record, type) or not issubclass(record, Record) or not others:
        return None
    blocks = [one for other in others for one in classes_of(other) if one is not tuple]
    return record if blocks and all(issubclass(one, Beside) for one in blocks) else None


def _fields(tool: ToolSpec, record: type[Record]) -> None:
    for name, field in record.model_fields.items():
        for kind in classes_of(field.annotation):
            if not _can_be_sent(kind):  # what a caller can send, it can be shown
                article = "an" if kind.__name__[0] in "AEIOU" else "a"
                raise BadConfiguration(
                    f"{tool.name}: {record.__name__}.{name} is {article} {kind.__name__}, "
                    "which cannot be shown. Make it text, a number, a model or a dataclass."
                )


def _can_be_shown(kind: type, also: tuple[type, ...]) -> bool:
    known: tuple[type, ...] = (*_VALUES, list, dict, tuple, *_BLOCKS, BaseModel, Page, Batch, *also)
    return kind is object or issubclass(kind, known) or is_dataclass(kind) or is_typeddict(kind)


def _spelling(annotation: Any) -> str:
    return annotation.__name__ if isinstance(annotation, type) else str(annotation).replace("typing.", "")


def _names(tool: ToolSpec) -> None:
    """Check the names that a declaration mentions: arguments in its texts, and its format."""
    if isinstance(tool.confirm, str):
        _mentions(tool, "confirm", tool.confirm)
    if tool.subject:
        _mentions(tool, "subject", tool.subject)
    record = tool.signature.record
    if tool.format and record is not None and tool.format not in options_of(record).formats:
        hint = did_you_mean(nearest(tool.format, options_of(record).formats), quote="'")
        raise BadConfiguration(f"{tool.name}: {record.__name__} has no format '{tool.format}'.{hint}")


def _mentions(tool: ToolSpec, option: str, text: str) -> None:
    if any(parameter.is_inline for parameter in tool.signature.parameters):
        return  # their fields are arguments too; what they are called is known only with the schema
    known = [*tool.names, *tool.signature.ambient]
    for _, name, _, _ in Formatter().parse(text):
        first = (name or "").partition(".")[0].partition("[")[0]
        if first and first not in known:
            hint = did_you_mean(nearest(first, known), quote="'")
            raise BadConfiguration(f"{tool.name}: {option}= mentions '{first}', no argument of it.{hint}")
