"""Checkups: what a server checks about itself for `laconic doctor`, such as that it can sign in."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any, Final

from laconic.data import dataclass
from laconic.kit.peer import Caller
from laconic.kit.translation import failure_of

if TYPE_CHECKING:
    from laconic.kit.supplying.supply import Supplies
    from laconic.kit.toolset import Toolset

__all__ = ["Diagnosis", "diagnoses"]

PATIENCE: Final = 15.0  # seconds for one checkup, which may ask another system


@dataclass(frozen=True)
class Diagnosis:
    """What a checkup found: something that works, or is wrong with the remedy."""

    what: str  # in a word or two: `sign-in`
    detail: str = ""
    ok: bool = True


async def diagnoses(toolset: Toolset, supplies: Supplies) -> AsyncIterator[Diagnosis]:
    """Run the checkups of a toolset; one that fails or takes too long is wrong, and the others still run.

    Those of the toolset whose services it uses are run as well, unless that is served itself.
    """
    root = toolset.root
    others = [] if root is toolset or supplies.serves(root.name) else root.checkups
    for checkup in (*others, *toolset.checkups):
        name = checkup.__name__
        try:
            async with asyncio.timeout(PATIENCE):
                found = await _found(checkup, await supplies.given(toolset.name, checkup, Caller()))
        except TimeoutError:
            found = [Diagnosis(name, f"no answer in {PATIENCE:g} s.", ok=False)]
        except Exception as error:
            found = [Diagnosis(name, failure_of(error).words, ok=False)]
        for one in found:
            yield one


async def _found(checkup: Callable[..., Any], services: dict[str, Any]) -> list[Diagnosis]:
    is_async = inspect.iscoroutinefunction(checkup)
    found = await (checkup(**services) if is_async else asyncio.to_thread(checkup, **services))
    return [found] if isinstance(found, Diagnosis) else list(found)
