"""Keyed creates: the first call under a key and its replay, on every kind of state store."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from mcp import Client

from benchmarks.bare import server_of, tools_of
from benchmarks.calls import CALLS
from benchmarks.harness import Measured, Subject, interleaved, timed
from benchmarks.programs import MODERN
from benchmarks.report import Bars, Result, Table, figures, times
from benchmarks.served import small
from laconic.kit.endpoint import Endpoint
from laconic.kit.testing import connect
from laconic.stores import open_keyvalue
from tests.redis_server import redis_server

__all__ = ["run"]

_TOOL, _ARGUMENTS = CALLS["create, 10 parameters, a record back"]
_BARE = "bare SDK"
_WAYS = {"no key": "no key", "fresh": "a new key", "hit": "the same key again"}
_NO_REDIS = "Redis was left out: no `redis-server` on this machine (`apt-get install redis-server`)."


async def run(quick: bool) -> Result:
    """Measure creates without a key, with a new key, and replayed."""
    rounds, calls = (3, 20) if quick else (21, 60)
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        addresses = {"memory": "memory:", "sqlite": f"sqlite:{folder / 'state.db'}"}
        if shutil.which("redis-server"):
            addresses["redis"] = stack.enter_context(redis_server(folder))
        bare = await stack.enter_async_context(Client(server_of(tools_of("small")), mode=MODERN))
        subjects: dict[str, Subject] = {
            _BARE: partial(timed, partial(bare.call_tool, _TOOL, _ARGUMENTS), calls)
        }
        for store, address in addresses.items():
            client = await stack.enter_async_context(_connected(address))
            works = _works(client)
            subjects |= {f"{store}: {way}": partial(timed, work, calls) for way, work in works.items()}
        return _result(await interleaved(subjects, rounds), list(addresses))


@asynccontextmanager
async def _connected(address: str) -> AsyncIterator[Client]:
    endpoint = Endpoint([small], state=open_keyvalue(address))
    async with connect(endpoint=endpoint, era=MODERN) as client:
        yield client.client
    await endpoint.close()


def _works(client: Client) -> dict[str, Any]:
    numbers = count()

    def fresh() -> Any:
        return client.call_tool(_TOOL, {**_ARGUMENTS, "idempotency_key": f"key-{next(numbers)}"})

    return {
        "no key": partial(client.call_tool, _TOOL, _ARGUMENTS),
        "fresh": fresh,
        "hit": partial(client.call_tool, _TOOL, {**_ARGUMENTS, "idempotency_key": "always the same"}),
    }


def _result(found: Mapping[str, Measured], stores: list[str]) -> Result:
    bare, rows = found[_BARE], []
    for store in stores:
        plain = found[f"{store}: no key"]
        for way, words in _WAYS.items():
            mine = found[f"{store}: {way}"]
            rows.append(
                [
                    f"{store}: {words}",
                    times(mine.over(bare)),
                    times(mine.over(plain)),
                    f"{mine.median * 1e6:,.0f}",
                    f"{mine.p95 * 1e6:,.0f}",
                ]
            )
    caption = (
        "A create with ten parameters, in memory except for its state. The bare SDK's create, which has no "
        f"keys, took {bare.median * 1e6:,.0f} µs."
    )
    columns = ["state store", "vs bare SDK", "vs no key", "median µs", "p95 µs"]
    series = {
        words: [found[f"{store}: {way}"].over(bare) for store in stores] for way, words in _WAYS.items()
    }
    plot = Bars("bench-replay", "A create, times the bare SDK's", "times the bare SDK", stores, series)
    notes = [] if "redis" in stores else [_NO_REDIS]
    baseline = {name: _BARE for name in found if name != _BARE}
    return Result("replay", [Table(caption, columns, rows)], [plot], notes, figures(found, baseline))
