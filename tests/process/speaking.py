"""The real command in its own process, driven with raw JSON: no SDK on this side."""

import json
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx2

from tests import warm

SOURCES = Path(__file__).resolve().parents[2] / "src"
COMMAND = warm.PROGRAM
PATIENCE = 90.0  # seconds; a busy machine is slow to start a process, and may pause for a while
LEGACY, MODERN = "2025-11-25", "2026-07-28"
ERAS = (LEGACY, MODERN)
CLIENT = {"name": "test", "version": "1"}
Message = dict[str, Any]


def environment(home: Path, **variables: str) -> dict[str, str]:
    """Our environment without a developer's settings, with an empty home folder."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LACONIC_", "XDG_"))}
    kept.pop("PYTHONUNBUFFERED", None)  # buffering is part of what is tested
    kept["PYTHONPATH"] = str(SOURCES)  # test this checkout, not an installed version
    places = {"HOME": home, "XDG_STATE_HOME": home / "state", "XDG_CACHE_HOME": home / "cache"}
    server = {"LACONIC_SERVERS": "example"}  # small, and it needs no repository
    return kept | {name: str(path) for name, path in places.items()} | server | variables


def run(
    *words: str, folder: Path, stdin: str | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    env = environment(folder.parent / "home", **variables)
    return warm.run(words, cwd=folder, env=env, stdin=stdin or "", timeout=PATIENCE)


def own_file(workspace: Path, content: str, mode: int = 0o600) -> Path:
    """Write the file of the user who starts servers in this workspace."""
    path = workspace.parent / "home" / ".config" / "laconic" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
    path.chmod(mode)
    return path


def wait_for(path: Path, *, written: bool = False) -> None:
    """Wait until a file is there, or until it has been written, too."""
    until = time.monotonic() + PATIENCE
    while not path.exists() or (written and not path.stat().st_size):
        assert time.monotonic() < until, f"{path.name} did not appear"
        time.sleep(0.01)


def meta(era: str) -> Message:
    """What a modern request contains about itself; a legacy one contains nothing."""
    if era == LEGACY:
        return {}
    about = {"protocolVersion": MODERN, "clientCapabilities": {}, "clientInfo": CLIENT}
    return {"_meta": {f"io.modelcontextprotocol/{key}": value for key, value in about.items()}}


def _allow_files(most: int) -> None:
    import resource  # not on Windows

    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


class Server:
    """A process that serves; its stderr goes to a file."""

    def __init__(
        self, *words: str, folder: Path, files: int | None = None, program: str = "", **variables: str
    ) -> None:
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115  # closed by leave
        env = environment(folder.parent / "home", **variables)
        self.process: subprocess.Popen[bytes] | warm.Process
        # what starts Python starts workers
        if program or "--workers" in words or files or not warm.is_possible(env):
            self.process = subprocess.Popen(
                [sys.executable, program, *words] if program else [*COMMAND, "serve", *words],
                cwd=folder,
                env=env,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.errors,
                bufsize=0,
                preexec_fn=partial(_allow_files, files) if files else None,
            )
        else:
            needed = warm.SERVERS if "--http" in words or "LACONIC_WIRE" in env else warm.COMMANDS
            errors = self.errors.fileno()
            self.process = warm.Process.piped(
                ["serve", *words], cwd=folder, env=env, stderr=errors, libraries=needed
            )

    @property
    def stderr(self) -> str:
        """Everything on stderr so far."""
        file = self.errors.fileno()
        return os.pread(file, os.fstat(file).st_size, 0).decode()  # the process writes on where it was

    def signal(self, number: int) -> None:
        self.process.send_signal(number)

    def wait(self) -> int:
        return self.process.wait(PATIENCE)

    def leave(self) -> None:
        """End the process in any case."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout, self.errors):
            if stream is not None:
                stream.close()


