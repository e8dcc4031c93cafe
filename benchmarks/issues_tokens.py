"""What answers of the issues server cost a model: lists, and finding one specification among forty."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from benchmarks.issues_sample import QUESTION, WANTED, fill_sample
from laconic.kit import Settings
from laconic.kit.testing import TestClient, connect, count_tokens
from laconic.servers.issues.tools import issues

__all__ = ["browse", "counted", "structured_tokens"]


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


async def browse(client: TestClient) -> int:
    """Find the right specification and read its requirements; return the tokens of all answers.

    Raises:
        RuntimeError: the requirement was not found there.
    """
    found = await client.call("issues_search", query=QUESTION, filters={"types": ["specification"]})
    (id,) = re.findall(r"^(SPEC-\d+).*first release", found.text, re.MULTILINE)
    beginning = await client.call("issues_get", id=id)
    (handle,) = re.findall(r"handle='([^']+)'", beginning.text)
    section = await client.call("read_on", handle=handle, section="Requirements")
    if WANTED not in section.text:
        raise RuntimeError(f"not what was wanted: {section.text[:200]}")
    return found.tokens + beginning.tokens + section.tokens


def structured_tokens(structured: Any) -> int:
    """Count structured content as hosts show it to a model: compact JSON."""
    return count_tokens(json.dumps(structured, ensure_ascii=False, separators=(",", ":")))


def _settings(root: Path, **more: Any) -> Settings:
    return Settings(sections={"issues": {"workspace": str(root)}}, **more)
