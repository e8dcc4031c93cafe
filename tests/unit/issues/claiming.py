"""Agents that claim and release, some killed: python -m tests.unit.issues.claiming CLAIMS KILLS SEED TREE …

Each agent that got an issue leaves a witness, a file that only one can create, and takes it away before it
releases the issue. An agent that was killed starts again under its name, and may find its own witness; the
witness of another means that two hold the issue.
"""

import os
import random
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

from laconic.kit import Conflict
from laconic.servers.issues.service import Tracker
from laconic.servers.issues.store import IssueStore

AGENTS = 8
_TWO_HOLDERS = 7  # exit status


def work(tree: Path, name: str, witnesses: Path, say: int, seed: int) -> None:
    """Claims and releases until it is killed."""
    chance = random.Random(seed)
    tracker = Tracker(IssueStore(tree, environ={}, patience=60.0))
    ids = [entry.id for entry in IssueStore(tree, environ={}).entries()]
    while True:
        id = chance.choice(ids)
        try:
            tracker.change(id, {"assignee": name, "status": "in_progress"}, claim=True)
        except Conflict:
            continue
        witness = witnesses / id
        _bear(witness, name)
        time.sleep(chance.uniform(0, 0.06))
        _bear(witness, name)
        witness.unlink()
        tracker.change(id, {"assignee": "", "status": "open"})
        os.write(say, b".")


def _bear(witness: Path, name: str) -> None:
    """Creates a witness, or finds its own."""
    with suppress(FileExistsError):
        handle = os.open(witness, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
        os.write(handle, name.encode())
        os.close(handle)
    if witness.read_text(encoding="ascii") not in (name, ""):  # empty: its maker was killed
        os._exit(_TWO_HOLDERS)


def start(tree: Path, name: str, witnesses: Path, say: int, seed: int) -> int:
    """Starts an agent, and returns its process id."""
    child = os.fork()
    if child == 0:
        try:
            work(tree, name, witnesses, say, seed)
        finally:
            os._exit(1)
    return child


def main(claims: int, kills: int, seed: int, trees: list[Path]) -> None:
    """Lets agents work in all trees and kills some; prints the claims, the kills and how agents ended."""
    chance, witnesses = random.Random(seed), trees[0].parent / "witnesses"
    witnesses.mkdir()
    reading, saying = os.pipe()
    names = [f"agent-{number}" for number in range(AGENTS)]
    agents = {name: trees[number % len(trees)] for number, name in enumerate(names)}
    running = {
        name: start(tree, name, witnesses, saying, seed + i) for i, (name, tree) in enumerate(agents.items())
    }
    done, killed, ended = 0, 0, list[int]()
    while done < claims:
        done += len(os.read(reading, 1 + claims // (kills + 1)))
        name = chance.choice(names)
        time.sleep(chance.uniform(0, 0.01))
        os.kill(running[name], signal.SIGKILL)
        ended.append(os.waitstatus_to_exitcode(os.waitpid(running[name], 0)[1]))
        killed += 1
        running[name] = start(agents[name], name, witnesses, saying, seed + 1000 * killed)
    for child in running.values():
        os.kill(child, signal.SIGKILL)
        ended.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    print(done, killed, *sorted({*ended}))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), [Path(word) for word in sys.argv[4:]])
