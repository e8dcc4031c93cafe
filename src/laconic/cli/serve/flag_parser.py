"""The flag parser of `serve`, built from the table of options."""

from __future__ import annotations

import argparse
from dataclasses import MISSING
from typing import Any, NoReturn

from laconic.cli.configuration.options import FLAG, OPTIONS, Option
from laconic.kit.errors import BadConfiguration

__all__ = ["parser"]

_EPILOG = """\
A SERVER is the name of an installed toolset, or package.module:toolset.

examples:
  laconic serve                              # stdio, for the host that starts it
  laconic serve example --read-only          # one server, without tools that write
  laconic serve --http 127.0.0.1:8321        # streamable HTTP on this machine
  laconic serve my_tools:toolset --verbose   # your own toolset, one log line per call

Every flag is also a variable (--read-only is LACONIC_READ_ONLY=1), and most are keys (read_only = true) of
your own config.toml ('laconic doctor' says where it is) and of laconic.toml in the workspace. Flags override
variables, variables override your file, and that overrides the workspace's.
No flags: LACONIC_SECRET (signs cursors), LACONIC_TOKEN (HTTP clients must send it).
"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise BadConfiguration(f"{message[:1].upper()}{message[1:]}.", advice="See 'laconic serve --help'.")


def parser() -> argparse.ArgumentParser:
    """Build the parser of `serve`."""
    made = _Parser(
        prog="laconic serve",
        description="Serve toolsets to an MCP host, over stdio or HTTP.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        argument_default=argparse.SUPPRESS,
    )
    for option in OPTIONS.values():
        if FLAG in option.sources:
            _add(made, option)
    return made


def _add(made: argparse.ArgumentParser, option: Option) -> None:
    shown = option.default not in (None, False, (), MISSING)
    help = f"{option.help} ({_plain(option.default)})" if shown else option.help
    if option.name == "servers":
        made.add_argument("servers", nargs="*", metavar=option.metavar, help=help)
    elif option.default is False and option.metavar:
        made.add_argument(option.flag, nargs="?", const="yes", metavar=option.metavar, help=help)
    elif option.default is False:
        made.add_argument(option.flag, action=argparse.BooleanOptionalAction, help=help)
    else:
        action = "append" if option.default is MISSING else "store"  # a table: each flag adds to it
        made.add_argument(option.flag, metavar=option.metavar, help=help, action=action)


def _plain(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
