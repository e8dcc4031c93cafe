"""What a session does for every request unless the request says otherwise."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from laconic.upstream.errors import Rejected
from laconic.upstream.retrying import Retrying

__all__ = ["Policy"]


@dataclass(frozen=True)
class Policy:
    """Limits, waits and what is special about one vendor."""

    timeout: float = 15.0  # seconds for one exchange
    concurrency: int = 4  # exchanges at the same time
    most: int = 5_000_000  # bytes of an answer
    redirects: int = 5
    retrying: Retrying = field(default_factory=Retrying)
    scheme: str = "Bearer"  # the word before the token
    unsigned: Collection[str] = ()  # paths that never get a token, such as the one that makes tokens
    headers: Mapping[str, str] = field(default_factory=dict)
    waits: Sequence[str] = ()  # headers besides Retry-After that have seconds to wait
    kind: Callable[[int, Any], type[Rejected] | None] = lambda status, body: None  # None: by its status
    time_left: Callable[[], float | None] = lambda: None  # seconds until the caller gives up
