"""`laconic serve`: serve toolsets over stdio or HTTP."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from laconic.cli import logs, streams
from laconic.cli.configuration import settings
from laconic.cli.configuration.options import ServerOptions
from laconic.cli.serve import flags, stopping
from laconic.kit.errors import BadConfiguration

if TYPE_CHECKING:
    from laconic.kit.endpoint import Endpoint
    from laconic.kit.wire.signals import Serve

__all__ = ["main"]


def main(argv: Sequence[str]) -> int:
    """Serve until the client leaves or a signal arrives; return 2 if the configuration is wrong."""
    stopping.exit_on_signals()
    gc.disable()  # imports create almost no garbage; collecting it takes a tenth of the start
    try:
        options = settings.read(flags.parse(argv), os.environ)
        logs.set_up(options)
        return _stdio(options) if options.http is None else _http(options, argv)
    except BadConfiguration as error:
        streams.report(error)
        return 2


def _stdio(options: ServerOptions) -> int:
    if options.wire == "sdk" or sys.platform == "win32":  # its pipes cannot be polled like files
        return _sdk(options)
    from laconic.cli.assemble import Prepared
    from laconic.cli.serve.greeting import greet
    from laconic.cli.serve.warming import parts
    from laconic.kit.wire.lean.opening import claim, open_stdio

    reading, writing = claim()
    prepared = Prepared(options)
    greet(prepared.listing, options)
    with closing(parts(prepared)) as ahead:
        opened = open_stdio(prepared.about, reading, writing, ahead)
    if opened is None:
        return 0
    from laconic.kit.wire.lean.serving import serve_lean

    endpoint = prepared.endpoint
    _resume_gc()
    _run(lambda closed: serve_lean(endpoint, opened, closed), endpoint, options)
    return 0


def _sdk(options: ServerOptions) -> int:
    with streams.stdout_on_stderr():  # a foreign module may print while it is imported
        from laconic.cli.assemble import assemble
        from laconic.cli.serve.greeting import greet
        from laconic.kit.wire.stdio import serve_stdio

        endpoint = assemble(options)
        greet(endpoint.listing, options)
    _resume_gc()
    _run(lambda closed: serve_stdio(endpoint, closed), endpoint, options)
    streams.abandon_stdout()
    return 0


def _run(serve: Serve, endpoint: Endpoint, options: ServerOptions) -> None:
    from laconic.kit.wire.loops import run
    from laconic.kit.wire.signals import GRACE, until_stopped

    grace = GRACE if options.grace is None else options.grace
    run(until_stopped(serve, endpoint.stop, grace, exits=True))


def _resume_gc() -> None:
    gc.freeze()  # everything created so far stays
    gc.enable()


def _http(options: ServerOptions, argv: Sequence[str]) -> int:
    from laconic.cli.serve.listen import listen

    return listen(options, argv)
