"""Drive: its operations, by their names in the catalogue."""

from __future__ import annotations

from collections.abc import Mapping

from laconic.sandbox.google.answering import Handler
from laconic.sandbox.google.drive import about, changing, comments, content, finding, permissions

DRIVE: Mapping[str, Handler] = {
    **about.HANDLERS,
    **changing.HANDLERS,
    **comments.HANDLERS,
    **content.HANDLERS,
    **finding.HANDLERS,
    **permissions.HANDLERS,
}
