"""A request to another system: through a session, and with the bare HTTP client, in the same run."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx2

from benchmarks.harness import Measured, Subject, interleaved, timed
from benchmarks.programs import ROOT
from benchmarks.report import Result, Table, figures, times
from laconic.stores import SharedFile
from laconic.upstream import ApiSession, Credential, KeptCredential, OnceAtATime, Pace, Quota

__all__ = ["run"]

_SIZES = {"/one": "a record of 99 bytes", "/many": "1,000 records, 101 kB"}
_BARE, _PLAIN, _SIGNED, _SHARED = (
    "bare httpx2",
    "session",
    "session, signed, with a quota",
    "session, signed, with a quota shared by processes",
)
_TOKEN = "a-token-that-is-as-long-as-usual" * 4
_AMPLE = {"reads": Quota(10_000_000)}


async def run(quick: bool) -> Result:
    """Measure GETs of JSON on loopback, one after the other on one connection."""
    rounds, calls = (3, 20) if quick else (21, 100)
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        root = stack.enter_context(_served())
        auth = OnceAtATime(_kept(folder, root), _no_renewal)
        shared = Pace(SharedFile(folder / "pace.json", durable=False), _AMPLE)
        sessions = {
            _PLAIN: ApiSession(root),
            _SIGNED: ApiSession(root, auth, pace=Pace(quotas=_AMPLE)),
            _SHARED: ApiSession(root, auth, pace=shared),
        }
        bare = await stack.enter_async_context(httpx2.AsyncClient(base_url=root))
        for session in sessions.values():
            await stack.enter_async_context(session)
        subjects: dict[str, Subject] = {}
        for path in _SIZES:
            subjects[f"{path} {_BARE}"] = partial(timed, partial(_bare, bare, path), calls)
            for name, session in sessions.items():
                work = partial(session.get, path, group="" if name == _PLAIN else "reads")
                subjects[f"{path} {name}"] = partial(timed, work, calls)
        return _result(await interleaved(subjects, rounds))


async def _bare(client: httpx2.AsyncClient, path: str) -> Any:
    response = await client.get(path, headers={"Authorization": f"Bearer {_TOKEN}"})
    response.raise_for_status()
    return response.json()


def _kept(folder: Path, root: str) -> KeptCredential:
    kept = KeptCredential(SharedFile(folder / "credential.json"), [root])
    kept.write(Credential(_TOKEN))
    return kept


async def _no_renewal(last: Credential | None) -> Credential:
    raise AssertionError("the token is good for the whole run")


@contextmanager
def _served() -> Iterator[str]:
    command = [sys.executable, "-m", "benchmarks.upstream_server"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.kill()


def _result(found: Mapping[str, Measured]) -> Result:
    rows: list[list[str]] = []
    baseline: dict[str, str] = {}
    for path, words in _SIZES.items():
        bare = found[f"{path} {_BARE}"]
        for name in (_BARE, _PLAIN, _SIGNED, _SHARED):
            mine = found[f"{path} {name}"]
            baseline |= {f"{path} {name}": f"{path} {_BARE}"} if mine is not bare else {}
            ratio = times(mine.over(bare)) if mine is not bare else "1"
            medians = [f"{one * 1e6:,.0f}" for one in (mine.median, mine.p95)]
            rows.append([f"{words}: {name}", ratio, times(mine.worst_over(bare)), *medians])
    caption = (
        "A GET of JSON on loopback, one request after the other, token and parsing included. The server is "
        "another process and does nothing, so a slower one brings every ratio nearer to 1."
    )
    columns = ["request", "vs bare httpx2", "worst round", "median µs", "p95 µs"]
    return Result("upstream", [Table(caption, columns, rows)], figures=figures(found, baseline))
