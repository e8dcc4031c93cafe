"""The folder that `laconic issues init --folder` chooses: checked, and written into laconic.toml."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from laconic.cli.configuration.files import FILE_NAME, ConfigFile
from laconic.cli.configuration.toml_setting import with_setting
from laconic.cli.configuration.workspace import Places
from laconic.cli.parameters import chosen
from laconic.kit.errors import Refused

__all__ = ["FolderChoice", "chosen_folder"]


@dataclass(frozen=True)
class FolderChoice:
    """The name of a workspace's folder, and laconic.toml with it."""

    name: str
    file: Path
    before: str
    after: str

    def words(self, *, dry_run: bool) -> str:
        """Return what is done, or would be."""
        if self.before == self.after:
            return f"The folder of this workspace is {self.name}."
        done = "would be" if dry_run else "is"
        return (
            f'{FILE_NAME}: [issues] folder = "{self.name}" {done} written. '
            "Commit that file: other clones and worktrees need it."
        )

    def apply(self) -> None:
        """Write laconic.toml, if it changes."""
        from laconic.stores.durable import write_over

        if self.before != self.after:
            write_over(self.file, self.after.encode())


def chosen_folder(workspace: Path | None, name: str) -> FolderChoice:
    """Check that a workspace can have this folder.

    Raises:
        BadConfiguration: it is no name of a folder.
        Refused: the workspace has another folder already, or something else than laconic.toml names one.
    """
    from laconic.cli.issues.workspace import read_settings
    from laconic.servers.issues.places import HOME

    options = chosen(workspace=workspace)
    root, present = Places.of(options).workspace, read_settings(options).folder
    read_settings(options, folder=name)
    if present != name and (root / present).exists():
        raise Refused(
            f"This workspace has the folder {present} already.",
            advice=f"Move it first: git mv {present} {name}",
        )
    in_file = ConfigFile.of_workspace(root).read()[1].get("issues", {}).get("folder", HOME)
    if present not in (name, in_file):
        raise Refused(f"A variable or your own config.toml sets the folder {present}.", advice="")
    file = root / FILE_NAME
    before = file.read_bytes().decode() if file.exists() else ""
    after = before if in_file == name else with_setting(before, "issues", "folder", name)
    return FolderChoice(name, file, before, after)
