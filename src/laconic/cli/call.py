"""`laconic call TOOL key=value …`: every tool is also a command, through the same pipeline."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from laconic.cli import logs, streams
from laconic.cli.cost import meter
from laconic.cli.parameters import Server, Verbose, Workspace, chosen, complete_tool
from laconic.kit.answers.content import Audio, Block, Image, Link, Resource, Text
from laconic.kit.errors import BadConfiguration

if TYPE_CHECKING:
    from laconic.kit.endpoint import Endpoint
    from laconic.kit.pipeline import Answer

__all__ = ["EPILOG", "call", "parse"]

EPILOG = """\
\b
examples:
  laconic call issues_list status=open limit=5
  laconic call issues_create title=Plan description='Ship it.' labels=a labels=b
  laconic call issues_update id=1 labels:='["a"]'      # JSON as it stands
  laconic call issues_delete id=1 --yes                # where a tool asks first
  laconic call issues_get --json '{"id": "ISS-000001"}'   # all arguments at once

Status: 0 the tool answered; 1 it failed, its words are on stderr; 2 the command or the configuration is
wrong.
"""


def call(
    tool: Annotated[
        str, typer.Argument(metavar="TOOL", help="the tool's name", autocompletion=complete_tool)
    ],
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="KEY=VALUE", help="arguments, KEY:=JSON for JSON; twice the same key makes a list"
        ),
    ] = None,
    raw: Annotated[str | None, typer.Option("--json", metavar="OBJECT", help="arguments as JSON")] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="confirm what a tool asks about")] = False,
    tokens: Annotated[bool, typer.Option("--tokens", help="say what the answer costs a model")] = False,
    server: Server = None,
    workspace: Workspace = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="refuse tools that change anything")] = False,
    verbose: Verbose = False,
) -> None:
    """Call a tool as a model would, and print its answer."""
    import asyncio  # here, with what serves: commands that only print start in half the time

    from laconic.cli.assemble import assemble

    options = chosen(servers=server, workspace=workspace, read_only=read_only, verbose=verbose)
    logs.set_up(options)
    arguments = parse(words or (), raw)
    with streams.stdout_on_stderr():  # stdout is for the answer alone, whatever a tool prints
        answer = asyncio.run(_run(assemble(options), tool, arguments, yes))
    said = _words(answer)
    typer.echo(said, err=answer.failure is not None)
    if tokens:
        scale = meter()
        typer.echo(scale.say(scale.count(said)), err=True)
    if answer.failure is not None:
        raise typer.Exit(1)


async def _run(endpoint: Endpoint, tool: str, arguments: dict[str, Any], yes: bool) -> Answer:
    from laconic.kit.peer import SilentPeer

    try:
        if yes and endpoint.catalogue.tool(tool).confirm:
            arguments = {**arguments, "confirm": True}
        return await endpoint.call_tool(tool, arguments, SilentPeer())
    finally:
        await endpoint.close()


def parse(words: Iterable[str], raw: str | None = None) -> dict[str, Any]:
    """Read key=value and key:=json; a key given twice becomes a list.

    Values stay words: the kit makes numbers and lists of them where a tool wants such.

    Raises:
        BadConfiguration: a word that is neither.
    """
    arguments = _object(raw) if raw is not None else {}
    seen: dict[str, list[Any]] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key.strip(":"):
            raise BadConfiguration(f"'{word[:80]}' is no argument. Expected: key=value.", advice="")
        is_json = key.endswith(":")
        seen.setdefault(key.rstrip(":"), []).append(_json(value, word) if is_json else value)
    return arguments | {key: values[0] if len(values) == 1 else values for key, values in seen.items()}


def _json(value: str, word: str) -> Any:
    try:
        return json.loads(value)
    except ValueError as error:
        raise BadConfiguration(f"'{word[:80]}' is not JSON after := ({error}).", advice="") from None


def _object(raw: str) -> dict[str, Any]:
    try:
        value = json.loads(raw)
    except ValueError as error:
        raise BadConfiguration(f"--json is not JSON ({error}).", advice="") from None
    if not isinstance(value, dict):
        raise BadConfiguration('--json must be an object, such as \'{"name": "plan"}\'.', advice="")
    return value


def _words(answer: Answer) -> str:
    """The answer as a terminal can show it."""
    if not answer.blocks and answer.structured is not None:
        return json.dumps(answer.structured, ensure_ascii=False, indent=2)
    return "\n".join(_shown(block) for block in answer.blocks)


def _shown(block: Block) -> str:
    match block:
        case Text(text=words) | Resource(content=str(words)):
            return words
        case Link(uri=uri):
            return f"[{uri}]"
        case (
            Resource(content=bytes(data), mime=mime)
            | Image(data=data, mime=mime)
            | Audio(data=data, mime=mime)
        ):
            return f"[{mime}, {len(data):,} bytes]"
    raise AssertionError(block)
