"""A small Taiga: signs in, keeps projects and work items, and answers as the real one was observed to."""

from __future__ import annotations

from pathlib import Path

from laconic.sandbox.state import StoredState
from laconic.sandbox.taiga.app import Practice
from laconic.sandbox.taiga.site.samples import PASSWORD, sample_state

__all__ = ["Practice", "practice_taiga"]


def practice_taiga(folder: Path | None = None) -> Practice:
    """Make an instance with sample data, in memory or in a folder that several processes share."""
    state = sample_state()
    if folder is not None:
        state = StoredState(folder / "taiga.json", state.stored())
    return Practice(state, ("alice", PASSWORD))
