"""Servers in separate processes, addressed in raw newline-separated JSON: no SDK on this side."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

__all__ = [
    "LEGACY",
    "MODERN",
    "PRESENT",
    "ROOT",
    "Program",
    "Tree",
    "bare",
    "environment",
    "laconic",
    "memory_of",
    "meta_of",
    "serve",
    "serving",
    "work_of",
]

ROOT = Path(__file__).resolve().parent.parent
LEGACY, MODERN = "2025-11-25", "2026-07-28"
_CLIENT = {"name": "bench", "version": "1"}
Message = dict[str, Any]


@dataclass(frozen=True)
class Tree:
    """A checkout of Laconic with its own Python: the present one, or that of an earlier version."""

    name: str
    root: Path
    python: Path

    @property
    def variables(self) -> dict[str, str]:
        """Variables of its processes: Laconic and its declarations of the tools come from this checkout."""
        return {"PYTHONPATH": os.pathsep.join(str(folder) for folder in (self.root / "src", self.root))}

    def serve(self, *words: str) -> list[str]:
        """The command `laconic serve …`, as ./laconic starts it."""
        return [str(self.python), "-P", "-m", "laconic", "serve", *words]

    def laconic(self, toolset: str, *flags: str) -> list[str]:
        """The command that serves one of our toolsets."""
        return self.serve(f"benchmarks.served:{toolset}", *flags)


PRESENT = Tree("present", ROOT, Path(sys.executable))
serve, laconic = PRESENT.serve, PRESENT.laconic


def environment(home: Path) -> dict[str, str]:
    """Return a clean environment: this checkout, and a separate home folder."""
    dropped = ("LACONIC_", "WRANGLER_", "XDG_", "PYTHON")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
    places = {"HOME": home, "XDG_STATE_HOME": home / "state", "XDG_CACHE_HOME": home / "cache"}
    return kept | {name: str(folder) for name, folder in places.items()} | PRESENT.variables


def bare(*words: str) -> list[str]:
    """Return the command of a bare SDK server."""
    return [sys.executable, "-P", "-m", "benchmarks.bare", *words]


def meta_of(era: str) -> Message:
    """Return the metadata of a modern request; a legacy one has none."""
    if era == LEGACY:
        return {}
    about = {"protocolVersion": MODERN, "clientCapabilities": {}, "clientInfo": _CLIENT}
    return {"_meta": {f"io.modelcontextprotocol/{key}": value for key, value in about.items()}}


def memory_of(process: int) -> int | None:
    """Return the resident memory of a process in bytes, where the system reports it."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except OSError:
        return None
    found = [line.split()[1] for line in status.splitlines() if line.startswith("VmRSS:")]
    return int(found[0]) * 1024 if found else None


def work_of(process: int) -> float | None:
    """Return the CPU seconds of the current threads of a process, where the system reports them."""
    threads = Path(f"/proc/{process}/task").glob("*/schedstat")  # in nanoseconds; `stat` counts in ticks
    try:
        spent = [int(thread.read_text(encoding="ascii").split()[0]) for thread in threads]
    except OSError:
        return None
    return sum(spent) / 1e9 if spent else None


class Program:
    """A server on its stdin and stdout, in one era of the protocol."""

    def __init__(
        self, command: Sequence[str], home: Path, era: str = LEGACY, more: Mapping[str, str] | None = None
    ) -> None:
        self.era = era
        self._count = 0
        self.process = subprocess.Popen(
            command,
            cwd=home,
            env=environment(home) | dict(more or {}),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def greet(self) -> None:
        """Open the conversation as hosts of this era do."""
        if self.era == MODERN:
            self.ask("server/discover")
            return
        self.ask("initialize", protocolVersion=LEGACY, capabilities={}, clientInfo=_CLIENT)
        self._write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method: str, **params: Any) -> Message:
        """Send a request and return its result."""
        message: Message = json.loads(self.exchange(self.request(method, **params)))
        result: Message = message["result"]
        return result

    def request(self, method: str, **params: Any) -> bytes:
        """Return the bytes of a request."""
        self._count += 1
        message = {
            "jsonrpc": "2.0",
            "id": self._count,
            "method": method,
            "params": params | meta_of(self.era),
        }
        return json.dumps(message).encode() + b"\n"

    def exchange(self, line: bytes) -> bytes:
        """Send a line and return the next; only the server takes time here."""
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None and stdout is not None
        stdin.write(line)
        stdin.flush()
        answer = stdout.readline()
        if not answer:
            raise RuntimeError("the server ended")
        return answer

    def timed(self, line: bytes, count: int) -> tuple[list[float], float]:
        """Send a line so many times; return the seconds of each exchange, and the CPU seconds of one."""
        spent, found = self.work or 0.0, []
        for _ in range(count):
            began = perf_counter()
            self.exchange(line)
            found.append(perf_counter() - began)
        return found, ((self.work or 0.0) - spent) / count

    def exchange_all(self, lines: Sequence[bytes]) -> None:
        """Send many lines at once, and wait for as many answers."""
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None and stdout is not None
        stdin.write(b"".join(lines))
        stdin.flush()
        for _ in lines:
            if not stdout.readline():
                raise RuntimeError("the server ended")

    def list_tools(self) -> list[bytes]:
        """Return every page of the tool list, as the lines received."""
        pages: list[bytes] = []
        cursor: str | None = None
        while True:
            given = {} if cursor is None else {"cursor": cursor}
            pages.append(self.exchange(self.request("tools/list", **given)))
            cursor = json.loads(pages[-1])["result"].get("nextCursor")
            if not cursor:
                return pages

    @property
    def memory(self) -> int | None:
        """Its resident memory in bytes."""
        return memory_of(self.process.pid)

    @property
    def work(self) -> float | None:
        """Its CPU seconds."""
        return work_of(self.process.pid)

    def close(self) -> None:
        """Close the connection, and leave no process behind."""
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(10)

    def _write(self, message: Message) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()


@contextmanager
def serving(
    command: Sequence[str], home: Path, era: str = LEGACY, more: Mapping[str, str] | None = None
) -> Iterator[Program]:
    """Yield a server after its handshake; `more` is added to its environment."""
    program = Program(command, home, era, more)
    try:
        program.greet()
        yield program
    finally:
        program.close()
