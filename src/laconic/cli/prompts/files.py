"""`laconic prompts export` and `import`: the library as files that a team keeps in git, and as skills."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from laconic.cli import screen
from laconic.cli.library.opening import DatabaseOption
from laconic.cli.prompts.opening import author, in_library
from laconic.kit.errors import BadConfiguration

if TYPE_CHECKING:
    from laconic.servers.prompts.files.folders import Outcome
    from laconic.servers.prompts.service import Library

__all__ = ["EXPORT_EPILOG", "IMPORT_EPILOG", "export", "import_files"]

EXPORT_EPILOG = """\
\b
examples:
  laconic prompts export prompts                              # one markdown file for each prompt
  laconic prompts export ~/.claude/skills --skills claude-code  # one skill for each prompt

Files that say the same are not touched. Files without a prompt in the library are listed and left alone. A
file with changes that the library never had is refused, and so is a skill that was not exported from here.

Exit status: 0 every prompt is in its file, 1 some were refused.
"""
IMPORT_EPILOG = """\
\b
examples:
  laconic prompts import prompts --dry-run                # what would be done
  laconic prompts import prompts --on-conflict replace    # the files count

A file is NAME.md: a header with title, description, tags and arguments, then the template.

Exit status: 0 every file is in the library or skipped, 1 some were refused.
"""


def export(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="folder for the files")],
    skills: Annotated[
        Literal["claude-code", "codex", "claude-desktop"] | None,
        typer.Option("--skills", help="write skills for this host instead"),
    ] = None,
    database: DatabaseOption = None,
) -> None:
    """Write every active prompt into a file."""
    from laconic.cli.prompts.unmerged import unmerged_in
    from laconic.servers.prompts.files.folders import all_prompts, write_out, write_skills
    from laconic.servers.prompts.files.skills import skills_of

    unmerged = unmerged_in(folder) if folder.is_dir() else set()

    async def work(library: Library) -> list[Outcome]:
        if skills is None:
            return await write_out(library, folder, unmerged)
        files = await skills_of(library, await all_prompts(library), skills)
        return write_skills(folder, files, unmerged)

    _report(in_library(work, database))


def import_files(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="folder with the files")],
    on_conflict: Annotated[
        Literal["skip", "replace", "rename"],
        typer.Option("--on-conflict", help="what to do if the library has another one of that name"),
    ] = "skip",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="only say what would be done")] = False,
    database: DatabaseOption = None,
) -> None:
    """Bring the markdown files of a folder into the library."""
    from laconic.cli.prompts.unmerged import unmerged_in
    from laconic.servers.prompts.files.importing import bring_in

    if not folder.is_dir():
        raise BadConfiguration(f"There is no folder {folder}.", advice="")
    unmerged = unmerged_in(folder)
    done = in_library(
        lambda library: bring_in(
            library, folder, author(), on_conflict=on_conflict, dry_run=dry_run, unmerged=unmerged
        ),
        database,
    )
    remarks = ["Nothing was saved: this is a dry run."] if dry_run else []
    if on_conflict == "skip" and any(outcome.action == "skipped" for outcome in done):
        remarks.append("--on-conflict replace takes what is in the files, rename keeps both.")
    _report(done, " ".join(remarks))


def _report(outcomes: Sequence[Outcome], remark: str = "") -> None:
    for outcome in outcomes:
        if outcome.action != "unchanged":
            named = f" as {outcome.name}" if outcome.action == "renamed" else ""
            why = f": {outcome.why}" if outcome.why else ""
            typer.echo(screen.clean(f"{outcome.action:<9} {outcome.file}{named}{why}"))
    counted = Counter(outcome.action for outcome in outcomes)
    words = ", ".join(f"{number:,} {action}" for action, number in sorted(counted.items()))
    typer.echo(f"{words or 'No files'}. {remark}".rstrip())
    if counted["refused"]:
        raise typer.Exit(1)
