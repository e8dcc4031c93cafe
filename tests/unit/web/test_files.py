"""Prompts as files and skills over REST, many at once."""

import io
import tarfile
import time
import zipfile
from typing import Any

import pytest
from httpx2 import AsyncClient

from laconic.servers.notes.pages import Pages
from tests.unit.upstream.servers import answering, raw
from tests.unit.upstream.test_reaching import html, reach
from tests.unit.web.making import make


async def test_what_is_exported_is_imported_as_it_was(api: AsyncClient) -> None:
    text = "---\nHello {{ name }}.\r\n\n"
    before = await make(api, "prompts", name="greet", content=text, title="T: x", tags=["a", "b"])
    files = (await api.get("/api/prompts/export")).json()["files"]
    assert [file["name"] for file in files] == ["greet.md"]
    again = await api.post("/api/prompts/import", json={"files": files})
    assert [one["action"] for one in again.json()["outcomes"]] == ["unchanged"]

    await api.request("DELETE", f"/api/prompts/{before['id']}", params={"permanent": True})
    dry = await api.post("/api/prompts/import", json={"files": files, "dry_run": True})
    assert dry.json()["outcomes"][0]["action"] == "new"
    assert (await api.get("/api/prompts/")).json()["total"] == 0
    await api.post("/api/prompts/import", json={"files": files})
    after = (await api.get("/api/prompts/name/greet")).json()
    same = ("name", "title", "description", "content", "arguments", "tags")
    assert [after[name] for name in same] == [before[name] for name in same]


async def test_a_name_that_there_is_stays_is_replaced_or_gets_another(api: AsyncClient) -> None:
    await make(api, "prompts", name="a", content="Old.")
    files = [{"name": "a.md", "content": "New."}, {"name": "b.md", "content": "{{ broken"}]

    async def done(policy: str) -> list[str]:
        answer = await api.post("/api/prompts/import", json={"files": files, "on_conflict": policy})
        return [one["action"] for one in answer.json()["outcomes"]]

    assert await done("skip") == ["skipped", "refused"]
    assert await done("rename") == ["renamed", "refused"]
    assert await done("replace") == ["replaced", "refused"]
    assert (await api.get("/api/prompts/name/a")).json()["content"] == "New."
    for name in ("../a.md", "a/b.md", "a.txt", ".md"):
        wrong = {"files": [{"name": name, "content": "x"}]}
        assert (await api.post("/api/prompts/import", json=wrong)).status_code == 422


async def test_skills_come_in_an_archive_for_each_program(api: AsyncClient) -> None:
    await make(api, "prompts", name="review", content="Review {{ code }}.", tags=["dev"])
    await make(api, "prompts", name="other")
    packed = await api.get("/api/prompts/export/skills?client=codex&tags=dev")
    assert packed.headers["content-type"] == "application/gzip"
    with tarfile.open(fileobj=io.BytesIO(packed.content)) as archive:
        assert archive.getnames() == ["review/SKILL.md"]
        member = archive.extractfile("review/SKILL.md")
        assert member is not None and b"Review {{ code }}." in member.read()
    zipped = await api.get("/api/prompts/export/skills?client=claude-desktop")
    with zipfile.ZipFile(io.BytesIO(zipped.content)) as archive_of_all:
        assert sorted(archive_of_all.namelist()) == ["other.md", "review.md"]
    for wrong in ("client=emacs", "view=deleted"):
        assert (await api.get(f"/api/prompts/export/skills?{wrong}")).status_code == 422


