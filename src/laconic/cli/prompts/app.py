"""`laconic prompts …`: the commands; slow modules are imported only when a command runs."""

from __future__ import annotations

from laconic.cli.group import command_group
from laconic.cli.prompts import editing, files, shelving, viewing

__all__ = ["app"]

_EPILOG = """\
\b
examples:
  laconic prompts edit review --new                # write it in your editor
  laconic prompts list review                      # find it again
  laconic prompts render review code=- < main.py   # fill it in
  laconic prompts show review@2                    # as it was
  laconic prompts history review                   # who changed what
  laconic prompts restore review@2                 # that version again, as a new one

The library is yours, not the repository's: agents in every project use the same prompts.
"""

app = command_group("prompts", "Work with your library of prompts.", _EPILOG)


app.command("list")(viewing.prompts_list)
app.command("show")(viewing.show)
app.command("render")(viewing.render)
app.command("edit")(editing.edit)
app.command("history")(viewing.history)
app.command("archive", epilog=shelving.ARCHIVE_EPILOG)(shelving.archive)
app.command("trash", epilog=shelving.TRASH_EPILOG)(shelving.trash)
app.command("restore", epilog=shelving.RESTORE_EPILOG)(shelving.restore)
app.command("label", epilog=shelving.LABEL_EPILOG)(shelving.label)
app.command("export", epilog=files.EXPORT_EPILOG)(files.export)
app.command("import", epilog=files.IMPORT_EPILOG)(files.import_files)
