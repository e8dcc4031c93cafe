"""Repairs killed before each of their steps in turn: python -m tests.unit.issues.repairing FOLDER

A step is a change to a folder: a file is linked, renamed or removed. After each kill every text exists once,
and the next repair finishes what was started.
"""

import os
import sys
from collections import Counter
from itertools import count
from pathlib import Path

from laconic.servers.issues.doctor.doctor import Doctor
from laconic.servers.issues.merging.merge import merged
from laconic.servers.issues.sessions.files import SessionFiles
from laconic.servers.issues.store import IssueStore
from laconic.stores.header.header import Header

_STEPS = {"os.rename", "os.link", "os.remove"}
_TEXT = "---\nid: {id}\ntitle: {title}\ntype: {type}\nstatus: {status}\n{more}---\nText of {title}.\n"
_ISSUES = 10


def write(root: Path, name: str, text: str) -> None:
    path = root / ".wrangler" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def text(id: str, title: str, day: int, *, type: str = "issue", status: str = "open", more: str = "") -> str:
    made = f"createdAt: '2025-01-{day:02d}T00:00:00.000Z'\n"
    return _TEXT.format(id=id, title=title, type=type, status=status, more=made + more)


def build(root: Path) -> None:
    """Makes a workspace with one of each thing that the doctor repairs."""
    for day in (1, 2, 3):
        write(root, f"issues/ISS-000001-t{day}.md", text("ISS-000001", f"T{day}", day))
    write(root, "issues/SPEC-000001-plan.md", text("SPEC-000001", "Plan", 4, type="specification"))
    write(root, "issues/done.md", text("ISS-000002", "Done", 5, status="closed"))
    write(root, "issues/archived/done.md", text("ISS-000003", "Name taken", 6, status="closed"))
    write(root, "issues/ISS-000004-next.md", text("ISS-000004", "Next", 7, more="blockedBy: ['2']\n"))
    same = [text("ISS-000005", "Same", day) + f"Of day {day}.\n" for day in (9, 8)]
    write(root, "issues/ISS-000005-same.md", merged(b"", *(one.encode() for one in same)).content.decode())
    copy = text("ISS-000006", "Copy", 10, status="closed")
    for folder in ("issues", "issues/archived"):
        write(root, f"{folder}/ISS-000006-copy.md", copy)


def repair(root: Path) -> None:
    left = Doctor(IssueStore(root, environ={}), SessionFiles(root)).repair().findings
    assert left == [], left


def killed_before(step: int, root: Path) -> bool:
    """Repairs in a child that ends before its nth step; returns whether it got that far."""
    child = os.fork()
    if child == 0:
        steps = count(1)
        sys.addaudithook(lambda event, _: os._exit(9) if event in _STEPS and next(steps) == step else None)
        repair(root)
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (0, 9), f"the repair failed: {status}"
    return status == 9


def check(root: Path) -> None:
    """Checks that every issue exists, complete and once."""
    entries = IssueStore(root, environ={}).entries()
    assert len({entry.id for entry in entries}) == len(entries) == _ISSUES, [one.id for one in entries]
    texts = Counter(Header.of((root / entry.path).read_text(encoding="utf-8")).body for entry in entries)
    assert set(texts.values()) == {1}, texts


def main(folder: Path) -> None:
    """Kills before the first step, before the second, and so on."""
    for step in count(1):
        root = folder / str(step)
        build(root)
        was_killed = killed_before(step, root)
        repair(root)
        check(root)
        if not was_killed:
            print(f"{step - 1} steps")
            return


if __name__ == "__main__":
    main(Path(sys.argv[1]))
