"""What answers of the issues server cost a model: lists, and finding one specification among forty."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from laconic.kit import Settings
from laconic.kit.testing import connect
from laconic.servers.issues.tools import issues
from tests.issues_sample import browse, fill_sample, structured_tokens

__all__ = ["counted"]


async def counted(root: Path) -> dict[str, int]:
    """Count the tokens of lists in both forms, of the task, and of five whole specifications."""
    fill_sample(root)
    found: dict[str, int] = {}
    async with connect(issues, settings=_settings(root)) as client:
        for format in ("minimal", "summary"):
            found[f"{format}, text"] = (await client.call("issues_list", limit=20, format=format)).tokens
        found["browse"] = await browse(client)
    async with connect(issues, settings=_settings(root, output="structured")) as client:
        for format in ("minimal", "summary"):
            reply = await client.call("issues_list", limit=20, format=format)
            found[f"{format}, structured"] = structured_tokens(reply.structured)
    async with connect(issues, settings=_settings(root, budget=0)) as client:
        found["five whole"] = sum(
            [(await client.call("issues_get", id=f"SPEC-{number:06d}")).tokens for number in range(11, 16)]
        )
    return found


def _settings(root: Path, **more: Any) -> Settings:
    return Settings(sections={"issues": {"workspace": str(root)}}, **more)
