"""Kept: texts of files as they were at a revision, so as not to ask again, and to read on in them."""

from laconic.servers.google.kept.holding import HeldWords, Holding, is_own, own_revision
from laconic.servers.google.kept.known import Known
from laconic.servers.google.kept.shown import mark_of
from laconic.servers.google.kept.texts import Kept, KeptText

__all__ = ["HeldWords", "Holding", "Kept", "KeptText", "Known", "is_own", "mark_of", "own_revision"]
