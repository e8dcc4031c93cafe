"""The workspace of the demo: a ship's memos and a git repository, the same every time."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Final

__all__ = ["MEMOS", "write_memos", "write_repository"]

_BEGIN: Final = datetime(2026, 1, 5, 8, tzinfo=UTC)
_PEOPLE: Final = ("Ann", "Ben", "Cleo")
_VERBS: Final = ("Check", "Clean", "Grease", "Inspect", "Order", "Paint", "Replace", "Stow")
_THINGS: Final = (
    "anchor chain", "anchor light", "backstay", "bilge pump", "boom vang", "bow thruster", "chart table",
    "cockpit drain", "compass", "deck hatch", "depth sounder", "dinghy", "engine mount", "fenders",
    "fire blanket", "flares", "foghorn", "forestay", "fresh water tank", "galley stove", "genoa sheet",
    "halyard winch", "hull anode", "jackstays", "keel bolts", "life raft", "mainsail", "masthead light",
    "mooring lines", "navigation lights", "propeller shaft", "radar", "rudder bearing", "safety harness",
    "sea cocks", "spare rope", "steering cable", "storm jib", "toolbox", "windlass",
)  # fmt: skip
_REMARKS: Final = (
    "Salt had got in, so rinse it with fresh water first and let it dry in the shade.",
    "The spare is in the port locker, behind the oilskins, in a box with a red lid.",
    "Allow half a day, two people, and calm weather; it cannot be done under way.",
    "Last year the yard in Brest did it and asked for more than was agreed.",
    "The manual says every season, the crew says after every gale, and the crew is right.",
    "Mind the split pin: it looks sound from above and is worn through underneath.",
    "Write down the serial number before it goes back, the label fades quickly.",
)
_RARE: Final = "The insurer wants a photograph of it before the end of the season."

MEMOS: Final = len(_VERBS) * len(_THINGS)
_COMMITS: Final = 60


def write_memos(workspace: Path) -> None:
    """Write a few hundred memos for the example server, each with its own modification time."""
    folder = workspace / "memos"
    folder.mkdir()
    for number, (thing, verb) in enumerate(product(_THINGS, _VERBS)):
        path = folder / f"{verb} {thing}.md".lower().replace(" ", "-")
        tags = f"{_PEOPLE[number % 3].lower()}, {'spring' if number % 2 else 'autumn'}"
        header = f"title: {verb} the {thing}\ntags: [{tags}]\n"
        path.write_text(f"---\n{header}---\n{_body(number)}\n", encoding="utf-8")
        changed = (_BEGIN + timedelta(hours=7 * (number * 37 % MEMOS))).timestamp()
        os.utime(path, (changed, changed))


def _body(number: int) -> str:
    sentences = [_REMARKS[(number + step * 2) % len(_REMARKS)] for step in range(4)]
    return " ".join([*sentences, _RARE] if number % 61 == 5 else sentences)


def write_repository(workspace: Path) -> None:
    """Create a git repository with two branches and no tag, using git itself."""
    _git(workspace, "init", "--quiet", "--initial-branch=main")
    _git(workspace, "config", "core.abbrev", "7")  # independent of this machine's configuration
    _git(workspace, "fast-import", "--quiet", given="".join(_history()))


def _history() -> Iterator[str]:
    """Yield the commits as input of git fast-import; the last three are on a second branch."""
    for number in range(_COMMITS):
        who, thing = _PEOPLE[number * 7 % 5 % 3], _THINGS[number * 11 % len(_THINGS)]
        branch = "refs/heads/main" if number < _COMMITS - 3 else "refs/heads/storm-jib"
        when = int((_BEGIN + timedelta(hours=5 * number)).timestamp())
        message = f"{_VERBS[number % len(_VERBS)]} the {thing}\n\n{_REMARKS[number % len(_REMARKS)]}\n"
        log = f"{number + 1}. {thing}\n"
        yield f"commit {branch}\nmark :{number + 1}\n"
        yield f"committer {who} <{who.lower()}@example.org> {when} +0000\n"
        yield f"data {len(message)}\n{message}"
        yield f"from :{number}\n" if number else ""
        yield f"M 100644 inline log.md\ndata {len(log)}\n{log}\n"


def _git(folder: Path, *words: str, given: str = "") -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    alone = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    subprocess.run(["git", "-C", folder, *words], env=kept | alone, input=given.encode(), check=True)
