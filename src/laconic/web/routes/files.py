"""Files: prompts as markdown files and as skills, brought out and in."""

from __future__ import annotations

import asyncio
import gzip
import io
import tarfile
import tempfile
import zipfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, Field

from laconic.servers.prompts.files.folders import Outcome, all_prompts
from laconic.servers.prompts.files.importing import Policy, bring_in
from laconic.servers.prompts.files.pages import page_of, write_page
from laconic.servers.prompts.files.skills import SkillHost, skills_of
from laconic.servers.prompts.models import Prompt
from laconic.servers.prompts.store import PROMPT, ById
from laconic.stores import ItemQuery
from laconic.web.collections.prompts import PromptItems
from laconic.web.models.values import WHOLE, Tags
from laconic.web.operations import Operation, Visit, WebReply
from laconic.web.routes.declaring import declare

if TYPE_CHECKING:
    from laconic.stores.shelf.desk import Desk

__all__ = ["FileRoutes"]

_MOST = 1000  # files of one request
_READABLE = 0o100644  # the mode of a file, where an archive is unpacked
_PAGE = 100  # prompts that are looked for at a time
_GZIP, _ZIP = "application/gzip", "application/zip"


class PromptFile(BaseModel):
    """A prompt as a markdown file with a header."""

    name: Annotated[str, Field(pattern=r"^[a-z0-9-]{1,100}\.md$")]
    content: Annotated[str, Field(max_length=200_000), WHOLE]


class PromptFiles(BaseModel):
    """Prompts as files."""

    files: list[PromptFile]


def _each_once(files: list[PromptFile]) -> list[PromptFile]:
    counts = Counter(file.name for file in files)
    if twice := sorted(name for name, count in counts.items() if count > 1):
        raise ValueError(f"Several files have one name: {', '.join(twice[:8])}")
    return files


class ImportBody(BaseModel):
    """Files to bring in, and what to do about a name that the library has."""

    files: Annotated[list[PromptFile], Field(max_length=_MOST), AfterValidator(_each_once)]
    on_conflict: Policy = "skip"
    dry_run: bool = False


class ImportedFile(BaseModel):
    """What was done with one file, or would be."""

    file: str
    action: Literal["written", "left", "new", "replaced", "renamed", "skipped", "unchanged", "refused"]
    name: str = ""
    why: str = ""


class ImportedFiles(BaseModel):
    """What was done with each file, or would be; one that is refused stops no other."""

    outcomes: list[ImportedFile]


class SkillsQuery(BaseModel):
    """For which program, and which prompts."""

    client: SkillHost = "claude-code"
    tags: Tags = Field(default_factory=list)
    tag_match: Literal["all", "any"] = "all"
    view: list[Literal["active", "archived"]] = ["active"]  # those in the trash may share their names


class FileRoutes:
    """The routes that bring prompts out and in, many at once."""

    def operations(self) -> list[Operation]:
        """Return its operations."""
        of = PromptItems()
        skills: dict[str, Any] = {"query": SkillsQuery, "media": (_GZIP, _ZIP)}
        brought: dict[str, Any] = {"gives": ImportedFiles, "body": ImportBody}
        return [
            declare(of, "GET", "/export/skills", "export_skills", self.skills, **skills),
            declare(of, "GET", "/export", "export_prompts", self.export, gives=PromptFiles),
            declare(of, "POST", "/import", "import_prompts", self.bring, **brought),
        ]

    async def export(self, visit: Visit) -> WebReply:
        """Return every active prompt as a markdown file, which an import brings back as it was."""
        found = await all_prompts(await visit.opened.library())
        files = [PromptFile(name=f"{one.name}.md", content=write_page(page_of(one))) for one in found]
        return WebReply(PromptFiles.model_construct(files=files))

    async def bring(self, visit: Visit) -> WebReply:
        """Bring markdown files into the library."""
        body: ImportBody = visit.body
        library = await visit.opened.library()
        with tempfile.TemporaryDirectory(prefix="laconic-import-") as name:
            folder = Path(name)
            await asyncio.to_thread(_write, folder, body.files)
            how: dict[str, Any] = {"on_conflict": body.on_conflict, "dry_run": body.dry_run}
            outcomes: list[Outcome] = await bring_in(library, folder, visit.by, **how)
        return WebReply(ImportedFiles(outcomes=[ImportedFile(**vars(one)) for one in outcomes]))

    async def skills(self, visit: Visit) -> WebReply:
        """Return prompts as skills for a program: an archive with one skill for each."""
        query: SkillsQuery = visit.query
        library = await visit.opened.library()
        files = await skills_of(library, await _chosen(visit, query), query.client)
        is_zip = query.client == "claude-desktop"
        packed = await asyncio.to_thread(_zipped if is_zip else _tarred, files)
        named = f'attachment; filename="skills.{"zip" if is_zip else "tar.gz"}"'
        return WebReply(packed, media=_ZIP if is_zip else _GZIP, headers={"content-disposition": named})


async def _chosen(visit: Visit, query: SkillsQuery) -> list[Prompt]:
    """Return the prompts that are asked for, by name."""
    wanted = ItemQuery([PROMPT], "", query.tags, query.tag_match == "any", query.view or ["active"])

    def work(desk: Desk) -> list[str]:
        found: list[str] = []
        while page := desk.search(wanted, _PAGE, skip=len(found)).items:
            found += [item.id for item in page]
        return found

    reading = (await visit.opened.library()).reading
    found = [await reading.get(ById(id)) for id in await visit.opened.shelf.read(work)]
    return sorted(found, key=lambda prompt: prompt.name)


def _write(folder: Path, files: list[PromptFile]) -> None:
    for file in files:
        (folder / file.name).write_bytes(file.content.encode())


def _tarred(files: Mapping[str, str]) -> bytes:
    packed = io.BytesIO()
    # With no time in it, and none in the entries, the same skills are the same bytes, and have one ETag.
    with (
        gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0) as compressed,
        tarfile.open(fileobj=compressed, mode="w") as archive,
    ):
        for name, text in files.items():
            content = text.encode()
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def _zipped(files: Mapping[str, str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = _READABLE << 16
            archive.writestr(entry, text, zipfile.ZIP_DEFLATED)
    return packed.getvalue()
