"""Serving toolsets from your own program."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from laconic.kit.endpoint import Endpoint
from laconic.kit.errors import BadConfiguration
from laconic.kit.settings import Settings
from laconic.kit.toolset import Toolset

if TYPE_CHECKING:
    from laconic.kit.wire.signals import Serve

__all__ = ["serve"]


def serve(
    *served: Toolset | Endpoint,
    name: str | None = None,
    settings: Settings | None = None,
    grace: float | None = None,
) -> None:
    """Serve toolsets over stdio until the client disconnects or a signal comes, under a name, or their own.

    What toolsets keep ends with the process. An `Endpoint` in their place has a name, settings, a store and
    folders of its own.

    After SIGTERM or Ctrl-C, calls in progress have so many seconds of `grace` (3) to finish. Then this
    returns, and the process ends three seconds later at the latest.
    """
    from laconic.kit.wire.loops import run
    from laconic.kit.wire.signals import GRACE, ended_by_signals, until_stopped

    endpoint = _endpoint(served, name, settings)
    serving: Serve | None = None
    with ended_by_signals():
        serving = _serving(endpoint)
    if serving is not None:
        run(until_stopped(serving, endpoint.stop, GRACE if grace is None else grace, exits=False))


def _endpoint(
    served: tuple[Toolset | Endpoint, ...], name: str | None, settings: Settings | None
) -> Endpoint:
    toolsets = [one for one in served if isinstance(one, Toolset)]
    others = [one for one in served if isinstance(one, Endpoint)]
    if not others:
        return Endpoint(toolsets, name=name, settings=settings)
    if toolsets or len(others) > 1 or name is not None or settings is not None:
        raise BadConfiguration("An Endpoint is served alone, with the name and the settings that it has.")
    return others[0]


def _serving(endpoint: Endpoint) -> Serve | None:
    """Answer what needs no event loop, and return what serves the rest; None if the client left."""
    if sys.platform == "win32":  # its pipes cannot be waited for
        from laconic.kit.wire.stdio import serve_stdio

        return lambda closed: serve_stdio(endpoint, closed)
    from laconic.kit.wire.about import ServerCard
    from laconic.kit.wire.lean.opening import claim, open_stdio
    from laconic.kit.wire.lean.serving import serve_lean

    opened = open_stdio(ServerCard.of(endpoint), *claim(), endpoint.ahead())
    return None if opened is None else lambda closed: serve_lean(endpoint, opened, closed)
