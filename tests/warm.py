"""Our commands in processes that start warm: forked from one that has imported libraries, nothing of ours.

Importing libraries takes most of the time of a short command. Each command still has a process of its own,
with its own words, folder, variables and streams, and imports all of our modules itself.
"""

import atexit
import gc
import importlib
import io
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO, Any, Self, TextIO, cast

__all__ = ["COMMANDS", "PROGRAM", "SERVERS", "Process", "is_possible", "run"]

PROGRAM = (sys.executable, "-P", "-m", "laconic")
AT_START = ("PYTHON", "LANG", "LC_")  # variables that an interpreter reads as it starts
DONE_LATER = ("PYTHONPATH", "PYTHONUNBUFFERED", "PYTHONWARNINGS")  # those that are obeyed after it
COMMANDS = (
    *("asyncio", "concurrent.futures.thread", "difflib", "email.message", "hashlib", "importlib.metadata"),
    *("json", "secrets", "shlex", "sqlite3", "tomllib", "zoneinfo", "anyio._backends._asyncio", "yaml"),
    *("pydantic.json_schema", "pydantic.main", "pydantic.plugin._loader", "pydantic.type_adapter"),
    *("rich.console", "rich.markdown", "rich.table", "typer._adapters", "typer._click.decorators", "typer"),
    *("alembic.command", "alembic.context", "alembic.script", "sqlalchemy.dialects.sqlite.pysqlite"),
)
SERVERS = (*COMMANDS, "mcp.server.streamable_http_manager", "uvicorn.protocols.http.auto", "jwt", "httpx2")
START = 60.0  # seconds, on a machine that is busy


class Parent:
    """The process that warm ones are forked from."""

    def __init__(self, libraries: Sequence[str]) -> None:
        self._line, its = socket.socketpair()
        with its:
            command = [sys.executable, "-P", __file__, *libraries]
            env = {name: value for name, value in os.environ.items() if name not in DONE_LATER}
            self._process = subprocess.Popen(command, stdin=its.fileno(), env=env)
        atexit.register(self.close)

    def fork(self, request: object, descriptors: Sequence[int]) -> None:
        """Start a process with these as its streams; it tells about itself on the last of them."""
        words = json.dumps(request).encode()
        socket.send_fds(self._line, [len(words).to_bytes(4)], descriptors)
        self._line.sendall(words)

    def close(self) -> None:
        """End it; what was forked from it lives on."""
        self._line.close()
        self._process.wait(START)


_parent = cache(Parent)


def _read_at_start(env: Mapping[str, str]) -> dict[str, str]:
    return {name: env[name] for name in env if name.startswith(AT_START) and name not in DONE_LATER}


def is_possible(env: Mapping[str, str]) -> bool:
    """Whether a command with these variables may start warm."""
    paths = filter(None, env.get("PYTHONPATH", "").split(os.pathsep))
    is_customised = any(Path(path, "sitecustomize.py").exists() for path in paths)
    return not is_customised and _read_at_start(env) == _read_at_start(os.environ)


class Process:
    """One of our commands under way, to be used like a subprocess.Popen."""

    def __init__(
        self,
        words: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        streams: Sequence[int],
        libraries: Sequence[str] = COMMANDS,
        module: str = "laconic",
    ) -> None:
        self._line, its = socket.socketpair()
        with its:
            request = [module, list(words), str(cwd), dict(env)]
            _parent(tuple(libraries)).fork(request, [*streams, its.fileno()])
        self.stdin: IO[bytes] | None = None
        self.stdout: IO[bytes] | None = None
        self.returncode: int | None = None
        self.pid = self._told(START)

    @classmethod
    def piped(cls, words: Sequence[str], *, stderr: int, **more: Any) -> Self:
        """Start one with pipes for its stdin and stdout."""
        (reading, given), (said, writing) = os.pipe(), os.pipe()
        process = cls(words, streams=[reading, writing, stderr], **more)
        os.close(reading)
        os.close(writing)
        process.stdin, process.stdout = os.fdopen(given, "wb", 0), os.fdopen(said, "rb", 0)
        return process

    def _told(self, timeout: float) -> int:
        """The next number: its id, then its status."""
        if not select.select([self._line], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired("a warm process", timeout)
        return int.from_bytes(self._line.recv(4), signed=True)

    def wait(self, timeout: float) -> int:
        """Wait for its end and return its status."""
        if self.returncode is None:
            self.returncode = os.waitstatus_to_exitcode(self._told(timeout))
            self._line.close()
        return self.returncode

    def poll(self) -> int | None:
        """Return its status, or None while it runs."""
        with suppress(subprocess.TimeoutExpired):
            return self.wait(0)
        return None

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)


