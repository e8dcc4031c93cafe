"""`laconic secret rotate`: a new secret signs, the former still verifies."""

from __future__ import annotations

import typer

from laconic.cli.configuration import secret_file
from laconic.cli.configuration.workspace import Places
from laconic.cli.parameters import Workspace, chosen
from laconic.kit.errors import BadConfiguration

__all__ = ["app"]

_EPILOG = """\
\b
examples:
  laconic secret rotate   # then start the servers of this workspace again

A cursor lives a day: rotate at most once a day, and none at large is refused.
"""

app = typer.Typer(
    name="secret",
    help="Look after the secret that signs cursors.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.callback()
def _secret() -> None: ...


@app.command(epilog=_EPILOG)
def rotate(workspace: Workspace = None) -> None:
    """Put a new secret in force; what the former one signed stays good."""
    options = chosen(workspace=workspace)
    places = Places.of(options)
    if options.secret or not places.is_lasting:
        raise BadConfiguration(
            "The secret is not in the state folder.",
            advice="Put a new one before the old in LACONIC_SECRET, with a comma between them.",
        )
    count = secret_file.rotate(places.state)
    kept = "; what the former signed stays good" if count > 1 else ""
    typer.echo(f"A new secret signs{kept}. Start the servers of this workspace again.")
