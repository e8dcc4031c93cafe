"""Generations: what was last written, and which writes are running, in one value of the state store."""

from __future__ import annotations

import secrets
from dataclasses import field, replace
from typing import Final

from laconic.data import dataclass
from laconic.kit.keeping.frozen import packed, unpacked

__all__ = ["Generation"]

_RUNNING: Final = 3600.0  # seconds until a write that never ended counts as over


@dataclass(frozen=True)
class Generation:
    """A token that each write renews, and the writes that are running, each with the time it expires."""

    token: str = ""
    writing: dict[str, float] = field(default_factory=dict)

    @classmethod
    def read(cls, raw: bytes | None) -> Generation:
        """Return the generation that a store has; one of another version counts as a token."""
        if raw is None:
            return cls()
        try:
            known = unpacked(raw)
            return cls(known["token"], known["writing"])
        except (ValueError, KeyError, TypeError):
            return cls(raw.hex())

    def is_written(self, now: float) -> bool:
        """True if a write is running."""
        return any(until > now for until in self.writing.values())

    def started(self, write: str, now: float) -> Generation:
        """Return it with one more write that runs."""
        return replace(self, writing=self._running(now) | {write: now + _RUNNING})

    def ended(self, write: str, now: float) -> Generation:
        """Return it without this write, and with a new token."""
        others = {name: until for name, until in self._running(now).items() if name != write}
        return Generation(secrets.token_hex(8), others)

    def _running(self, now: float) -> dict[str, float]:
        return {name: until for name, until in self.writing.items() if until > now}

    def bytes(self) -> bytes:
        """Return it for the store."""
        return packed({"token": self.token, "writing": self.writing})
