"""The judge: asks workers whether a template is valid, what it needs, and for the text it renders to."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, Final

from laconic.servers.prompts.templates.limits import Inspected, RenderLimits, TemplateFault
from laconic.servers.prompts.templates.messages import HEAD, length_of, packed, unpacked

__all__ = ["Judge"]

_MODULE: Final = "laconic.servers.prompts.templates.worker"
_AT_ONCE: Final = 8  # workers
_KEPT: Final = 2  # of these, those that wait for the next request
_FREE_SOON: Final = 0.05  # seconds: most templates take less, and a process takes longer to start
_WAITS: Final = 10.0  # times the limit, on a machine that is busy with something else
_START: Final = 60.0  # seconds
_PASSED_ON: Final = ("PATH", "PYTHON", "VIRTUAL_ENV", "LD_LIBRARY", "LANG", "LC_", "SYSTEMROOT", "COVERAGE")


class Judge:
    """Checks and renders templates in a few processes, which start when they are needed."""

    def __init__(self, limits: RenderLimits | None = None) -> None:
        self.limits = limits or RenderLimits()
        self._idle: list[_Worker] = []
        self._room = asyncio.Semaphore(_AT_ONCE)
        self._busy = 0
        self._waiting: deque[asyncio.Future[_Worker]] = deque()

    async def inspect(self, source: str) -> Inspected:
        """Return what a template needs.

        Raises:
            TemplateFault: it cannot be saved.
        """
        if len(source) > self.limits.template:
            said = (
                f"The template has {len(source):,} characters; at most {self.limits.template:,} are allowed."
            )
            raise TemplateFault("too large", said)
        return Inspected.of(await self._ask({"do": "inspect", "source": source}))

    async def render(
        self,
        source: str,
        values: Mapping[str, Any],
        missing: Sequence[str] = (),
        sources: Mapping[str, str] | None = None,
    ) -> str:
        """Render a template; `sources` are the templates that it includes, by name.

        Raises:
            TemplateFault: it cannot be rendered with these values.
        """
        request = {"do": "render", "source": source, "values": dict(values), "missing": list(missing)}
        answer = await self._ask({**request, "sources": dict(sources or {})})
        return str(answer["text"])

    async def resolve(self, source: str, sources: Mapping[str, str]) -> str:
        """Return a template with what it includes in the place of each include.

        Raises:
            TemplateFault: it would be too long.
        """
        answer = await self._ask({"do": "resolve", "source": source, "sources": dict(sources)})
        return str(answer["text"])

    async def close(self) -> None:
        """End the workers that wait."""
        while self._idle:
            await self._idle.pop().end()

    async def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        try:
            message = packed(request)
        except RecursionError:
            raise TemplateFault("too large", "A value is nested too deeply.") from None
        async with self._room:
            worker = await self._worker()
            self._busy += 1
            try:
                answer = await worker.ask(message)
            except BaseException:
                await worker.end()
                raise
            finally:
                self._busy -= 1
            await self._give_back(worker)
        if "fault" in answer:
            raise TemplateFault(*answer["fault"])
        return answer

    async def _worker(self) -> _Worker:
        while self._idle:
            worker = self._idle.pop()
            if worker.is_alive:
                return worker
        if self._busy >= _KEPT and (freed := await self._freed_soon()) is not None:
            return freed
        return await _Worker.start(self.limits)

    async def _freed_soon(self) -> _Worker | None:
        """Wait a moment for a worker that another caller has; None if they all have more to do."""
        waiter: asyncio.Future[_Worker] = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        try:
            await asyncio.wait([waiter], timeout=_FREE_SOON)
        except asyncio.CancelledError:
            if waiter.done():
                await self._give_back(waiter.result())
            raise
        finally:
            if waiter in self._waiting:
                self._waiting.remove(waiter)
        return waiter.result() if waiter.done() and waiter.result().is_alive else None

    async def _give_back(self, worker: _Worker) -> None:
        if self._waiting:
            self._waiting.popleft().set_result(worker)
        elif len(self._idle) < _KEPT:
            self._idle.append(worker)
        else:
            await worker.end()


class _Worker:
    """One process."""

    def __init__(self, process: asyncio.subprocess.Process, limits: RenderLimits) -> None:
        self._process = process
        self._limits = limits
        self._is_given_up = False

    @classmethod
    async def start(cls, limits: RenderLimits) -> _Worker:
        """Start a process and wait until it is ready; importing does not count for its limits."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",  # a module in the current folder is not ours
            "-Wignore",  # what Python has to say about the code of a template
            "-m",
            _MODULE,
            *map(str, (limits.output, limits.seconds, limits.megabytes)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={name: value for name, value in os.environ.items() if name.startswith(_PASSED_ON)},
        )
        worker = cls(process, limits)
        try:
            await asyncio.wait_for(worker._receive(), _START)
        except BaseException:
            await worker.end()
            raise
        return worker

    @property
    def is_alive(self) -> bool:
        return self._process.returncode is None

    async def ask(self, message: bytes) -> dict[str, Any]:
        """Send a request and return the answer.

        Raises:
            TemplateFault: the process ended, or had to be ended.
        """
        assert self._process.stdin is not None
        waiting = asyncio.get_running_loop().call_later(self._limits.seconds * _WAITS, self._give_up)
        try:
            self._process.stdin.write(message)
            await self._process.stdin.drain()
            return await self._receive()
        except (EOFError, ConnectionError):
            ended = await self._process.wait()
            if self._is_given_up or ended == -signal.SIGPROF:
                raise self._too_long() from None
            said = f"It needs more than {self._limits.megabytes} MB of memory, or is nested too deep."
            raise TemplateFault("too large", said) from None
        finally:
            waiting.cancel()

    def _give_up(self) -> None:
        """End a process that does not answer, so that whoever waits for it hears of that."""
        self._is_given_up = True
        if self.is_alive:
            self._process.kill()

    async def end(self) -> None:
        """End the process, whatever it is doing."""
        if self.is_alive:
            self._process.kill()
        if self._process.stdin is not None:
            self._process.stdin.close()
        await self._process.wait()

    async def _receive(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        head = await self._process.stdout.readexactly(HEAD)
        return unpacked(await self._process.stdout.readexactly(length_of(head)))

    def _too_long(self) -> TemplateFault:
        return TemplateFault("too large", f"It takes more than {self._limits.seconds:g} s.")