def run(
    words: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    stdin: str = "",
    timeout: float,
    together: bool = False,
) -> "subprocess.CompletedProcess[str]":
    """Run one of our commands to its end; `together` puts what it says on stderr into stdout."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(stdin.encode())
        given.seek(0)
        status = _status(words, cwd, env, [given, out, out if together else err], timeout)
        said = [_all(stream) for stream in (out, err)]
    return subprocess.CompletedProcess([*PROGRAM, *words], status, *said)


def _status(
    words: Sequence[str], cwd: Path, env: Mapping[str, str], streams: Sequence[IO[bytes]], timeout: float
) -> int:
    process: Process | subprocess.Popen[bytes]
    if is_possible(env):
        process = Process(words, cwd=cwd, env=env, streams=[stream.fileno() for stream in streams])
    else:
        stdin, stdout, stderr = streams
        process = subprocess.Popen(
            [*PROGRAM, *words], cwd=cwd, env=env, stdin=stdin, stdout=stdout, stderr=stderr
        )
    try:
        return process.wait(timeout)
    finally:
        process.kill()
        process.wait(timeout)


def _all(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read().decode()


def _main() -> None:
    """Fork a process for each request, and in that process go on as the command."""
    for name in sys.argv[1:]:
        importlib.import_module(name)
    gc.freeze()  # a collection in a child would copy all that it looks at
    with socket.socket(fileno=0) as line:
        while True:
            size, descriptors, _, _ = socket.recv_fds(line, 4, 4)
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:  # those that have ended
                    pass
            if not size:
                return
            words = b""
            while len(words) < int.from_bytes(size):
                words += line.recv(int.from_bytes(size) - len(words))
            if not os.fork():
                break
            for descriptor in descriptors:
                os.close(descriptor)
    *streams, teller = descriptors
    _wait_for_a_child(teller, streams)
    module, command, cwd, env = json.loads(words)
    _become(cwd, env, streams)
    sys.argv = [module, *command]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def _wait_for_a_child(teller: int, streams: Sequence[int]) -> None:
    """Fork once more and return in the child; here tell its id, and at its end its status."""
    pid = os.fork()
    if not pid:
        os.close(teller)
        return
    os.write(teller, pid.to_bytes(4, signed=True))
    for stream in streams:  # who reads to their end waits for the child alone
        os.close(stream)
    os.write(teller, os.waitpid(pid, 0)[1].to_bytes(4, signed=True))
    os._exit(0)


def _become(cwd: str, env: dict[str, str], streams: Sequence[int]) -> None:
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    for number, descriptor in enumerate(streams):
        os.dup2(descriptor, number)
        os.close(descriptor)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        stream = _stream(number, getattr(sys, name), is_buffered=not env.get("PYTHONUNBUFFERED"))
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    if action := env.get("PYTHONWARNINGS"):
        warnings.simplefilter(cast(Any, action))
    sys.path[:0] = filter(None, env.get("PYTHONPATH", "").split(os.pathsep))


def _stream(number: int, before: TextIO, is_buffered: bool) -> TextIO:
    """A stream as the interpreter would have made it; it stays open to the end."""
    mode, buffering = ("r" if number == 0 else "w"), (-1 if is_buffered or number == 0 else 0)
    raw = open(number, f"{mode}b", buffering)  # noqa: SIM115
    line_by_line = is_buffered and (number == 2 or os.isatty(number))
    return io.TextIOWrapper(raw, before.encoding, before.errors, None, line_by_line, not is_buffered)


if __name__ == "__main__":
    _main()
