"""The baselines: low-level SDK servers with the same tools, written as the SDK's documentation shows.

`python -m benchmarks.bare stdio small`, `… stdio 250` (schemas built by pydantic at start),
`… stdio 250 FILE` (schemas read from a file, models built on the first call), `… write 250 FILE`,
`… http small PORT WORKERS`.
"""

from __future__ import annotations

import inspect
import json
import os
import sys
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import mcp_types as t
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel, Field, TypeAdapter, ValidationError, create_model

from benchmarks.functions import Function, Ticket, echo, ticket_create, tickets, typical

__all__ = ["handler_of", "server_of", "tools_of"]

Tools = dict[str, Function]
_COUNT = "_BENCHMARK_TOOLS"  # tells workers, which are new processes, what to serve


async def tickets_list(
    cursor: Annotated[str | None, "From the previous page."] = None,
    limit: Annotated[int, Field(ge=1, le=1000)] = 20,
    owner: Annotated[str | None, "Keep only this person's."] = None,
) -> list[Ticket]:
    """List tickets."""
    return [row for row in _ALL if owner in (None, row.owner)][:limit]


_ALL = tickets(20)


def tools_of(name: str) -> Tools:
    """Return the functions of `small`, the one of `long`, or that many typical ones."""
    if name == "small":
        typed = typical(2)["account_search"]
        return {one.__name__: one for one in (echo, typed, ticket_create, tickets_list)}
    if name == "long":
        from benchmarks.long_texts import long_get  # here: the texts take time to build

        return {"long_get": long_get}
    return typical(int(name))


def server_of(tools: Tools, listed: list[t.Tool] | None = None) -> Server[Any]:
    """Return a server with schemas built now, or with the listed ones and models built on the first call."""
    models: dict[str, type[BaseModel]] = {}
    if listed is None:
        models |= {name: _model(function) for name, function in tools.items()}
        listed = [_tool(tools[name], model) for name, model in models.items()]
    schemas = {tool.name: tool.input_schema for tool in listed}

    async def list_tools(context: Any, params: Any) -> t.ListToolsResult:
        return t.ListToolsResult(tools=listed)

    return Server(
        "bare",
        on_list_tools=list_tools,
        on_call_tool=handler_of(tools, models),
        get_tool_input_schema=schemas.get,
    )


def handler_of(tools: Tools, models: dict[str, type[BaseModel]] | None = None) -> Any:
    """Return the handler for calls: check the arguments, run the function, write its answer."""
    known = {} if models is None else models

    async def call_tool(context: Any, params: t.CallToolRequestParams) -> t.CallToolResult:
        function = tools.get(params.name)
        if function is None:
            raise MCPError(code=t.INVALID_PARAMS, message=f"Unknown tool: {params.name}")
        model = known.get(params.name) or known.setdefault(params.name, _model(function))
        try:
            checked = model.model_validate(params.arguments or {})
        except ValidationError as error:
            return t.CallToolResult(content=[t.TextContent(type="text", text=str(error))], is_error=True)
        value = await function(**checked.__dict__)
        return t.CallToolResult(content=[t.TextContent(type="text", text=_text_of(value))])

    return call_tool


_ANY: TypeAdapter[Any] = TypeAdapter(Any)


def _text_of(value: object) -> str:
    return value if isinstance(value, str) else _ANY.dump_json(value).decode()


def _model(function: Function) -> type[BaseModel]:
    hints = get_type_hints(function, include_extras=True)
    fields: dict[str, Any] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        default = ... if parameter.default is inspect.Parameter.empty else parameter.default
        fields[name] = (hints[name], Field(default, description=_description(hints[name])))
    return create_model(function.__name__, **fields)


def _description(hint: Any) -> str | None:
    marks = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    return next((mark for mark in marks if isinstance(mark, str)), None)


def _tool(function: Function, model: type[BaseModel]) -> t.Tool:
    return t.Tool(
        name=function.__name__,
        description=inspect.getdoc(function),
        input_schema=model.model_json_schema(),
        annotations=t.ToolAnnotations(read_only_hint=function.__name__.endswith(("_search", "_get"))),
    )


def _write(name: str, path: Path) -> None:
    tools = [_tool(function, _model(function)) for function in tools_of(name).values()]
    path.write_text(json.dumps([_plain(tool) for tool in tools]), encoding="utf-8")


def _plain(tool: t.Tool) -> dict[str, Any]:
    return tool.model_dump(by_alias=True, mode="json", exclude_none=True)


def _serve_stdio(name: str, path: Path | None) -> None:
    import anyio
    from mcp.server.stdio import stdio_server

    listed = None
    if path is not None:
        listed = [t.Tool.model_validate(tool, by_name=False) for tool in json.loads(path.read_bytes())]
    server = server_of(tools_of(name), listed)

    async def run() -> None:
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    anyio.run(run)


def app() -> Any:
    """Return the web application of one worker."""
    server = server_of(tools_of(os.environ[_COUNT]))
    return server.streamable_http_app(stateless_http=True, host="127.0.0.1")


def _serve_http(name: str, port: int, workers: int) -> None:
    import uvicorn

    os.environ[_COUNT] = name
    uvicorn.run(
        "benchmarks.bare:app",
        host="127.0.0.1",
        port=port,
        workers=workers,
        factory=True,
        log_config=None,
        access_log=False,
    )


def main(words: list[str]) -> None:
    """Serve, or write the schemas to a file."""
    match words:
        case ["stdio", name]:
            _serve_stdio(name, None)
        case ["stdio", name, file]:
            _serve_stdio(name, Path(file))
        case ["write", name, file]:
            _write(name, Path(file))
        case ["http", name, port, workers]:
            _serve_http(name, int(port), int(workers))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
