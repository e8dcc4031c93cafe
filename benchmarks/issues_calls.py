"""The calls that benchmarks make to an issues server, always the same, and how to time one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from time import perf_counter
from typing import Any

from benchmarks.issues_workspace import COMMON, PHRASE, VERY_COMMON, rare
from benchmarks.programs import Program

__all__ = ["Arguments", "calls", "timed_call", "writes"]

Arguments = Callable[[], dict[str, Any]]


def calls(ids: Sequence[str], files: int) -> dict[str, tuple[str, Arguments]]:
    """Return the calls by name, each with its tool and a function that makes its arguments."""
    random = Random(7)
    issues = [id for id in ids if id.startswith("ISS")]

    def some(count: int) -> list[str]:
        return random.sample(issues, count)

    def changes(count: int) -> list[dict[str, str]]:
        return [{"id": id, "priority": random.choice(("low", "medium", "high"))} for id in some(count)]

    return {
        "list": ("issues_list", dict),
        "list, minimal, open only": (
            "issues_list",
            lambda: {"format": "minimal", "limit": 20, "status": ["open"]},
        ),
        "get": ("issues_get", lambda: {"id": some(1)[0]}),
        "get 10": ("issues_get_batch", lambda: {"ids": some(10), "fields": ["title", "status"]}),
        "get 50": ("issues_get_batch", lambda: {"ids": some(50), "fields": ["title", "status"]}),
        "stats": ("issues_stats", lambda: {"groupBy": "status"}),
        "labels": ("issues_labels", lambda: {"operation": "list"}),
        "search: rare word": ("issues_search", lambda: {"query": rare(random.randrange(files))}),
        "search: common word": ("issues_search", lambda: {"query": COMMON}),
        "search: phrase": ("issues_search", lambda: {"query": PHRASE}),
        "search: phrase of two very common words": ("issues_search", lambda: {"query": VERY_COMMON}),
        "create": (
            "issues_create",
            lambda: {"title": f"Made {random.getrandbits(32):08x}", "description": "By the benchmark."},
        ),
        "update": ("issues_update", lambda: changes(1)[0]),
        "update 10": ("issues_update_batch", lambda: {"updates": changes(10)}),
        "update 50": ("issues_update_batch", lambda: {"updates": changes(50)}),
    }


def writes(tool: str) -> bool:
    """True if a tool changes files."""
    return tool in ("issues_create", "issues_update", "issues_update_batch")


def timed_call(program: Program, tool: str, arguments: Mapping[str, Any]) -> float:
    """Return the seconds a call takes; anything but an answer raises."""
    request = program.request("tools/call", name=tool, arguments=dict(arguments))
    began = perf_counter()
    answer = program.exchange(request)
    took = perf_counter() - began
    if b'"isError":true' in answer.replace(b" ", b"") or b'"result"' not in answer:
        raise RuntimeError(answer[:500].decode())
    return took
