"""Writers killed at random times: python -m tests.unit.issues.killing ROOT CACHE KILLS SEED

A child works on the store and reports each step before and after; it is killed, and everything it reported as
done must exist, complete and once. Only its last step is uncertain: done or not, and nothing in between.
"""

import os
import random
import signal
import sys
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from laconic.servers.issues.store import IssueStore

BODY = "".join(f"line {number} of a text that must stay whole\n" for number in range(300))


@dataclass
class Known:
    """The values that an issue may have now."""

    counts: set[int] = field(default_factory=lambda: {0})
    statuses: set[str] = field(default_factory=lambda: {"open"})
    is_deleted: set[bool] = field(default_factory=lambda: {False})


def work(store: IssueStore, ids: list[str], say: int, seed: int) -> None:
    """Changes issues until it is killed."""
    chance = random.Random(seed)
    counts = {id: int(store.find(id).project or 0) for id in ids}
    while True:
        deed = chance.choice(["create", "count", "count", "close", "open", "delete"])
        id = chance.choice(ids) if ids else ""
        if deed == "create" or not id:
            os.write(say, b"create - 0\n")
            made = store.create({"title": f"Made by {seed}"}, BODY)
            ids.append(made.id)
            counts[made.id] = 0
            os.write(say, f"done {made.id} 0\n".encode())
            continue
        if deed == "delete" and len(ids) < 12:
            continue
        counts[id] += deed == "count"
        os.write(say, f"{deed} {id} {counts[id]}\n".encode())
        if deed == "delete":
            store.delete(id)
            ids.remove(id)
        elif deed == "count":
            store.edit(id, lambda header, _, value=str(counts[id]): header.set("project", value))  # type: ignore[misc]  # bound now
        else:
            status = "closed" if deed == "close" else "open"
            store.edit(id, lambda header, _, value=status: header.set("status", value))  # type: ignore[misc]  # bound now
        os.write(say, b"done - 0\n")


def told(lines: list[str], known: dict[str, Known]) -> bool:
    """Reads a child's report; returns whether it was creating an issue when it was killed."""
    deed, id, count = "", "", 0
    for line in lines:
        word, name, number = line.split()
        if word != "done":
            deed, id, count = word, name, int(number)
            _uncertain(known, deed, id, count)
        else:
            _certain(known, deed, id if deed != "create" else name, count)
            deed = ""
    return deed == "create"


def _uncertain(known: dict[str, Known], deed: str, id: str, count: int) -> None:
    if deed == "count":
        known[id].counts.add(count)
    elif deed in ("close", "open"):
        known[id].statuses.add("closed" if deed == "close" else "open")
    elif deed == "delete":
        known[id].is_deleted.add(True)


def _certain(known: dict[str, Known], deed: str, id: str, count: int) -> None:
    if deed == "create":
        known[id] = Known()
    elif deed == "count":
        known[id] = replace(known[id], counts={count})
    elif deed == "delete":
        known[id] = replace(known[id], is_deleted={True})
    else:
        known[id] = replace(known[id], statuses={"closed" if deed == "close" else "open"})


def check(store: IssueStore, known: dict[str, Known], was_creating: bool) -> None:
    """Checks every file."""
    entries = {entry.id: entry for entry in store.entries()}
    assert len(entries) == len(store.entries()), "an issue is there twice"
    new = entries.keys() - known.keys()
    assert len(new) <= was_creating, f"issues that nobody made: {new}"
    known |= {id: Known() for id in new}
    for id, facts in list(known.items()):
        if id not in entries:
            assert True in facts.is_deleted, f"{id} is lost"
            del known[id]
            continue
        assert facts.is_deleted != {True}, f"{id} is back"
        issue = store.read(entries[id])
        assert issue.warnings == [], issue.warnings
        assert issue.description == BODY.strip(), f"{id} is not whole"
        assert int(issue.project or 0) in facts.counts, f"{id} has lost a change"
        assert issue.status in facts.statuses, f"{id} has lost its status"
        known[id] = Known({int(issue.project or 0)}, {issue.status})


def main(root: Path, cache: Path, kills: int, seed: int) -> None:
    """Kills as often as asked, and prints how much was done meanwhile."""
    chance, known, deeds = random.Random(seed), dict[str, Known](), 0
    for kill in range(kills):
        reading, saying = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            work(IssueStore(root, cache=cache, environ={}), list(known), saying, seed * 10_000 + kill)
        os.close(saying)
        time.sleep(chance.uniform(0.002, 0.06))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        with os.fdopen(reading, encoding="ascii") as said:
            lines = said.read().splitlines()
        deeds += sum(line.startswith("done") for line in lines)
        check(IssueStore(root, cache=cache, environ={}), known, told(lines, known))
    print(f"{kills} kills, {deeds} deeds, {len(known)} issues")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
