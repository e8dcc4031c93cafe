"""`laconic serve`: toolsets over stdio or HTTP. Imports no CLI library: every start of a host passes here."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence

from laconic.cli import flags, logs, settings, stopping, streams
from laconic.cli.options import Options
from laconic.kit.errors import BadConfiguration, Failure

__all__ = ["main", "say"]


def main(argv: Sequence[str]) -> int:
    """Serve until the client goes or a signal comes; 2 when the configuration is wrong."""
    stopping.exit_on_signals()
    gc.disable()  # importing makes next to no garbage; looking for it takes a tenth of the start
    try:
        options = settings.read(flags.parse(argv), os.environ)
        logs.set_up(options)
        return _stdio(options) if options.http is None else _http(options, argv)
    except BadConfiguration as error:
        say(error)
        return 2


def say(error: Failure) -> None:
    """Put a failure to the person at the terminal."""
    print(f"laconic: {error.message} {error.advice}".rstrip(), file=sys.stderr)


def _stdio(options: Options) -> int:
    import asyncio

    with streams.stdout_on_stderr():  # a stranger's module may print while it is imported
        from laconic.cli.assemble import assemble
        from laconic.cli.greeting import greet
        from laconic.kit.wire.stdio import serve_stdio

        endpoint = assemble(options)
        greet(endpoint, options)
    gc.freeze()  # what was made so far stays
    gc.enable()
    asyncio.run(stopping.until_stopped(lambda closed: serve_stdio(endpoint, closed)))
    streams.abandon_stdout()
    return 0


def _http(options: Options, argv: Sequence[str]) -> int:
    from laconic.cli.listen import listen

    gc.enable()
    return listen(options, argv)
