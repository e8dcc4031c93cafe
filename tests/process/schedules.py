"""Random schedules of keyed calls, some of them killed: run as a program, it reports the outcome of each.

The parent imports everything once and forks a child for each call, so that thousands of real processes can be
killed in minutes. A call's effect is a line in a file.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

from laconic.kit import Endpoint, Settings, Toolset
from laconic.kit.peer import SilentPeer
from laconic.stores import open_keyvalue

DEADLINE = 0.4
# A killed call's record is given up sooner than in real life.
vars(import_module("laconic.kit.keeping.keys"))["_GRACE"] = 0.1


def _outbox(file: Path, pause: float) -> Toolset:
    outbox = Toolset("outbox")

    @outbox.create(hint="outbox_list", deadline=DEADLINE)
    async def outbox_send(text: Annotated[str, "What to say."]) -> str:
        """Send a message."""
        await asyncio.sleep(pause)
        with file.open("a", encoding="utf-8") as sent:  # the effect: atomic, since a short append is
            sent.write(f"{text}\n")
        await asyncio.sleep(pause)
        return f"Sent {text}."

    return outbox


async def _call(store: str, file: Path, pause: float, key: str, text: str) -> dict[str, Any]:
    endpoint = Endpoint([_outbox(file, pause)], state=open_keyvalue(store), settings=Settings(budget=0))
    answer = await endpoint.call_tool("outbox_send", {"text": text, "idempotency_key": key}, SilentPeer())
    await endpoint.close()
    code = answer.failure.code if answer.failure else "success"
    return {"code": code, "text": answer.text, "text_sent": text}


def _child(store: str, file: Path, pause: float, key: str, text: str, out: Path) -> int:
    """Fork a process that makes one call and writes down its answer."""
    child = os.fork()
    if child:
        return child
    try:
        result = asyncio.run(_call(store, file, pause, key, text))
        draft = out.with_suffix(".part")
        draft.write_text(json.dumps(result), encoding="utf-8")
        draft.replace(out)
    finally:
        os._exit(0)


def _schedule(number: int, store: str, folder: Path, chance: random.Random) -> list[str]:
    """Run one schedule and name what is wrong with it."""
    file, key = folder / f"sent-{number}", f"key-{number}-{folder.name}"
    file.touch()
    pause = chance.choice([0.0, 0.002, 0.01, 0.6])  # the last is longer than the deadline
    children: dict[int, Path] = {}
    for index in range(chance.randint(1, 4)):
        text = f"message {number}" if chance.random() < 0.85 else f"other {number}"
        out = folder / f"answer-{number}-{index}"
        children[_child(store, file, pause, key, text, out)] = out
        time.sleep(chance.choice([0.0, 0.0, 0.003]))
    for child in list(children):
        if chance.random() < 0.4:
            time.sleep(chance.random() * 0.03)
            os.kill(child, signal.SIGKILL)
    for child in children:
        os.waitpid(child, 0)
    answers = [json.loads(out.read_text(encoding="utf-8")) for out in children.values() if out.exists()]
    answers.append(asyncio.run(_call(store, file, 0.0, key, f"message {number}")))
    return _wrong(file.read_text(encoding="utf-8").splitlines(), answers)


def _wrong(effects: list[str], answers: list[dict[str, Any]]) -> list[str]:
    wrong = [] if len(effects) <= 1 else [f"{len(effects)} effects: {effects}"]
    for answer in answers:
        if answer["code"] == "success" and effects != [answer["text_sent"]]:
            wrong.append(f"said sent, effects are {effects}: {answer['text']}")
        if answer["code"] not in ("success", "RESOURCE_LOCKED", "RESOURCE_ALREADY_EXISTS", "TIMEOUT"):
            wrong.append(f"answered {answer['code']}: {answer['text']}")
    last = answers[-1]
    if last["code"] == "RESOURCE_ALREADY_EXISTS" and effects == [last["text_sent"]]:
        wrong.append(f"refused as another call, though it was this one: {last['text']}")
    return wrong


def main() -> None:
    """Run `COUNT STORE SEED` and print what was wrong, and how often each outcome came."""
    count, store, seed = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    chance = random.Random(seed)
    found: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        place = store.replace("FOLDER", name)
        for number in range(count):
            found += [f"schedule {number}: {wrong}" for wrong in _schedule(number, place, folder, chance)]
        sent = sum(bool((folder / f"sent-{number}").read_text(encoding="utf-8")) for number in range(count))
    print(json.dumps({"schedules": count, "wrong": found, "with_effect": sent}))


if __name__ == "__main__":
    main()
