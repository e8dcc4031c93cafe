"""A library on a disk that is full or read-only: run in a namespace of its own, where it may mount one."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from tests.process.speaking import Stdio, run, serving

SIZE = "2m"
LONG = "word " * 15_000  # more than the room that is left within the files


def mounted(folder: Path) -> Path:
    """Mount a small disk and return a workspace on it; the home of its server is there, too."""
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", folder], check=True)
    workspace = folder / "project"
    workspace.mkdir()
    return workspace


def fill(disk: Path) -> Path:
    """Leave no room on a disk; returns the file that has taken it."""
    ballast = disk / "ballast"
    with suppress(OSError), ballast.open("wb", buffering=0) as file:
        while file.write(b"x" * 4096):
            pass
    assert not os.statvfs(disk).f_bavail
    return ballast


def writing_is_refused(server: Stdio) -> None:
    """Nothing can be written, and the answer says why; all that is there can be read."""
    calls = {
        "edit_prompt_template": {"name": "list", "old_str": "place", "new_str": LONG},
        "create_prompt": {"name": "other", "content": LONG},
        "create_note": {"title": "Other", "content": LONG},
    }
    for tool, arguments in calls.items():
        said = server.call(tool, **arguments)
        assert "There is no space left for library.db. The person who runs this server" in said, said
    reading_goes_on(server)


def reading_goes_on(server: Stdio) -> None:
    """What was kept before is found, read and rendered as it was."""
    read = server.call("get_prompt_template", name="list")
    assert "\nversion: 1\n" in read and "place 0." in read, read
    assert "place 0." in server.call("render_prompt", name="list")
    assert "1 prompt:" in server.call("search_prompts", query="place")
    assert "1 item:" in server.call("search_items", query="shop")


def full(folder: Path) -> None:
    """Fill the disk while a server runs, start another on the full disk, and make room again."""
    workspace = mounted(folder)
    with serving("prompts", "notes", folder=workspace) as server:
        server.call("create_prompt", name="list", content="place 0.")
        server.call("create_note", title="Shopping", content="Oats.")
        ballast = fill(folder)
        writing_is_refused(server)
        with serving("prompts", "notes", folder=workspace) as other:
            reading_goes_on(other)
        refused = run("library", "backup", str(folder / "copy.db"), folder=workspace)
        assert refused.returncode == 1 and "no space left for copy.db" in refused.stderr, refused
        assert not (folder / "copy.db").exists()
        ballast.unlink()
        said = server.call("edit_prompt_template", name="list", old_str="0.", new_str="1.")
        assert "version: 2" in said, said
    checked = run("library", "check", folder=workspace)
    assert checked.stdout == "ok    1 note, 1 prompt; 3 versions\n", checked


def read_only(folder: Path) -> None:
    """Serve a library that cannot be written, then can, and then cannot before its journal is in the file."""
    mounted(folder)
    workspace, library = folder.with_name("project"), {"LACONIC_DATABASE": str(folder / "library.db")}
    workspace.mkdir()
    run("prompts", "edit", "list", "--new", "--file", "-", folder=workspace, stdin="place 0.", **library)
    edit = {"name": "list", "old_str": "0.", "new_str": "1."}

    remount(folder, "ro")
    with serving("prompts", folder=workspace, **library) as server:
        assert "place 0." in server.call("get_prompt_template", name="list")
        said = server.call("edit_prompt_template", **edit)
        assert "library.db can be read, but not written." in said, said
        assert run("library", "check", folder=workspace, **library).stdout == "ok    1 prompt; 1 version\n"
        copied = run("library", "backup", str(workspace / "copy.db"), folder=workspace, **library)
        assert copied.returncode == 0, copied
        remount(folder, "rw")
        assert "version: 2" in server.call("edit_prompt_template", **edit)
        server.signal(signal.SIGKILL)
        server.wait()
    assert (folder / "library.db-wal").stat().st_size

    remount(folder, "ro")
    with serving("prompts", folder=workspace, **library) as server:
        assert "place 1." in server.call("get_prompt_template", name="list")


def remount(folder: Path, mode: str) -> None:
    """Let a disk be written, or not."""
    subprocess.run(["mount", "-o", f"remount,{mode}", folder], check=True)


if __name__ == "__main__":
    {"full": full, "read-only": read_only}[sys.argv[1]](Path(sys.argv[2]))
