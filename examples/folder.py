"""Work on a whole folder: reports progress to a caller that asked, and stops when the caller no longer waits.

Reporting costs nothing if nobody listens, and is also the place where a cancelled call ends.

    laconic call --server examples.folder:toolset folder_measure most=5
    laconic serve examples.folder:toolset
"""

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from laconic.kit import Progress, Toolset
from laconic.stores import Folder

toolset = Toolset("folder", "Measures the texts of a folder.", provides=(Folder,))


@toolset.factory
async def open_folder(section: Mapping[str, Any]) -> AsyncIterator[Folder]:
    """Open the markdown files of the workspace, or those that match another pattern."""
    yield Folder(Path(section.get("workspace", ".")), section.get("pattern", "*.md"), depth=None)


@toolset.read(deadline=300)
async def folder_measure(
    folder: Folder,
    progress: Progress,
    most: Annotated[int, Field(ge=1, le=100), "How many to show."] = 10,
) -> str:
    """Count the words of every file, and show the longest."""
    names = folder.names()
    words: dict[str, int] = {}
    for done, name in enumerate(names, start=1):
        words[name] = len(folder.read(name).split())
        await progress(done, len(names), name)  # a cancel takes effect here
    longest = sorted(words, key=lambda name: -words[name])[:most]
    lines = [f"{words[name]:,}\t{name}" for name in longest]
    return "\n".join([f"{len(names):,} files, {sum(words.values()):,} words; the longest:", *lines])
