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
  laconic call issues_update id=1 labels:='["a"]'      # a value as JSON
  laconic call issues_delete id=1 --yes                # confirm if the tool asks
  laconic call issues_get --json '{"id": "ISS-000001"}'   # all arguments at once

Exit status: 0 the tool answered; 1 it failed, message on stderr; 2 wrong usage or configuration.
"""


def call(
    tool: Annotated[
        str, typer.Argument(metavar="TOOL", help="name of the tool", autocompletion=complete_tool)
    ],
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="KEY=VALUE", help="arguments; KEY:=JSON for JSON; repeat a key for a list"),
    ] = None,
    raw: Annotated[str | None, typer.Option("--json", metavar="OBJECT", help="all arguments as JSON")] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="confirm if the tool asks")] = False,
    tokens: Annotated[bool, typer.Option("--tokens", help="print how many tokens the answer has")] = False,
    server: Server = None,
    workspace: Workspace = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="refuse tools that change anything")] = False,
    verbose: Verbose = False,
) -> None:
    """Call a tool as a model would, and print its answer."""
    import asyncio  # imported here: commands that only print start in half the time

    from laconic.cli.assemble import assemble
    from laconic.kit.peer import NotSupported

    options = chosen(servers=server, workspace=workspace, read_only=read_only, verbose=verbose)
    logs.set_up(options)
    arguments = parse(words or (), raw)
    try:
        with streams.stdout_on_stderr():  # stdout is for the answer only, even if a tool prints
            answer = asyncio.run(_run(assemble(options), tool, arguments, yes))
    except NotSupported:
        typer.echo(f"Error: {tool} asks the user a question, which 'laconic call' cannot answer.", err=True)
        raise typer.Exit(1) from None
    text = _words(answer)
    typer.echo(text, err=answer.failure is not None)
    if tokens:
        scale = meter()
        typer.echo(scale.describe(scale.count(text)), err=True)
    if answer.failure is not None:
        raise typer.Exit(1)


async def _run(endpoint: Endpoint, tool: str, arguments: dict[str, Any], yes: bool) -> Answer:
    from laconic.kit.peer import SilentPeer

    try:
        if yes and endpoint.tool(tool).confirm:
            arguments = {**arguments, "confirm": True}
        return await endpoint.call_tool(tool, arguments, SilentPeer())
    finally:
        await endpoint.close()


def parse(words: Iterable[str], raw: str | None = None) -> dict[str, Any]:
    """Parse key=value and key:=json; a repeated key becomes a list.

    Values stay strings: the kit converts them to numbers and lists where a tool expects those.

    Raises:
        BadConfiguration: a word is neither.
    """
    arguments = _object(raw) if raw is not None else {}
    seen: dict[str, list[Any]] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key.strip(":"):
            raise BadConfiguration(f"'{word[:80]}' is not an argument. Expected: key=value.", advice="")
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
    """Return the answer as text for a terminal."""
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
