"""The four hints of each tool of a profile, and why it has them."""

from __future__ import annotations

from typing import Final

from laconic.cli import toolsets
from laconic.kit.declaring.spec import ToolSpec
from scripts.documentation.tables import table

__all__ = ["table_of_hints"]

_WHY: Final = {
    "read": "only reads",
    "create": "adds something; a repeat adds another, unless it has the same key",
    "update": "sets what is given; the same again changes nothing",
    "delete": "removes something, which may not come back",
}


def table_of_hints(place: str) -> str:
    """The hints of the tools of a profile, `server/profile`, in order of their names."""
    server, _, profile = place.partition("/")
    listed = toolsets.load(toolsets.find(server)).select(profile).listed
    head = ["tool", "kind", "readOnly", "destructive", "idempotent", "openWorld", "because it"]
    return table(head, [_row(name, listed[name]) for name in sorted(listed)])


def _row(name: str, spec: ToolSpec) -> list[str]:
    hints = ["yes" if hint else "no" for hint in spec.hints.wire().values()]
    kind = spec.effect.value
    why = f"changes something, and {spec.because}" if spec.because else _WHY[kind]
    return [f"`{name}`", kind, *hints, why]
