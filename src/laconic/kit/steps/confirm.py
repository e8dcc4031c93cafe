"""A tool declared with `confirm=` needs a yes: an argument, or a person's if the client can ask one."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

from pydantic import BaseModel, Field

from laconic.kit.asking import Ask
from laconic.kit.declaring.spec import Spec
from laconic.kit.errors import Declined, NeedsConfirm
from laconic.kit.pipeline import Answer, Call, Inner, PatientPeer, Step, only_for
from laconic.text import case_of

_KEY = "laconic.confirm"  # not `confirm`, which a tool may use for a question of its own


class _Yes(BaseModel, defer_build=True):
    confirm: bool = Field(title="Yes, do it")


def confirm(section_of: Callable[[Spec], Any]) -> Step:
    """Run a call after `confirm: true` or a person's yes; `section_of` finds a toolset's configuration."""

    @only_for(lambda spec: bool(spec.confirm))
    async def step(call: Call, inner: Inner) -> Answer:
        question = _question(call, section_of)
        if question:
            await _ask(call, question)
        return await inner(call)

    return step


def _question(call: Call, section_of: Callable[[Spec], Any]) -> str | None:
    """Return what must be confirmed; None if nothing must, or it was."""
    spec, checked = call.spec, call.checked
    if not spec.confirm or checked is None or checked.confirm:
        return None
    if checked.wire.get(case_of("dry_run", spec.case)) is True:
        return None  # nothing is changed
    if callable(spec.confirm):
        return spec.confirm(checked.wire, section_of(spec))
    return spec.confirm.format_map(_Named({name: _as_sent(one) for name, one in checked.wire.items()}))


def _as_sent(value: Any) -> Any:
    """Return an argument as its caller wrote it: the value of an enum, not its name in the code."""
    return value.value if isinstance(value, Enum) else value


async def _ask(call: Call, question: str) -> None:
    """Ask the person, or have the caller pass `confirm`."""
    ask = Ask(PatientPeer(call))
    if not ask.is_possible:
        raise NeedsConfirm(
            f"{question} This needs a yes.", field="confirm", advice="Pass confirm: true to do it."
        )
    reply = await ask(question, _Yes, key=_KEY)
    if not reply.confirm:
        raise Declined


class _Named(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return "it"
