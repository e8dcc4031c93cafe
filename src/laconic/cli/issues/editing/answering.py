"""`laconic issues answer`: answer the question of an agent that paused, or list the open questions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from laconic.cli import screen
from laconic.cli.parameters import Workspace
from laconic.kit.errors import BadConfiguration, Conflict, NotFound

if TYPE_CHECKING:
    from laconic.servers.issues.sessions.service import Sessions

__all__ = ["EPILOG", "answer"]

EPILOG = """\
\b
examples:
  laconic issues answer                       # the open questions, in all work trees of this clone
  laconic issues answer 3f2a 'Use the first'  # the session whose id ends so; its agent goes on

The agent reads the answer with session_get. Ending a session closes its question.
"""


def answer(
    session: Annotated[
        str | None, typer.Argument(metavar="SESSION", help="id of the session, or the end of it")
    ] = None,
    text: Annotated[str | None, typer.Argument(metavar="TEXT", help="what to tell the agent")] = None,
    workspace: Workspace = None,
) -> None:
    """Answer the question of an agent that paused."""
    from laconic.cli.issues.workspace import open_workspace
    from laconic.servers.issues.sessions.service import Sessions

    with open_workspace(workspace) as opened:
        sessions = Sessions(opened.store.layout.root, home=opened.store.layout.home)
        if session is None:
            _list(sessions)
            return
        if text is None or not text.strip():
            raise BadConfiguration("There is no answer.", advice="Pass it as the second argument.")
        id = _named(sessions, session)
        try:
            asked = sessions.answer(id, text.strip())
        except (Conflict, NotFound) as failure:
            failure.advice = "laconic issues answer lists the open questions."
            raise
    screen.write(screen.clean(f"Answered {id}: {asked.text}"))


def _list(sessions: Sessions) -> None:
    found = sessions.questions()
    for id, question in found.items():
        screen.write(screen.clean(f"{id}  {question.text}"))
    if not found:
        typer.echo("No agent waits for an answer.", err=True)


def _named(sessions: Sessions, given: str) -> str:
    """Return the id of the session with an open question that ends so; anything else as it was given."""
    found = [id for id in sessions.questions() if id.endswith(given)]
    return found[0] if len(found) == 1 else given
