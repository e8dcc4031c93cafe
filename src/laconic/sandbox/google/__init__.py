"""A small Google: files, documents, spreadsheets and presentations, answered as the APIs are described."""

from __future__ import annotations

from pathlib import Path

from laconic.sandbox.google.app import PracticeGoogle
from laconic.sandbox.google.samples import fill
from laconic.sandbox.google.signing_in import REFRESH
from laconic.sandbox.google.site.blobs import Blobs
from laconic.sandbox.state import State, StoredState

__all__ = ["PracticeGoogle", "practice_google"]


def practice_google(folder: Path | None = None) -> PracticeGoogle:
    """Make an instance with sample files, in memory or in a folder that several processes share."""
    state, blobs = State(), Blobs()
    fill(state, blobs, REFRESH)
    if folder is not None:
        state, blobs = StoredState(folder / "google.json", state.stored()), Blobs(folder / "blobs", blobs)
    return PracticeGoogle(state, blobs)
