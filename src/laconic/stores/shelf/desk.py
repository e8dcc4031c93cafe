"""Desk: everything that can be done with a shelf, within one transaction."""

from __future__ import annotations

from laconic.stores.shelf.labelling import Labelling
from laconic.stores.shelf.lifecycle import Lifecycle
from laconic.stores.shelf.reverting import Reverting
from laconic.stores.shelf.searching import Searching
from laconic.stores.shelf.using import Using

__all__ = ["Desk"]


class Desk(Reverting, Lifecycle, Labelling, Using, Searching):
    """Adds, reads, changes, tags, labels, links, puts away and finds items."""
