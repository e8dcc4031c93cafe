"""The help of every command for the docs, at a fixed width."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

__all__ = ["commands"]

WIDTH: Final = 100


def commands(_: str = "") -> str:
    """Return one section per command with its help."""
    return "\n\n".join(f"### `{name}`\n\n```text\n{text}\n```" for name, text in _helps())


def _helps() -> Iterator[tuple[str, str]]:
    import typer

    from laconic.cli.app import app

    yield "laconic serve", _serve()
    root: Any = typer.main.get_command(app)
    for path, command in _commands(root, ("laconic",)):
        if path != ("laconic", "serve"):
            yield " ".join(path), _help(command, path)


def _commands(command: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every command below this one that is not hidden, without the groups themselves."""
    for name, inner in getattr(command, "commands", {}).items():
        if getattr(inner, "hidden", False):
            continue
        if getattr(inner, "commands", None):
            yield from _commands(inner, (*path, name))
        else:
            yield (*path, name), inner


def _help(command: Any, path: tuple[str, ...]) -> str:
    context = command.make_context(
        " ".join(path), [], resilient_parsing=True, terminal_width=WIDTH, max_content_width=WIDTH
    )
    return _plain(command.get_help(context))


def _serve() -> str:
    from laconic.cli.serve.flag_parser import parser

    made = parser()
    shape = made.formatter_class
    made.formatter_class = lambda prog: shape(prog, width=WIDTH)  # type: ignore[call-arg]  # every formatter takes a width
    return _plain(made.format_help())


def _plain(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())
