"""What each step adds to a small call: the pipeline is built from the innermost step outwards."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager
from functools import partial
from typing import Any

import mcp_types as t
from mcp import Client

from benchmarks.bare import handler_of, server_of, tools_of
from benchmarks.harness import Measured, Subject, interleaved, timed
from benchmarks.programs import MODERN
from benchmarks.report import Bars, Result, Table, figures, times
from benchmarks.served import small
from laconic.kit.arguments.known import arguments_of
from laconic.kit.endpoint import Endpoint
from laconic.kit.peer import SilentPeer
from laconic.kit.pipeline import Call, Inner, Step, compose
from laconic.kit.settings import Rates
from laconic.kit.steps import standard
from laconic.kit.steps.limits import limits
from laconic.kit.testing import connect

__all__ = ["chain", "run"]

_TOOL, _ARGUMENTS = "echo", {"text": "hello"}
_BARE, _BARE_HANDLER, _WHOLE = "bare SDK, in memory", "bare handler alone", "Laconic, in memory"
_FUNCTION, _HANDLER = "the function", "supply, run, shape the answer"
_MOST = 10**9  # calls per minute: counted, never refused


async def run(quick: bool) -> Result:
    """Measure the bare SDK, the function alone, and the pipeline with one more step each time."""
    rounds, count = (3, 60) if quick else (41, 200)
    endpoint = Endpoint([small])
    await endpoint.call_tool(_TOOL, _ARGUMENTS, SilentPeer())  # builds what is built on first use
    async with AsyncExitStack() as stack:
        bare = await stack.enter_async_context(Client(server_of(tools_of("small")), mode=MODERN))
        ours = await stack.enter_async_context(connect(small, era=MODERN))
        handler = handler_of(tools_of("small"))
        params = t.CallToolRequestParams(name=_TOOL, arguments=_ARGUMENTS)
        subjects: dict[str, Subject] = {
            _BARE: partial(timed, partial(bare.call_tool, _TOOL, _ARGUMENTS), count),
            _WHOLE: partial(timed, partial(ours.client.call_tool, _TOOL, _ARGUMENTS), count),
            _BARE_HANDLER: partial(timed, partial(handler, None, params), count),
        }
        grown = chain(endpoint)
        subjects |= {name: partial(timed, work, count) for name, work in grown.items()}
        logged = _logged(endpoint)
        subjects["trace, log on"] = partial(_with_log, partial(timed, logged, count))
        found = await interleaved(subjects, rounds)
    return _result(found, [*grown, "trace, log on"])


def chain(endpoint: Endpoint) -> dict[str, Callable[[], Any]]:
    """Return what is timed, from the function alone to the whole pipeline."""
    spec = endpoint.catalogue.tool(_TOOL)
    checked = arguments_of(spec).check(_ARGUMENTS)
    steps = _steps(endpoint)
    works: dict[str, Callable[[], Any]] = {
        _FUNCTION: partial(spec.function, **checked.values),
        _HANDLER: _work(endpoint, endpoint.ways.handle),
    }
    for number in range(len(steps) - 1, -1, -1):
        works[_name(steps[number])] = _work(endpoint, compose(steps[number:], endpoint.ways.handle, spec))
    counted = [
        limits(endpoint.state, Rates(_MOST), 32) if _name(step) == "limits" else step for step in steps
    ]
    works["limits, rate on"] = _work(endpoint, compose(counted, endpoint.ways.handle, spec))
    return works


def _steps(endpoint: Endpoint) -> list[Step]:
    of_calls = (endpoint.section_of, endpoint.stop, endpoint._make)
    known: tuple[Any, ...] = (endpoint._kept, endpoint.envelope_of, {}, *of_calls)
    return standard(endpoint.settings, endpoint.state, endpoint.cursors, endpoint.handles, *known)


def _name(step: Step) -> str:
    """`limits.<locals>.step` is the step called limits."""
    return step.__qualname__.partition(".")[0]


def _work(endpoint: Endpoint, path: Inner) -> Callable[[], Any]:
    spec, peer = endpoint.catalogue.tool(_TOOL), SilentPeer()
    checked = arguments_of(spec).check(_ARGUMENTS)

    def work() -> Any:
        call = Call(spec, dict(_ARGUMENTS), peer, name=_TOOL)
        call.checked = checked  # the steps inside `arguments` need it
        return path(call)

    return work


def _logged(endpoint: Endpoint) -> Callable[[], Any]:
    return _work(endpoint, compose(_steps(endpoint), endpoint.ways.handle, endpoint.catalogue.tool(_TOOL)))


async def _with_log(subject: Subject) -> list[float]:
    with _log():
        return await subject()


@contextmanager
def _log() -> Iterator[None]:
    """Log one line per call, to nowhere."""
    log, handler = logging.getLogger("laconic"), logging.NullHandler()
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    log.propagate = False
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(logging.NOTSET)
        log.propagate = True


def _result(found: Mapping[str, Measured], names: list[str]) -> Result:
    bare, rows, added = found[_BARE], [], {}
    before: Measured | None = None
    for name in names:
        against = found["trace"] if name.endswith(" on") else before
        more = found[name].median if against is None else found[name].beyond(against)
        added[name] = more
        rows.append(
            [name, f"{more * 1e6:.1f}", f"{more / bare.median:.1%}", f"{found[name].median * 1e6:.1f}"]
        )
        before = found[name]
    columns = ["step, innermost first", "adds µs", "share of the bare SDK's call", "sum µs"]
    caption = (
        f"A small call (`{_TOOL}`), step by step. In the same run a bare SDK call in memory took "
        f"{bare.median * 1e6:,.0f} µs, its handler alone {found[_BARE_HANDLER].median * 1e6:.1f} µs, and "
        f"Laconic's whole call {found[_WHOLE].median * 1e6:,.0f} µs ({times(found[_WHOLE].over(bare))} times "
        "the bare one). What a tool does not declare (a former name, a yes, a key, a cache) costs nothing: a "
        "call takes only the steps that its tool needs."
    )
    plot = Bars(
        "bench-steps",
        "What each step adds to a small call, in percent of the bare SDK's call",
        "% of a bare call",
        list(added),
        {"added": [100 * more / bare.median for more in added.values()]},
    )
    return Result("steps", [Table(caption, columns, rows)], [plot], figures=_figures(found, added))


def _figures(found: Mapping[str, Measured], added: Mapping[str, float]) -> dict[str, Any]:
    kept = figures(found, {name: _BARE for name in found if name != _BARE})
    for name, more in added.items():
        kept[name]["adds"] = float(f"{more:.4g}")
    return kept
