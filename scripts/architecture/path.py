"""The path of one call: every module it enters, in order, seen by a profiler in a real conversation."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, NamedTuple, Self
from unittest import mock

from laconic.kit import Endpoint, Settings
from laconic.kit.journal.pulse import pulse
from laconic.kit.wire.loopback import lean_pipes
from laconic.servers.issues.tools import issues

TOOL = "issues_list"


class Entered(NamedTuple):
    module: str
    function: str


class Profiler:
    """Notes the first function entered in each of our modules while it is on, in every thread."""

    def __init__(self) -> None:
        self.entered: dict[str, str] = {}
        self.is_on = False

    def __enter__(self) -> Self:
        threading.setprofile(self._note)  # for threads that start from here on
        sys.setprofile(self._note)
        return self

    def __exit__(self, *error: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def _note(self, frame: FrameType, event: str, argument: object) -> None:
        module = frame.f_globals.get("__name__", "")
        if self.is_on and event == "call" and module.startswith("laconic."):
            self.entered.setdefault(module.removeprefix("laconic."), frame.f_code.co_qualname)


@cache
def path_of_a_call() -> list[Entered]:
    """Return the modules that `issues_list` enters over stdio, each with the function it enters first.

    Seen in a process of its own: in this one, the thread of the toolset may be older than the profiler.
    """
    command = [sys.executable, "-m", "scripts.architecture.path"]
    project = Path(__file__).resolve().parents[2]
    printed = subprocess.run(command, cwd=project, capture_output=True, text=True, check=True).stdout
    return [Entered(*line.split()[1:]) for line in printed.splitlines()]


def _seen() -> list[Entered]:
    is_still = mock.patch.object(pulse, "add")  # a beat in the middle of the call is no part of it
    with TemporaryDirectory() as folder, is_still, Profiler() as profiler:
        Path(folder, ".git").mkdir()
        asyncio.run(_call(folder, profiler))
    return [Entered(*pair) for pair in profiler.entered.items()]


async def _call(folder: str, profiler: Profiler) -> None:
    sections = {"issues": {"workspace": folder}}
    endpoint = Endpoint([issues], settings=Settings(sections=sections))
    try:
        async with lean_pipes(endpoint) as (reading, writing):
            with (
                os.fdopen(writing, "wb", buffering=0) as sending,
                os.fdopen(os.dup(reading), "rb") as hearing,
            ):
                await _ask(sending, hearing, 0, "initialize", protocolVersion="2025-06-18", capabilities={})
                call = {"name": TOOL, "arguments": {}}
                await _ask(sending, hearing, 1, "tools/call", **call)  # opens what is kept open
                profiler.is_on = True
                await _ask(sending, hearing, 2, "tools/call", **call)
                profiler.is_on = False
    finally:
        await endpoint.close()


async def _ask(sending: Any, hearing: Any, number: int, method: str, **params: Any) -> None:
    params |= {"clientInfo": {"name": "path", "version": "1"}} if method == "initialize" else {}
    request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    sending.write(json.dumps(request).encode() + b"\n")
    await asyncio.to_thread(hearing.readline)


def stations() -> dict[str, list[Entered]]:
    """Return the parts of packages (`kit.wire`, `servers.issues.tools`) in the order a call enters them."""
    found: dict[str, list[Entered]] = {}
    for one in path_of_a_call():
        path = one.module.split(".")
        found.setdefault(".".join(path[: 3 if path[0] == "servers" else 2]), []).append(one)
    return found


def main() -> None:
    for number, (module, function) in enumerate(_seen(), 1):
        print(f"{number:3}  {module}  {function}")


if __name__ == "__main__":
    main()
