"""The help of every group: each command in one whole sentence, and where settings come from."""

from collections.abc import Iterator
from typing import Any

import typer

from laconic.cli.app import app


def groups(command: Any) -> Iterator[Any]:
    if hasattr(command, "commands"):
        yield command
        for inner in command.commands.values():
            yield from groups(inner)


def test_no_sentence_about_a_command_is_cut_on_a_terminal_of_80_columns() -> None:
    for group in groups(typer.main.get_command(app)):
        context = group.make_context(group.name, [], resilient_parsing=True, terminal_width=80)
        _, _, commands = group.get_help(context).partition("Commands:\n")
        listed, _, _ = commands.partition("\n\n")

        assert len(listed.splitlines()) == sum(not command.hidden for command in group.commands.values())
        assert "..." not in listed, listed


def test_the_help_names_all_places_of_the_configuration_in_their_order() -> None:
    command = typer.main.get_command(app)
    context = command.make_context("laconic", [], resilient_parsing=True, terminal_width=80)
    said = " ".join(command.get_help(context).split())

    assert (
        "precedence: flags, LACONIC_* variables, your own config.toml, the workspace's laconic.toml." in said
    )
