"""The readme and the links of a package index's page, made when the wheel is built.

The README's links are relative to the repository. With its address, `[tool.laconic] repository`, they become
absolute, and the package lists the address; without one, a link becomes its text and pictures are left out.
No link is dead.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_PICTURED = re.compile(r"^In the picture.*?\n\n", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!\w+:|#)([^)]+)\)")


def readme(text: str, repository: str) -> str:
    """Return the README as a page outside of the repository shows it."""

    def absolute(found: re.Match[str]) -> str:
        picture, words, target = found.groups()
        return f"{picture}[{words}]({repository}/{'raw' if picture else 'blob'}/main/{target})"

    def bare(found: re.Match[str]) -> str:
        picture, words, _ = found.groups()
        return "" if picture else words

    if repository:
        return _LINK.sub(absolute, text)
    return re.sub(r"\n{3,}", "\n\n", _LINK.sub(bare, _PICTURED.sub("", text)))


def urls(repository: str) -> dict[str, str]:
    """Return the links that the package lists."""
    if not repository:
        return {}
    pages = {"Documentation": "docs/index.md", "Changes": "CHANGELOG.md"}
    return {
        "Repository": repository,
        **{name: f"{repository}/blob/main/{page}" for name, page in pages.items()},
    }


class Hook(MetadataHookInterface):
    """Fills in what `pyproject.toml` leaves to the build."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the readme and the links."""
        root = Path(self.root)
        settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
        repository = settings["tool"]["laconic"]["repository"].rstrip("/")
        text = readme((root / "README.md").read_text(encoding="utf-8"), repository)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        metadata["urls"] = urls(repository)