class Stdio(Server):
    """A server on its stdin and stdout, in one era."""

    def __init__(
        self, *words: str, folder: Path, era: str = LEGACY, program: str = "", **variables: str
    ) -> None:
        super().__init__(*words, folder=folder, files=None, program=program, **variables)
        self.era = era
        self._buffer = b""
        self._count = 0

    def greet(self) -> Message:
        if self.era == MODERN:
            return self.ask("server/discover")
        answer = self.ask("initialize", protocolVersion=LEGACY, capabilities={}, clientInfo=CLIENT)
        self.tell("notifications/initialized")
        return answer

    def tell(self, method: str, **params: Any) -> None:
        self._write({"jsonrpc": "2.0", "method": method, "params": params})

    def send(self, method: str, **params: Any) -> int:
        self._count += 1
        message = {"jsonrpc": "2.0", "id": self._count, "method": method, "params": params | meta(self.era)}
        self._write(message)
        return self._count

    def ask(self, method: str, **params: Any) -> Message:
        """Send a request and return its result, skipping notifications."""
        number = self.send(method, **params)
        while True:
            line = self.line()
            assert line, f"it ended; stderr: {self.stderr}"
            message: Message = json.loads(line)
            if message.get("id") == number:
                assert "result" in message, message
                result: Message = message["result"]
                return result

    def call(self, tool: str, **arguments: Any) -> str:
        return text_of(self.ask("tools/call", name=tool, arguments=arguments))

    def line(self) -> bytes:
        """The next line of stdout; empty at its end."""
        stdout = self.process.stdout
        assert stdout is not None
        until = time.monotonic() + PATIENCE
        while b"\n" not in self._buffer:
            ready, _, _ = select.select([stdout], [], [], max(0, until - time.monotonic()))
            assert ready, f"no answer; stderr: {self.stderr}"
            read = os.read(stdout.fileno(), 65536)
            if not read:
                break
            self._buffer += read
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def rest(self) -> list[bytes]:
        """Every line that is left, to the end of stdout."""
        return list(iter(self.line, b""))

    def hang_up(self) -> int:
        """Close its stdin and wait for its end."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.wait()

    def _write(self, message: Message) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")


class Web(Server):
    """A server on a free port of this machine."""

    def __init__(
        self,
        *words: str,
        folder: Path,
        host: str = "127.0.0.1",
        files: int | None = None,
        **variables: str,
    ) -> None:
        words = ("--http", f"{host}:0", "--verbose", *words)
        super().__init__(*words, folder=folder, files=files, **variables)
        workers = int(words[words.index("--workers") + 1]) if "--workers" in words else 1
        try:
            self._wait_until("startup complete", workers)
        except BaseException:
            self.leave()
            raise
        self.url = f"{self._address()}/mcp"

    def _wait_until(self, words: str, times: int) -> None:
        until = time.monotonic() + PATIENCE
        while self.stderr.count(words) < times or "running on" not in self.stderr:
            assert self.process.poll() is None and time.monotonic() < until, self.stderr
            time.sleep(0.02)

    def _address(self) -> str:
        _, _, rest = self.stderr.partition("running on ")
        return rest.split()[0]

    def post(
        self, method: str, era: str = MODERN, headers: dict[str, str] | None = None, **params: Any
    ) -> httpx2.Response:
        """Send one request on its own connection, so that any worker may get it."""
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params | meta(era)}
        usual = {
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": era,
            "Mcp-Method": method,
        }
        if "name" in params:
            usual["Mcp-Name"] = params["name"]
        return httpx2.post(self.url, json=body, headers=usual | (headers or {}), timeout=PATIENCE)

    def call(self, tool: str, headers: dict[str, str] | None = None, **arguments: Any) -> str:
        """Call a tool in the modern era."""
        return text_of(result_of(self.post("tools/call", headers=headers, name=tool, arguments=arguments)))


def result_of(response: httpx2.Response) -> Message:
    """The result in a plain answer or at the end of a stream of events."""
    assert response.status_code == 200, response.text
    body = response.text
    if response.headers["content-type"].startswith("text/event-stream"):
        found = [line.removeprefix("data: ") for line in body.splitlines() if line.startswith("data: {")]
        body = found[-1]
    message: Message = json.loads(body)
    assert "result" in message, message
    result: Message = message["result"]
    return result


def text_of(result: Message) -> str:
    return "\n".join(block["text"] for block in result["content"])


@contextmanager
def serving(*words: str, folder: Path, era: str = LEGACY, **variables: str) -> Iterator[Stdio]:
    """A greeted server on stdio."""
    server = Stdio(*words, folder=folder, era=era, **variables)
    try:
        server.greet()
        yield server
    finally:
        server.leave()


@contextmanager
def listening(*words: str, folder: Path, files: int | None = None, **variables: str) -> Iterator[Web]:
    """A server on HTTP that is ready; it may open this many files."""
    server = Web(*words, folder=folder, files=files, **variables)
    try:
        yield server
    finally:
        server.leave()
