"""The report on a workspace: what it lacks, or what was created, in words and as data."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import Field

from laconic.kit import Record, one_line
from laconic.servers.issues.git.ignoring import ignored_words
from laconic.servers.issues.index.layout import SCHEMA
from laconic.servers.issues.phrases import listed
from laconic.servers.issues.places import HOME

__all__ = ["CONFIG", "WorkspaceReport"]

CONFIG: Final = "config/wrangler.json"


class WorkspaceReport(Record, key="status"):
    """What a workspace lacks, or what was created."""

    status: Literal["compliant", "initialized", "changes_needed"]
    directories: dict[str, list[str]]
    assets: dict[str, dict[str, list[str]]]
    config: dict[str, bool]
    gitignore: dict[str, list[str]]
    ignored: list[str] = Field(default_factory=list)  # collections that git ignores
    home: str = Field(default=HOME, exclude=True)  # for the words

    def write_text(self, format: str | None) -> str:
        """The words for a model."""
        return self.words("run with fix: true")

    def words(self, apply: str) -> str:
        """What is new, one line per kind; `apply` is how the changes are made."""
        warned = [ignored_words(self.ignored)] if self.ignored else []
        if self.status == "compliant":
            return "\n".join(["Workspace is fully compliant. No changes needed.", *warned])
        done = self.status == "initialized"
        head = "Workspace initialized." if done else f"Workspace changes needed ({apply} to apply):"
        assets = [f"{kind}/{name}" for kind, found in self.assets.items() for name in found["copied"]]
        home, flags = one_line(self.home), {SCHEMA: "schemaUpdated", CONFIG: "wranglerConfigCreated"}
        settings = {f"{home}/{name}": self.config[flag] for name, flag in flags.items()}
        facts = {
            f"Directories {'created' if done else 'to create'}": self.directories["created"],
            f"Assets {'copied' if done else 'to copy'}": assets,
            f"Settings {'written' if done else 'to write'}": [name for name, new in settings.items() if new],
            f"Patterns {'added' if done else 'to add'} to {home}/.gitignore": self.gitignore["patternsAdded"],
        }
        lines = [f"{name}: {listed(new)}" for name, new in facts.items() if new]
        return "\n".join([head, *lines, *warned])
