"""What answers of the issues server cost a model: lists, and finding one specification among forty."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from laconic.kit import Settings
from laconic.kit.testing import connect
from laconic.servers.issues.tools import issues
from tests.issues_backlog import fill_backlog
from tests.issues_sample import browse, fill_sample, lists

__all__ = ["counted"]


async def counted(root: Path) -> dict[str, int]:
    """Count the tokens of lists in both forms, of the task, and of five whole specifications."""
    sample, backlog = root / "sample", root / "backlog"
    fill_sample(sample)
    fill_backlog(backlog)
    found = await _lists(sample)
    found |= {f"backlog: {name}": tokens for name, tokens in (await _lists(backlog)).items()}
    async with connect(issues, settings=_settings(sample)) as client:
        found["browse"] = await browse(client)
    async with connect(issues, settings=_settings(sample, budget=0)) as client:
        found["five whole"] = sum(
            [(await client.call("issues_get", id=f"SPEC-{number:06d}")).tokens for number in range(11, 16)]
        )
    return found


async def _lists(root: Path) -> dict[str, int]:
    found: dict[str, int] = {}
    for output in ("text", "structured"):
        async with connect(issues, settings=_settings(root, output=output)) as client:
            found |= await lists(client)
    return found


def _settings(root: Path, **more: Any) -> Settings:
    return Settings(sections={"issues": {"workspace": str(root)}}, **more)
