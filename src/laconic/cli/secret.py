"""`laconic secret rotate`: sign with a new secret, still verify with the previous one."""

from __future__ import annotations

import typer

from laconic.cli.configuration import secret_file
from laconic.cli.configuration.workspace import Places
from laconic.cli.group import command_group
from laconic.cli.parameters import Workspace, chosen
from laconic.kit.errors import BadConfiguration

__all__ = ["app"]

_EPILOG = """\
\b
examples:
  laconic secret rotate   # then restart the servers of this workspace

Cursors are valid for one day: rotate at most once a day, and every cursor in use stays valid.
"""

app = command_group("secret", "Manage the secret that signs cursors.")


@app.command(epilog=_EPILOG)
def rotate(workspace: Workspace = None) -> None:
    """Sign with a new secret; what the previous one signed stays valid."""
    options = chosen(workspace=workspace)
    places = Places.of(options)
    if options.secret or not places.is_lasting:
        raise BadConfiguration(
            "The secret is not in the state folder.",
            advice="Put a new one before the old one in LACONIC_SECRET, separated by a comma.",
        )
    count = secret_file.rotate(places.state)
    kept = "; what the previous one signed stays valid" if count > 1 else ""
    typer.echo(f"A new secret is in use{kept}. Restart the servers of this workspace.")
