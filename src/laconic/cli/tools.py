"""`laconic tools`: the tools a model sees, and their tokens."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any

import typer

from laconic.cli.configuration.files import unknown
from laconic.cli.configuration.options import OPTIONS, help_of
from laconic.cli.cost import Meter, meter
from laconic.cli.parameters import Server, Workspace, chosen, complete_choice, complete_tool
from laconic.kit.listing import Listing, model_text

__all__ = ["EPILOG", "profiles_of", "tools"]

EPILOG = """\
\b
examples:
  laconic tools                      # every tool, its effect and its tokens
  laconic tools issues_list          # one tool as the model sees it
  laconic tools --read-only --json   # JSON, for a program
"""


def tools(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="show only this tool", autocompletion=complete_tool)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print JSON")] = False,
    server: Server = None,
    workspace: Workspace = None,
    read_only: Annotated[bool, typer.Option("--read-only", help=help_of("read_only"))] = False,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            metavar=OPTIONS["output"].metavar,
            help=help_of("output"),
            autocompletion=complete_choice("output"),
        ),
    ] = None,
    profiles: Annotated[
        list[str] | None,
        typer.Option("--tools", metavar=OPTIONS["tools"].metavar, help=f"{help_of('tools')}; repeatable"),
    ] = None,
) -> None:
    """Show the tools a model will see, and what they cost in tokens."""
    from laconic.cli.assemble import listed

    options = chosen(servers=server, workspace=workspace, read_only=read_only, output=output, tools=profiles)
    listing, scale = listed(options), meter()
    if name is None:
        typer.echo(_as_json(listing, scale) if as_json else _table(listing, scale))
        return
    is_listed = any(entry["name"] == name for entry in listing.tools)
    if not is_listed and name in listing.owners:  # a profile puts it aside
        listing = listed(replace(options, pinned=(*options.pinned, name)))
    found = _find(listing.tools, name)
    typer.echo(_pretty(found) if as_json else _one(found, scale, is_listed=is_listed))


def _find(entries: Sequence[Mapping[str, Any]], name: str) -> Mapping[str, Any]:
    for entry in entries:
        if entry["name"] == name:
            return entry
    raise unknown("tool", name, [entry["name"] for entry in entries])


def _hints(entry: Mapping[str, Any]) -> str:
    """Return the effect of a tool, from its annotations."""
    given = entry.get("annotations", {})
    if given.get("readOnlyHint"):
        return "reads"
    words = ["destroys" if given.get("destructiveHint", True) else "writes"]
    return ", ".join([*words, "repeatable"] if given.get("idempotentHint") else words)


def _table(listing: Listing, scale: Meter) -> str:
    costs = [scale.count(model_text(entry)) for entry in listing.tools]
    rows = [("tool", "effect", "tokens")]
    rows += [
        (entry["name"], _hints(entry), scale.figure(cost))
        for entry, cost in zip(listing.tools, costs, strict=True)
    ]
    lines = _aligned(rows)
    total = f"{len(costs)} tools, {scale.describe(sum(costs))}"
    if listing.instructions:
        total += f"; instructions, {scale.describe(scale.count(listing.instructions))}"
    return "\n".join([*lines, "", f"{total}.", *profiles_of(listing), scale.footnote])


def profiles_of(listing: Listing) -> list[str]:
    """Return a line for each server that has profiles: the chosen one, the others, and what is put aside."""
    return [_profile(server, **facts) for server, facts in listing.profiles.items()]


def _profile(server: str, profile: str, known: Sequence[str], aside: int) -> str:
    others = [name for name in known if name != profile]
    chosen = f"profile {profile}" if profile else "all tools"
    more = f", {aside} more tool{'s' if aside > 1 else ''} found with tools_find" if aside else ""
    choice = f"; --tools {server}={'|'.join(others)}" if others else ""
    return f"{server}: {chosen}{more}{choice}."


def _aligned(rows: Sequence[tuple[str, str, str]]) -> list[str]:
    first, second, third = (max(len(row[column]) for row in rows) for column in range(3))
    return [f"{a:{first}}  {b:{second}}  {c:>{third}}" for a, b, c in rows]


def _one(entry: Mapping[str, Any], scale: Meter, *, is_listed: bool) -> str:
    cost = scale.describe(scale.count(model_text(entry)))
    place = "" if is_listed else "; not listed, found with tools_find"
    head = f"{entry['name']}  ({_hints(entry)}; {cost}{place})"
    return f"{head}\n{entry['description']}\n{_pretty(entry['inputSchema'])}"


def _as_json(listing: Listing, scale: Meter) -> str:
    entries = [{**entry, "tokens": scale.count(model_text(entry))} for entry in listing.tools]
    total = sum(int(entry["tokens"]) for entry in entries)
    whole = {"tools": entries, "tokens": total, "exact": scale.exact}
    return _pretty(whole | ({"profiles": listing.profiles} if listing.profiles else {}))


def _pretty(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
