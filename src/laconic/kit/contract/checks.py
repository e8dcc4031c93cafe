"""The checks of a contract, in the order they are made; each function's docstring is its rule."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal

from laconic.kit.contract import calls, declared, paging, refusals, snapshots, source, words, writing
from laconic.kit.contract.terms import Terms
from laconic.kit.contract.trial import Declared, Trial
from laconic.kit.declaring.spec import ToolSpec
from laconic.kit.pipeline import Output
from laconic.kit.testing import ERAS

__all__ = ["CHECKS", "Check"]

Subject = Literal["toolset", "declaration", "call"]


def _always(_: Any) -> bool:
    return True


@dataclass(frozen=True)
class Check:
    """One rule: what it checks, in which modes and eras, and where it applies."""

    function: Callable[[Any], Awaitable[None] | None]
    of: Subject
    outputs: tuple[Output, ...] = ("text",)
    eras: tuple[str, ...] = ERAS[-1:]
    when: Callable[[ToolSpec], bool] = _always
    fresh: bool = False  # not in a world where other checks have called the tool
    given: Callable[[Terms], bool] = _always  # a check that nobody asked for is absent, not skipped

    @property
    def name(self) -> str:
        """The name of its function."""
        return getattr(self.function, "__name__", "")

    @property
    def rule(self) -> str:
        """What it requires, in one sentence."""
        return " ".join((self.function.__doc__ or "").partition("\n\n")[0].split())


def _of_toolset(function: Callable[[Terms], None], **more: Any) -> Check:
    return Check(function, "toolset", **more)


def _of_declaration(function: Callable[[Declared], None], **more: Any) -> Check:
    return Check(function, "declaration", **more)


def _of_call(function: Callable[[Trial], Awaitable[None]], **more: Any) -> Check:
    return Check(function, "call", **more)


def _has_snapshots(terms: Terms) -> bool:
    return terms.snapshots is not None


def _has_budget(terms: Terms) -> bool:
    return terms.budget is not None


def _has_bodies(terms: Terms) -> bool:
    return bool(terms.bodies)


def _writes(spec: ToolSpec) -> bool:
    return spec.writes


def _reads(spec: ToolSpec) -> bool:
    return spec.hints.read_only


def _repeatable(spec: ToolSpec) -> bool:
    return spec.hints.idempotent and not spec.hints.read_only


def _replays(spec: ToolSpec) -> bool:
    return bool(spec.replays)


def _pages(spec: ToolSpec) -> bool:
    return spec.signature.is_page and spec.signature.window is not None


def _takes_offset(spec: ToolSpec) -> bool:
    window = spec.signature.window
    return _pages(spec) and window is not None and bool(window[1].offset)


def _has_records(spec: ToolSpec) -> bool:
    return spec.signature.record is not None


_ALL: tuple[Output, ...] = ("text", "structured", "both")

CHECKS: tuple[Check, ...] = (
    _of_toolset(declared.no_two_tools_share_a_name),  # first: nothing can be listed while it is broken
    _of_toolset(declared.hints_name_tools_that_exist),
    _of_toolset(declared.the_list_is_within_its_budget, given=_has_budget),
    _of_toolset(snapshots.the_size_is_the_snapshot, given=_has_snapshots),
    _of_toolset(snapshots.no_snapshot_is_left_over, given=_has_snapshots),
    _of_declaration(snapshots.the_listing_is_the_snapshot, given=_has_snapshots),
    _of_declaration(declared.the_name_fits_every_host),
    _of_declaration(declared.the_description_is_short),
    _of_declaration(declared.parameters_are_described),
    _of_declaration(declared.the_schema_is_an_object),
    _of_declaration(declared.a_page_has_a_window),
    _of_declaration(source.tools_only_call_the_service),
    _of_call(refusals.an_unknown_argument_is_refused, outputs=_ALL, eras=ERAS),
    _of_call(refusals.a_failure_says_what_to_do, outputs=_ALL, eras=ERAS),
    _of_call(refusals.every_mistake_is_reported, outputs=_ALL),
    _of_call(refusals.a_failure_fits_its_schema, outputs=("both",)),
    _of_call(calls.arguments_left_out_are_none, eras=ERAS),
    _of_call(calls.both_eras_are_answered_alike, outputs=_ALL),
    _of_call(calls.text_comes_alone, eras=ERAS),
    _of_call(calls.structured_content_fits_its_schema, outputs=("structured", "both"), eras=ERAS),
    _of_call(calls.each_form_is_enough_by_itself, outputs=("both",), eras=ERAS),
    _of_call(calls.a_read_changes_nothing, when=_reads, fresh=True),
    _of_call(calls.an_idempotent_tool_may_be_repeated, when=_repeatable),
    _of_call(calls.a_retry_with_the_same_key_happens_once, when=_replays),
    _of_call(words.text_is_lossless, outputs=("both",), when=_has_records),
    _of_call(words.other_peoples_words_stay_apart, outputs=("both",), when=_has_records),
    _of_call(paging.a_page_says_shown_of_total, outputs=("text", "both"), when=_pages),
    _of_call(paging.the_cursor_reaches_every_item_once, outputs=("text", "both"), when=_pages),
    _of_call(paging.pages_are_true_in_every_form, outputs=_ALL, when=_pages),
    _of_call(paging.a_page_keeps_its_limit, outputs=("both",), when=_pages),
    _of_call(paging.an_offset_skips_items, outputs=("both",), when=_takes_offset),
    _of_call(paging.the_second_page_looks_like_the_first, outputs=("both",), when=_pages),
    _of_call(writing.a_cursor_keeps_its_list, when=_pages, fresh=True),
    _of_call(writing.a_body_is_read_back_as_written, outputs=("both",), when=_writes, given=_has_bodies),
)
"""All checks, in the order in which they are made."""
