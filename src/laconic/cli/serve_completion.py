"""Shell completion for `serve`, whose own parser is not the one that shells ask."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import Parameter, Signature
from typing import Any

import typer
from typer.core import TyperCommand

from laconic.cli.configuration.options import FLAG, OPTIONS, Option
from laconic.cli.parameters import complete_choice, complete_server, complete_tool

__all__ = ["ServeCommand"]


class ServeCommand(TyperCommand):
    """Takes every word as it is, and shows a shell the flags and servers."""

    def get_params(self, ctx: Any) -> list[Any]:  # typer does not export the types
        """Return the parameters to complete; none otherwise."""
        return _completed() if ctx.resilient_parsing else super().get_params(ctx)


def _completed() -> list[Any]:
    def serve(**given: Any) -> None: ...

    serve.__signature__ = Signature(list(_parameters()))  # type: ignore[attr-defined]  # every function has one
    app = typer.Typer(add_completion=False)
    app.command()(serve)
    found: list[Any] = typer.main.get_command(app).params
    return found


def _parameters() -> Iterator[Parameter]:
    for option in OPTIONS.values():
        if FLAG in option.sources:
            kind, described = _described(option)
            yield Parameter(option.name, Parameter.KEYWORD_ONLY, default=described, annotation=kind)


def _described(option: Option) -> tuple[Any, Any]:
    if option.name == "servers":
        return list[str] | None, typer.Argument(None, autocompletion=complete_server)
    if option.default is False and not option.metavar:
        return bool, typer.Option(False, f"{option.flag}/--no-{option.flag[2:]}", help=option.help)
    complete = complete_tool if option.name in ("pinned", "allow", "deny") else complete_choice(option.name)
    return str | None, typer.Option(None, option.flag, help=option.help, autocompletion=complete)
