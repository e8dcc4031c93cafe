"""The commands that print, and their help: `laconic --help`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from laconic import __version__
from laconic.cli import call, secret, servers, streams, tools
from laconic.cli.demo import command as demo
from laconic.cli.doctor import command as doctor
from laconic.cli.eval import command as evaluation
from laconic.cli.install import command as installation
from laconic.cli.library import app as library
from laconic.cli.serve_completion import ServeCommand
from laconic.cli.tokens import app as tokens
from laconic.kit.errors import BadArguments, BadConfiguration, Failure

__all__ = ["app", "run"]

_EPILOG = """\
\b
examples:
  laconic install claude-code           # register with a host
  laconic serve --http 127.0.0.1:8321   # serve over HTTP
  laconic tools                         # the tools a model sees
  laconic call issues_list limit=5      # call a tool by hand
  laconic demo                          # tokens per answer, compared with a thin wrapper

Configuration precedence: flags, LACONIC_* variables, your own config.toml, the workspace's laconic.toml.
"""

app = typer.Typer(
    name="laconic",
    help="MCP servers that say only what matters.",
    epilog=_EPILOG,
    no_args_is_help=True,
    rich_markup_mode=None,  # plain text like the help of serve: easy to pipe, faster to start
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"laconic {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None: ...


# serve has its own parser: here it is only listed, and its arguments are passed on.
@app.command(
    "serve",
    cls=ServeCommand,
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []},
)
def _serve(context: typer.Context) -> None:
    """Serve toolsets to an MCP host, over stdio or HTTP."""
    from laconic.cli.serve import command as serve

    raise typer.Exit(serve.main(context.args))


app.command(epilog=tools.EPILOG)(tools.tools)
app.command(epilog=call.EPILOG)(call.call)
app.command(epilog=doctor.EPILOG)(doctor.doctor)
app.command(epilog=demo.EPILOG)(demo.demo)
app.command("eval", epilog=evaluation.EPILOG)(evaluation.eval_)
app.command(epilog=installation.EPILOG)(installation.install)
for group in servers.commands():
    app.add_typer(group)
app.add_typer(library.app)
app.add_typer(tokens.app)
app.add_typer(secret.app)


def run(words: Sequence[str]) -> int:
    """Run a command and return its exit status: 0 success, 1 failure, 2 wrong usage or configuration."""
    try:
        app(list(words), prog_name="laconic")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    except Failure as error:
        streams.report(error)
        return 2 if isinstance(error, BadArguments | BadConfiguration) else 1
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    return 0
