"""Snapshots: the listed definition of each tool with its size, committed and reviewed as a diff.

UPDATE_SNAPSHOTS=1 (or pytest --update-snapshots) writes them. A missing one is written as well, unless the
variable CI is set: then it fails, because nobody would commit it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from laconic.kit.contract.terms import Broken, Terms, Untried, difference
from laconic.kit.contract.trial import Declared
from laconic.kit.listing import model_text
from laconic.kit.testing import tool_tokens
from laconic.kit.toolset import Toolset

SIZE: Final = "_size.json"


def the_listing_is_the_snapshot(tool: Declared) -> None:
    """A tool is listed as in its snapshot, and costs the tokens recorded there."""
    folder = _folder(tool.terms, tool.spec.toolset)
    _hold(folder / f"{tool.spec.name}.json", {"tokens": tokens_of(tool.listed), "tool": tool.listed})


def the_size_is_the_snapshot(terms: Terms) -> None:
    """All tools together cost the tokens in the snapshot, so that a review shows a list that grows."""
    for toolset in terms.toolsets:
        names = dict.fromkeys(spec.name for spec in toolset.tools)  # tools of two profiles may share one
        listed = [terms.listing[name] for name in names if name in terms.listing]
        size = {
            "characters": sum(len(model_text(tool)) for tool in listed),
            "tokens": sum(tokens_of(tool) for tool in listed),
        }
        _hold(_folder(terms, toolset.name) / SIZE, size)


def no_snapshot_is_left_over(terms: Terms) -> None:
    """There is no snapshot of a tool that no longer exists."""
    for toolset in terms.toolsets:
        folder = _folder(terms, toolset.name)
        for path in sorted(folder.glob("*.json")):
            if path.name not in _expected(toolset):
                if not _updating():
                    raise Broken(f"{path.name} is the snapshot of a tool that no longer exists: delete it.")
                path.unlink()


def tokens_of(tool: Mapping[str, Any]) -> int:
    """Return how many tokens a tool's definition costs.

    Raises:
        Untried: the tokenizer is not installed.
    """
    try:
        return tool_tokens(tool)
    except ImportError:
        raise Untried("counting tokens needs rs_bpe: pip install rs_bpe") from None


def _expected(toolset: Toolset) -> set[str]:
    return {SIZE, *(f"{spec.name}.json" for spec in toolset.tools)}


def _folder(terms: Terms, toolset: str) -> Path:
    if terms.snapshots is None:
        raise Untried("no folder was given in snapshots=")
    return terms.snapshots / toolset


def _updating() -> bool:
    return bool(os.environ.get("UPDATE_SNAPSHOTS"))


def _hold(path: Path, value: Mapping[str, Any]) -> None:
    """Compare a value with its file."""
    now = json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    if _updating() or (not path.exists() and not os.environ.get("CI")):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(now, encoding="utf-8")
        return
    if not path.exists():
        raise Broken(
            f"There is no snapshot {path.name}.\n  do:   run the test once without CI, and commit it"
        )
    kept = path.read_text(encoding="utf-8")
    if kept != now:
        changed = difference(kept, now, path.name, "listed")
        raise Broken(f"The listing differs from its snapshot.\n  do:   UPDATE_SNAPSHOTS=1 pytest\n{changed}")
