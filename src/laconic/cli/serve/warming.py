"""Warming up: while no client asks anything, what its first call will need is imported and loaded.

A host asks for the tool list at once, but its model calls a tool only after it has thought. Each part is
short, so that a request waits for one part at most.
"""

from __future__ import annotations

from collections.abc import Generator
from importlib import import_module
from typing import Final

from laconic.cli.assemble import Prepared
from laconic.cli.serve.stopping import Stopped

__all__ = ["parts"]

# In this order each takes about as long as the others; together they are what every first call imports.
_MODULES: Final = (
    *("asyncio", "pydantic_core", "pydantic", "pydantic.main", "pydantic.fields"),
    *("laconic.kit.pipeline", "laconic.kit.declaring.signature", "laconic.kit.wire.lean.serving"),
    *("laconic.kit.wire.signals", "laconic.kit.catalogue"),
)


def parts(prepared: Prepared) -> Generator[None, None, None]:
    """Do one part at each step; what raises is left for the first call, which can answer it."""
    try:
        for name in _MODULES:
            import_module(name)
            yield
        yield from prepared.endpoint.ahead()
    except Stopped:
        raise
    except SystemExit as error:  # a foreign module may raise anything, but only a signal ends the server
        raise RuntimeError("a module asked to exit") from error