async def test_the_same_skills_are_the_same_bytes_whenever_they_are_asked_for(
    api: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    await make(api, "prompts", name="review")
    for client in ("claude-code", "codex", "claude-desktop"):
        path = f"/api/prompts/export/skills?client={client}"
        first = await api.get(path)
        with monkeypatch.context() as later:
            later.setattr(time, "time", lambda: 2_000_000_000.0)
            again = await api.get(path, headers={"If-None-Match": first.headers["etag"]})
        assert (client, again.status_code) == (client, 304)
    with zipfile.ZipFile(io.BytesIO(first.content)) as archive:
        assert [entry.external_attr >> 16 for entry in archive.infolist()] == [0o100644]


async def test_files_of_one_name_are_refused_together_and_not_one_of_them_taken(api: AsyncClient) -> None:
    files = [{"name": f"{name}.md", "content": name} for name in ("b", "a", "c", "a", "b")]
    refused = await api.post("/api/prompts/import", json={"files": files})
    error = refused.json()["error"]
    assert (refused.status_code, error["field"]) == (422, "files")
    assert error["message"] == "Invalid files. Several files have one name: a.md, b.md."
    assert (await api.get("/api/prompts/")).json()["total"] == 0


# A prompt, and the description of its skill for Claude Code and for Codex.
DESCRIBED: list[tuple[dict[str, Any], str, str]] = [
    (
        {"description": "Greets.\nAlways.", "title": "T"},
        "Greets. Always. Needs: you.",
        "Greets. Always. Needs: you.",
    ),
    ({"title": "A greeting"}, "A greeting Needs: you.", "A greeting Needs: you."),
    ({}, "The prompt greet. Needs: you.", "The prompt greet. Needs: you."),
    ({"description": "d" * 2000}, "d" * 1023 + "…", "d" * 499 + "…"),
]


@pytest.mark.parametrize(
    ("given", "claude", "codex"), DESCRIBED, ids=["description", "title", "name", "long"]
)
async def test_a_skill_is_described_in_one_line_that_is_not_too_long(
    api: AsyncClient, given: dict[str, Any], claude: str, codex: str
) -> None:
    await make(api, "prompts", name="greet", content="Hi {{ you }}.", **given)
    for client, wanted in (("claude-code", claude), ("codex", codex)):
        packed = await api.get(f"/api/prompts/export/skills?client={client}")
        with tarfile.open(fileobj=io.BytesIO(packed.content)) as archive:
            member = archive.extractfile("greet/SKILL.md")
            assert member is not None
            lines = member.read().decode().splitlines()
        assert lines[:3] == ["---", "name: greet", f'description: "{wanted}"']
        assert lines[3:6] == ["metadata:", "  laconic-prompt: greet", "---"]


async def test_skills_are_made_of_archived_prompts_too_if_that_is_asked_for(api: AsyncClient) -> None:
    for number in range(3):
        await make(api, "prompts", name=f"active-{number}", tags=["dev", f"t-{number}"])
    old = await make(api, "prompts", name="old", tags=["dev"])
    await api.post(f"/api/prompts/{old['id']}/archive")

    async def names(query: str) -> list[str]:
        packed = await api.get(f"/api/prompts/export/skills?client=claude-desktop&{query}")
        with zipfile.ZipFile(io.BytesIO(packed.content)) as archive:
            return archive.namelist()

    assert await names("view=archived") == ["old.md"]
    assert await names("tags=dev") == ["active-0.md", "active-1.md", "active-2.md"]
    assert await names("view=active&view=archived&tags=dev") == [*await names(""), "old.md"]
    assert await names("tags=t-0&tags=t-2&tag_match=any") == ["active-0.md", "active-2.md"]
    assert await names("tags=t-0&tags=t-2") == []


async def test_a_page_is_told_with_its_text_if_that_is_asked_for(
    api: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = await api.library.notes()  # type: ignore[attr-defined]
    page = b"<title>Bread</title><meta name='description' content='Daily'><p>Flour.</p>"
    async with raw(answering(html(page))) as server:
        monkeypatch.setattr(notes, "pages", Pages(reach(server.port)))
        url = f"http://page.test:{server.port}/"
        short, long = [
            (await api.get("/api/bookmarks/fetch-metadata", params={"url": url, **more})).json()
            for more in ({}, {"include_content": "true"})
        ]
    told = {"url": url, "final_url": url, "title": "Bread", "description": "Daily", "error": None}
    assert (short, long) == ({**told, "content": None}, {**told, "content": "Flour."})


async def test_a_page_that_cannot_be_read_is_told_and_is_no_failure(api: AsyncClient) -> None:
    found = await api.get("/api/bookmarks/fetch-metadata", params={"url": "http://127.0.0.1:1/"})
    assert found.status_code == 200
    assert found.json()["error"] and found.json()["title"] is None
    assert (await api.get("/api/bookmarks/fetch-metadata?url=nonsense")).status_code == 422
