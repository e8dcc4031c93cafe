"""Parse the command line of `serve`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from laconic.kit.errors import BadConfiguration
from laconic.text import did_you_mean, nearest

__all__ = ["parse"]


def parse(argv: Sequence[str]) -> dict[str, Any]:
    """Return the given flags, their values unparsed.

    Raises:
        BadConfiguration: a flag is unknown.
    """
    if not any(word.startswith("-") for word in argv):  # how hosts usually start us: no parser needed
        return {"servers": list(argv)} if argv else {}
    from laconic.cli.serve.flag_parser import parser

    made = parser()
    found, rest = made.parse_known_args(
        argv
    )  # argparse takes one group of servers; those after a flag are in the rest
    for word in rest:
        if word.startswith("-"):
            near = nearest(word.partition("=")[0], made._option_string_actions)
            hint = did_you_mean(near, otherwise="See 'laconic serve --help'.")
            raise BadConfiguration(f"Unknown flag {word[:80]}.", advice=hint.lstrip())
    given = vars(found)
    given["servers"] = [*given.get("servers", ()), *rest]
    return {name: value for name, value in given.items() if value != []}
