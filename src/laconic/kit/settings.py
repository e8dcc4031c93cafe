"""How an endpoint behaves, whatever it serves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from laconic import __version__

if TYPE_CHECKING:
    from laconic.kit.pipeline import Output, Step

__all__ = ["NAME", "Settings"]

NAME: Final = "laconic"  # what a server calls itself


@dataclass(frozen=True)
class Settings:
    """The choices of whoever runs a server."""

    output: Output = "text"
    read_only: bool = False
    dotted_names: bool = False
    prefixes: Mapping[str, str] = field(default_factory=dict)
    deadline: float = 60.0
    rate: int | None = None  # calls a minute and caller
    concurrency: int = 32  # calls at once and caller
    attempts: int = 3  # how often a read is tried whose upstream is down
    image_bytes: int = 1_500_000  # the largest picture in an answer
    repeats: float | None = None  # ask about an equal create within so many seconds
    long_list: bool = False  # list only the pinned tools and those that find and call the others
    pinned: tuple[str, ...] = ()
    budget: int = 25_000  # characters of an answer before the rest is kept aside; 0: no limit
    kept_for: float = 30 * 60.0  # seconds what was kept aside can be read
    list_page: int = 200  # tools, prompts or resources a page of a list
    steps: Sequence[Step] = ()
    version: str = __version__  # which one it says it is
    metadata: bool = False  # say the data of an answer once more under `metadata`, as servers of old did
    sections: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # each toolset's configuration
