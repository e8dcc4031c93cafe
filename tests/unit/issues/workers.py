"""What the tests of concurrency run in separate processes: python -m tests.unit.issues.workers JOB …"""

import sys
from pathlib import Path

from laconic.servers.issues.models import Issue
from laconic.servers.issues.store import IssueStore
from laconic.stores.header.header import Header


def create(store: IssueStore, count: int, name: str) -> None:
    """Creates issues and prints their ids."""
    for number in range(count):
        print(store.create({"title": f"{name} {number}"}, "Body.").id, flush=True)


def label(store: IssueStore, count: int, name: str) -> None:
    """Adds labels to the first issue, one at a time."""
    for number in range(count):

        def add(header: Header, issue: Issue, added: str = f"{name}-{number}") -> None:
            header.set("labels", [*issue.labels, added])

        store.edit("ISS-000001", add)


def claim(store: IssueStore, count: int, name: str) -> None:
    """Claims free issues, and prints their ids."""
    for number in range(1, count + 1):

        def take(header: Header, issue: Issue) -> None:
            if issue.assignee is None:
                header.set("assignee", name)

        before, after = store.edit(str(number), take)
        if before.assignee is None and after.assignee == name:
            print(after.id, flush=True)


def shuffle(store: IssueStore, count: int, name: str) -> None:
    """Closes and opens the first issue in turn, so that its file moves."""
    for number in range(count):
        status = "closed" if number % 2 else "open"
        store.edit("ISS-000001", lambda header, _, status=status: header.set("status", status))  # type: ignore[misc]  # bound now


if __name__ == "__main__":
    job, root, cache, count, name = sys.argv[1:]
    opened = IssueStore(Path(root), cache=Path(cache), environ={}, patience=60.0)
    {"create": create, "label": label, "claim": claim, "shuffle": shuffle}[job](opened, int(count), name)
    opened.close()
