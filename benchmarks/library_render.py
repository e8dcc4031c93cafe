"""Rendering: a warm worker beside an echo through the same pipe and the bare template; a killed worker."""

from __future__ import annotations

import asyncio
import sys
import time
from functools import partial
from typing import Final

from jinja2 import Environment

from benchmarks.harness import Measured, interleaved, timed
from benchmarks.report import Table, times
from laconic.servers.prompts.templates.environment import RestrictedEnvironment
from laconic.servers.prompts.templates.judge import Judge
from laconic.servers.prompts.templates.limits import RenderLimits, TemplateFault
from laconic.servers.prompts.templates.messages import HEAD, length_of, packed, unpacked

__all__ = ["rendering"]

_SOURCE: Final = (
    "Review this {{ language }} code as a {{ role }} would.\n\n{% for point in points %}{{ loop.index }}."
    " Look at {{ point|upper }} first.\n{% endfor %}\n{% if strict %}Be strict.{% endif %}\n\n{{ code }}\n"
)
_VALUES: Final = {
    "language": "Go",
    "role": "maintainer",
    "points": [f"point {number}" for number in range(20)],
    "strict": True,
    "code": "func main() {}\n" * 60,
}
_ENDLESS: Final = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
_ECHO: Final = """
import sys
from laconic.servers.prompts.templates.messages import HEAD, length_of, packed, unpacked
source, sink = sys.stdin.buffer, sys.stdout.buffer
while len(head := source.read(HEAD)) == HEAD:
    sink.write(packed({"text": unpacked(source.read(length_of(head)))["values"]["code"]}))
    sink.flush()
"""


async def rendering(rounds: int, calls: int) -> tuple[list[Table], dict[str, Measured]]:
    """Measure one rendering, then what a template that runs away does to others."""
    judge = Judge()
    echo = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _ECHO, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    found = await interleaved(
        {
            "render": partial(timed, partial(judge.render, _SOURCE, _VALUES), calls),
            "echo": partial(timed, partial(_echoed, echo), calls),
            "compiled template": partial(_compiled, RestrictedEnvironment(1_000_000), calls),
            "the same, not restricted": partial(_compiled, Environment(autoescape=False), calls),
        },
        rounds,
    )
    echo.kill()
    await echo.wait()
    others = await _beside_one_that_runs_away()
    await judge.close()
    return [_table(found), others], found


async def _echoed(process: asyncio.subprocess.Process) -> object:
    assert process.stdin is not None and process.stdout is not None
    request = {"do": "render", "source": _SOURCE, "values": _VALUES, "missing": [], "sources": {}}
    process.stdin.write(packed(request))
    await process.stdin.drain()
    head = await process.stdout.readexactly(HEAD)
    return unpacked(await process.stdout.readexactly(length_of(head)))["text"]


async def _compiled(environment: Environment, calls: int) -> list[float]:
    template = environment.from_string(_SOURCE)
    found = []
    for _ in range(calls):
        began = time.perf_counter()
        template.render(_VALUES)
        found.append(time.perf_counter() - began)
    return found


async def _beside_one_that_runs_away() -> Table:
    strict = Judge(RenderLimits(seconds=0.5))
    await strict.render("warm", {})
    alone = [await _seconds(strict) for _ in range(100)]
    stuck = [asyncio.create_task(strict.render(_ENDLESS, {})) for _ in range(2)]
    beside: list[float] = []
    while not all(task.done() for task in stuck):
        beside.append(await _seconds(strict))
    ends = await asyncio.gather(*stuck, return_exceptions=True)
    killed = sum(isinstance(end, TemplateFault) for end in ends)
    await strict.close()
    rows = [
        ["alone", str(len(alone)), *_in_ms(alone)],
        [f"while {killed} endless templates run until they are killed", str(len(beside)), *_in_ms(beside)],
    ]
    caption = "Renderings of another caller, the limit being 0.5 s: nobody waits for the killed worker."
    return Table(caption, ["", "renderings", "median ms", "p95 ms", "longest ms"], rows)


async def _seconds(judge: Judge) -> float:
    began = time.perf_counter()
    await judge.render(_SOURCE, _VALUES)
    return time.perf_counter() - began


def _in_ms(found: list[float]) -> list[str]:
    measured = Measured((tuple(found),))
    return [f"{one * 1e3:.2f}" for one in (measured.median, measured.p95, max(found))]


def _table(found: dict[str, Measured]) -> Table:
    mine, echo, bare = found["render"], found["echo"], found["compiled template"]
    pairs = list(zip(mine.medians, echo.medians, bare.medians, strict=True))
    shares = Measured(tuple((one / (pipe + 3 * template),) for one, pipe, template in pairs))
    rows = [[name, f"{found[name].median * 1e6:,.0f}", f"{found[name].p95 * 1e6:,.0f}"] for name in found]
    rows.append(["of the echo and three of the template", times(shares.median), times(shares.worst)])
    caption = (
        "One rendering with a warm worker (20 loops, 1.5 kB) beside an echo of the same request through the"
        " same kind of pipe and the compiled template's own `render()`, in µs. Last row: the share of the"
        " target, which is at most 1, and that of the worst round."
    )
    return Table(caption, ["", "median", "p95"], rows)
