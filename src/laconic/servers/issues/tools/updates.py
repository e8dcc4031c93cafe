"""One change of a batch: if it is invalid, it carries the problem and affects no other change."""

from typing import Any

from laconic.kit import SeparatePart
from laconic.servers.issues.models import Priority, Status
from laconic.servers.issues.tools.parts import Id, Labels


class Update(SeparatePart):
    """One change of a batch."""

    id: Id
    status: Status | None = None
    priority: Priority | None = None
    labels: Labels | None = None
    assignee: str | None = None
    project: str | None = None

    def values(self) -> dict[str, Any]:
        """Return what to change, or why the change is invalid."""
        return self.model_dump(exclude_unset=True) | ({"problem": self.problem} if self.problem else {})
