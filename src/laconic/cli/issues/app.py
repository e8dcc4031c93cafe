"""`laconic issues …`: the commands; slow modules are imported only when a command runs."""

from __future__ import annotations

from laconic.cli.group import command_group
from laconic.cli.issues.editing import answering, claiming, deleting, edit, new
from laconic.cli.issues.maintenance import doctor, init, merge
from laconic.cli.issues.viewing import board, graph, listing, ready, show

__all__ = ["app"]

_EPILOG = """\
\b
examples:
  laconic issues board                          # overview by status
  laconic issues ready                          # what to do next
  laconic issues new 'Login fails with SSO'     # write the text in your editor
  laconic issues search login                   # find it again
  laconic issues show 12                        # read it
  laconic issues done 12                        # close it

Issues are markdown files in the workspace (in .wrangler/, unless it chose another folder): your
editor and git work with them too.
"""

app = command_group("issues", "Work with the issues, specifications and ideas of a workspace.", _EPILOG)


app.command("list", epilog=listing.EPILOG)(listing.issues_list)
app.command("search", epilog=listing.SEARCH_EPILOG)(listing.search)
app.command("show", epilog=show.EPILOG)(show.show)
app.command("new", epilog=new.EPILOG)(new.new)
app.command("edit", epilog=edit.EPILOG)(edit.edit)
app.command("board", epilog=board.EPILOG)(board.board)
app.command("ready", epilog=ready.EPILOG)(ready.ready)
app.command("claim", epilog=claiming.CLAIM_EPILOG)(claiming.claim)
app.command("done", epilog=claiming.DONE_EPILOG)(claiming.done)
app.command("reopen", epilog=deleting.REOPEN_EPILOG)(deleting.reopen)
app.command("delete", epilog=deleting.DELETE_EPILOG)(deleting.delete)
app.command("graph", epilog=graph.EPILOG)(graph.graph)
app.command("answer", epilog=answering.EPILOG)(answering.answer)
app.command("doctor", epilog=doctor.EPILOG)(doctor.doctor)
app.command("init", epilog=init.EPILOG)(init.init)
app.command("merge", hidden=True)(merge.merge)  # for git; main runs it without this app
