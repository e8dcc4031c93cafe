"""Desk: everything that can be done with a shelf, within one transaction."""

from __future__ import annotations

from laconic.stores.shelf.items.lifecycle import Lifecycle
from laconic.stores.shelf.items.reverting import Reverting
from laconic.stores.shelf.items.using import Using
from laconic.stores.shelf.search.searching import Searching
from laconic.stores.shelf.versions.labelling import Labelling

__all__ = ["Desk"]


class Desk(Reverting, Lifecycle, Labelling, Using, Searching):
    """Adds, reads, changes, tags, labels, links, puts away and finds items."""
