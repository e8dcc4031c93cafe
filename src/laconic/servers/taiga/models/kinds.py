"""Kinds of work items, and what Taiga calls their parts."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Kind:
    """A kind of work item."""

    noun: str  # for people
    path: str  # its list in the API
    word: str  # in permissions: add_us
    view: str  # in the permission to view: view_us
    statuses: str  # the key of its statuses in a project
    module: str  # the key that says whether the project uses it; empty: always
    finder: str  # the tool that lists them
    many: str = ""

    @property
    def one(self) -> str:
        """The noun with its article."""
        return f"{'an' if self.noun[0] in 'ei' else 'a'} {self.noun}"

    @property
    def nouns(self) -> str:
        """The noun for several."""
        return self.many or f"{self.noun}s"


EPIC: Final = Kind(
    "epic", "epics", "epic", "epics", "epic_statuses", "is_epics_activated", "taiga_list_epics"
)
STORY: Final = Kind(
    "user story", "userstories", "us", "us", "us_statuses", "", "taiga_list_user_stories", "user stories"
)
TASK: Final = Kind("task", "tasks", "task", "tasks", "task_statuses", "", "taiga_list_tasks")
ISSUE: Final = Kind(
    "issue", "issues", "issue", "issues", "issue_statuses", "is_issues_activated", "taiga_list_issues"
)
SPRINT: Final = Kind("sprint", "milestones", "milestone", "milestones", "", "", "taiga_list_sprints")
KINDS: Final = {"epic": EPIC, "user_story": STORY, "task": TASK, "issue": ISSUE}
