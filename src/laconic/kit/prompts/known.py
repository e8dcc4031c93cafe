"""Known prompts: the first page of a list, from sources that know it without being loaded.

Most hosts ask for it right after the start, and most of the time nothing has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from laconic.kit.prompts.sources import Place, wire

if TYPE_CHECKING:
    from laconic.kit.supplying.home import Home

__all__ = ["known_page"]


def known_page(
    lists: Mapping[str, str],
    home_of: Callable[[str], Home],
    count: int,
    declared: Sequence[dict[str, Any]],
) -> tuple[list[dict[str, Any]], Place | None] | None:
    """Return the first page of declared prompts and those of all sources, and where the next one begins.

    None if one of the sources has to be asked. `lists` has a function for each, as `package.module:function`.
    """
    found: list[tuple[Place, dict[str, Any]]] = [(("", prompt["name"]), prompt) for prompt in declared]
    for toolset, reference in lists.items():
        if len(found) > count:
            break
        module, _, function = reference.partition(":")
        entries = getattr(import_module(module), function)(home_of(toolset), count + 1 - len(found))
        if entries is None:
            return None
        found += [((toolset, entry.name), wire(entry)) for entry in entries]
    shown = found[:count]
    return [prompt for _, prompt in shown], shown[-1][0] if len(found) > count else None
