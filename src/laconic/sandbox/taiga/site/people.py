"""People: who is asking, and what they may do in a project."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from laconic.sandbox.state import Row, State
from laconic.sandbox.taiga.refusals import anonymous, blocked, denied

__all__ = ["ALL", "STAKEHOLDER", "Visitor", "face"]

_NOUNS: Final = {"epic": "epics", "us": "us", "task": "tasks", "issue": "issues", "milestone": "milestones"}
_VIEWS: Final = frozenset({"view_project", *(f"view_{many}" for many in _NOUNS.values())})
_WRITES: Final = ("add", "modify", "comment", "delete")
ALL: Final = _VIEWS | {f"{verb}_{word}" for verb in _WRITES for word in _NOUNS}
STAKEHOLDER: Final = _VIEWS | {f"comment_{word}" for word in _NOUNS} | {f"{verb}_issue" for verb in _WRITES}


@dataclass(frozen=True)
class Visitor:
    """Whoever sent a request: a user, or nobody known."""

    state: State
    user: Row | None

    @property
    def id(self) -> int:
        """The user's id."""
        return int(self.known["id"])

    @property
    def known(self) -> Row:
        """The user; refused if nobody signed in."""
        if self.user is None:
            raise anonymous()
        return self.user

    def membership(self, project: Row) -> Row | None:
        """Return the membership in a project."""
        if self.user is None:
            return None
        found = self.state.where("memberships", project=project["id"], user=self.user["id"])
        return found[0] if found else None

    def permissions(self, project: Row) -> frozenset[str]:
        """Return what the visitor may do in a project; what the site has blocked is still listed."""
        own = self.membership(project)
        if own is None:
            return frozenset() if project["is_private"] else _VIEWS
        if own["is_admin"]:
            return ALL
        return frozenset(self.state.rows("roles")[own["role"]]["permissions"])

    def sees(self, project: Row, permission: str = "view_project") -> bool:
        """True if the visitor has a permission to view."""
        return permission in self.permissions(project)

    def check_view(self, project: Row, permission: str = "view_project") -> None:
        """Refuse whoever may not see something: 401 without a token, else 403."""
        if not self.sees(project, permission):
            raise anonymous() if self.user is None else denied()

    def check_write(self, project: Row, permission: str) -> None:
        """Refuse whoever may not write, and every write in an archived or blocked project."""
        _ = self.known
        if permission not in self.permissions(project) or project["archived_code"]:
            raise denied()
        if project["blocked_code"]:
            raise blocked()


def face(user: Row | None) -> dict[str, Any] | None:
    """Return what items show of a user."""
    if user is None:
        return None
    return {
        "id": user["id"],
        "username": user["username"],
        "full_name_display": user["full_name"],
        "photo": None,
        "big_photo": None,
        "gravatar_id": f"{user['id']:032x}",
        "is_active": True,
    }
