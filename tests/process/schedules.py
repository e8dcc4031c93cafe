"""Random schedules of calls, some killed, on a state store that fails at any point: a program judges them.

The parent imports everything once and forks a child for each server, so that thousands of real processes can
be killed in minutes. A call's effect is a line in a file, the log; each answer is judged by it.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import random
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

from laconic.kit import Endpoint, Settings, Toolset, UpstreamDown
from laconic.kit.peer import SilentPeer
from tests.process.store_faults import PATIENCE, Backend, Plan, Unsteady, backend

DEADLINE = 0.4
AT_ONCE = 4
_ATTEMPTS = 5
FATE = ("returns", "returns", "returns", "breaks after", "refuses before", "too slow")
# A killed call's record is given up sooner than in real life, and a silent store too.
vars(import_module("laconic.kit.keeping.keys"))["_GRACE"] = 0.1
vars(import_module("laconic.stores.keyvalue.redis"))["_SECONDS_TO_WAIT"] = 3 * PATIENCE


@dataclass(frozen=True)
class Server:
    """What one child does: calls one after another, on a store with a plan."""

    name: str
    plan: Plan
    keys: Sequence[str | None]
    texts: Sequence[str]
    fate: str
    pause: float


def _outbox(log: Path, server: Server, unsteady: Unsteady, calls: list[str]) -> Toolset:
    outbox = Toolset("outbox")

    def note(words: str) -> None:
        with log.open("a", encoding="utf-8") as file:  # atomic, since a short append is
            file.write(f"{words}\t{calls[-1]}\n")

    @outbox.create(hint="outbox_count", deadline=DEADLINE)
    async def outbox_send(text: Annotated[str, "What to say."]) -> str:
        """Send a message."""
        await asyncio.sleep(server.pause)
        if server.fate == "refuses before":
            raise UpstreamDown("Closed.", changed=False)
        note(f"sent {text}")
        unsteady.after_effect()
        await asyncio.sleep(60 if server.fate == "too slow" else server.pause)
        if server.fate == "breaks after":
            raise UpstreamDown("The line broke.")
        note("returned")
        return f"Sent {text}."

    @outbox.read(cache=60)
    async def outbox_count() -> str:
        """Count the messages."""
        return str(len(_effects(log)))

    return outbox


def _effects(log: Path) -> list[list[str]]:
    """Return the text and the call of each effect."""
    lines = log.read_text(encoding="utf-8").splitlines()
    return [line.removeprefix("sent ").split("\t") for line in lines if line.startswith("sent ")]


async def _serve(server: Server, store: Backend, log: Path) -> list[dict[str, Any]]:
    """Make the calls of one server, and return what was answered."""
    calls: list[str] = []
    unsteady = Unsteady(store, server.plan)
    toolset = _outbox(log, server, unsteady, calls)
    endpoint = Endpoint([toolset], state=unsteady.as_store, settings=Settings(budget=0))
    try:
        return await _answered(server, endpoint, calls, log)
    finally:
        await endpoint.close()  # a fork must not inherit what SQLite knows about its locks


async def _answered(server: Server, endpoint: Endpoint, calls: list[str], log: Path) -> list[dict[str, Any]]:
    answers: list[dict[str, Any]] = []
    await endpoint.call_tool("outbox_count", {}, SilentPeer())
    for number, (key, text) in enumerate(zip(server.keys, server.texts, strict=True)):
        calls.append(f"{server.name}.{number}.{'keyed' if key else 'free'}")
        arguments = {"text": text} | ({"idempotency_key": key} if key else {})
        began = time.monotonic()
        answer = await endpoint.call_tool("outbox_send", arguments, SilentPeer())
        took = time.monotonic() - began
        had = sum(call.startswith(f"{server.name}.") for _, call in _effects(log))
        read = await endpoint.call_tool("outbox_count", {}, SilentPeer())
        code = answer.failure.code if answer.failure else "success"
        says_nothing = answer.failure is not None and answer.failure.changed is False
        about = {"call": calls[-1], "key": key, "text": text, "code": code, "nothing": says_nothing}
        old = read.failure is None and int(read.text) < had
        answers.append(about | {"said": answer.text, "took": took, "old": old, "read": read.text})
    return answers


def _child(server: Server, store: Backend, log: Path, out: Path) -> int:
    """Fork a process that serves and writes down its answers."""
    child = os.fork()
    if child:
        return child
    try:
        answers = asyncio.run(_serve(server, store, log))
        store.heal()
        draft = out.with_suffix(".part")
        draft.write_text(json.dumps(answers), encoding="utf-8")
        draft.replace(out)
    finally:
        os._exit(0)


def _planned(number: int, chance: random.Random, store: Backend) -> list[Server]:
    fault = chance.choice([None, *store.faults, *store.faults])
    fate, pause = chance.choice(FATE), chance.choice([0.0, 0.002, 0.01])
    servers: list[Server] = []
    for index in range(chance.randint(1, 3)):
        keys = [chance.choice(["k", "k", "k", None]) for _ in range(chance.randint(1, 3))]
        texts = ["message" if key and chance.random() < 0.9 else "other" for key in keys]
        at = -1 if chance.random() < 0.4 else chance.randint(0, 16)
        plan = Plan(fault, at, chance.choice([1, 2, 4, 1000]))
        servers.append(Server(f"{number}-{index}", plan, keys, texts, fate, pause))
    return servers


def _schedule(
    number: int, chance: random.Random, store: Backend, folder: Path
) -> tuple[list[str], Counter[str]]:
    """Run one schedule; return what is wrong with it, and how often each outcome came."""
    log = folder / f"log-{number}"
    log.touch()
    servers = _planned(number, chance, store)
    running: dict[int, Path] = {}
    for server in servers:
        out = folder / f"answers-{server.name}"
        running[_child(_keyed(server, f"{number}"), store, log, out)] = out
        time.sleep(chance.choice([0.0, 0.0, 0.003]))
    outs = list(running.values())
    kills = {child: time.monotonic() + chance.random() * 0.2 for child in running if chance.random() < 0.25}
    while running:
        store.tend()
        for child in list(running):
            if child in kills and time.monotonic() > kills[child]:
                os.kill(child, signal.SIGKILL)
            if os.waitpid(child, os.WNOHANG)[0]:
                del running[child]
                kills.pop(child, None)
        time.sleep(0.003)
    _healed(store)
    answers = [
        answer for out in outs if out.exists() for answer in json.loads(out.read_text(encoding="utf-8"))
    ]
    answers += _last_answers(number, store, log)
    wrong = judged(log, answers)
    about = f"fault {servers[0].plan.fault}, {servers[0].fate}"
    return [f"{about}: {one}" for one in wrong], Counter(answer["code"] for answer in answers)


def _last_answers(number: int, store: Backend, log: Path) -> list[dict[str, Any]]:
    """Call once more on a sound store; again if this process got no time until the deadline."""
    answers: list[dict[str, Any]] = []
    for attempt in range(_ATTEMPTS):
        last = Server(f"{number}-last{attempt}", Plan(None, 0, 0), ["k"], ["message"], "returns", 0.0)
        answers += asyncio.run(_serve(_keyed(last, f"{number}"), store, log))
        if answers[-1]["code"] != "TIMEOUT":
            break
    return answers


def _keyed(server: Server, number: str) -> Server:
    keys = [key and f"{key}-{number}" for key in server.keys]
    return Server(server.name, server.plan, keys, server.texts, server.fate, server.pause)


def _healed(store: Backend) -> None:
    for _ in range(100):  # one that is starting takes a moment
        store.heal()
        store.tend()
        try:
            return asyncio.run(_probed(store))
        except Exception:
            time.sleep(0.05)
    raise RuntimeError("the store did not come back")


async def _probed(store: Backend) -> None:
    opened = store.opened()
    try:
        await opened.put("probe", b"")
    finally:
        await opened.close()


def judged(log: Path, answers: list[dict[str, Any]]) -> list[str]:
    """Return what is wrong with the answers, by the log of effects; the last one is of a sound store."""
    effects = _effects(log)
    returned = {
        line.split("\t")[1] for line in log.read_text(encoding="utf-8").splitlines() if line[:2] == "re"
    }
    under_key = [text for text, call in effects if call.endswith("keyed")]
    wrong = [] if len(under_key) <= 1 else [f"{len(under_key)} effects under one key: {effects}"]
    for answer in answers:
        own = [text for text, call in effects if call == answer["call"]]
        said = f"{answer['call']} ({answer['key']}): {answer['said']!r}; the log has {effects}"
        wrong += [f"{what}: {said}" for what in _untrue(answer, own, under_key, answer["call"] in returned)]
    last = answers[-1]
    if last["code"] not in ("success", "RESOURCE_LOCKED", "RESOURCE_ALREADY_EXISTS"):
        wrong.append(f"the last call, on a sound store: {last['said']}")
    if "in progress" in last["said"]:
        wrong.append(f"waited for a call that nobody runs: {last['said']}")
    return wrong


def _untrue(answer: dict[str, Any], own: list[str], under_key: list[str], returned: bool) -> Iterator[str]:
    """Yield what is not true of one answer."""
    code = answer["code"]
    if len(own) > 1:
        yield "done more than once"
    if answer["nothing"] and own:
        yield "said that nothing was changed"
    if own and code != "success" and _NOT_KNOWN not in answer["said"]:
        yield "did not say that something may have been changed"
    if returned and code != "success":
        yield "a finished write became a failure"
    if code == "success" and [answer["text"]] != (under_key if answer["key"] else own):
        yield "said sent"
    if code == "TIMEOUT" and answer["took"] < DEADLINE:
        yield f"a deadline passed after {answer['took']:.3f} s"
    if code not in _EXPECTED:
        yield f"answered {code}"
    if answer["old"]:
        yield f"a read after it was old ({answer['read']})"


_NOT_KNOWN = "It is not known whether anything was changed"
_EXPECTED = (
    "success",
    "RESOURCE_LOCKED",
    "RESOURCE_ALREADY_EXISTS",
    "TIMEOUT",
    "UNAVAILABLE",
    "PROVIDER_ERROR",
)


def _run(name: str, seed: int, numbers: range) -> dict[str, Any]:
    """Run these schedules on one store; return what was wrong, and how often each outcome came."""
    found: list[str] = []
    outcomes: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        store = backend(name, folder)
        try:
            for number in numbers:
                wrong, came = _schedule(number, random.Random(f"{seed} {number}"), store, folder)
                again = f"python -m tests.process.schedules 1 {name} {seed} {number}"
                found += [f"{again}: {one}" for one in wrong]
                outcomes += came
        finally:
            store.close()
        sent = sum(bool(_effects(folder / f"log-{number}")) for number in numbers)
    return {"schedules": len(numbers), "wrong": found, "with_effect": sent, "outcomes": outcomes}


def _parts(name: str, seed: int, numbers: range) -> list[dict[str, Any]]:
    """Run several parts at a time, each with its own store: they mostly wait."""
    with tempfile.TemporaryDirectory() as place:
        parts = [numbers[start::AT_ONCE] for start in range(min(AT_ONCE, len(numbers)))]
        children = [_part(name, seed, part, Path(place) / str(part.start)) for part in parts]
        for child in children:
            os.waitpid(child, 0)
        return [json.loads((Path(place) / str(part.start)).read_text(encoding="utf-8")) for part in parts]


def _part(name: str, seed: int, numbers: range, out: Path) -> int:
    child = os.fork()
    if child:
        return child
    try:
        out.write_text(json.dumps(_run(name, seed, numbers)), encoding="utf-8")
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(0)  # without its result, the parent fails


def main() -> None:
    """Run `COUNT STORE SEED [FIRST]`, print what was wrong, and how often each outcome came."""
    count, name, seed = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    first = int(sys.argv[4]) if len(sys.argv) > 4 else 0
    logging.getLogger("laconic").setLevel(logging.CRITICAL)
    results = _parts(name, seed, range(first, first + count))
    sums = {key: sum(result[key] for result in results) for key in ("schedules", "with_effect")}
    wrong = [one for result in results for one in result["wrong"]]
    outcomes = sum((Counter(result["outcomes"]) for result in results), Counter())
    print(json.dumps(sums | {"wrong": wrong, "outcomes": outcomes}))


if __name__ == "__main__":
    main()
