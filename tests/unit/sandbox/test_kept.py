"""Practice data in a folder: what goes wrong there is answered, has no effect, and passes."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from laconic.sandbox.google import practice_google
from laconic.sandbox.google.signing_in import REFRESH
from laconic.sandbox.state import NotKept
from laconic.sandbox.taiga import practice_taiga
from laconic.sandbox.taiga.site.samples import PASSWORD

SAMPLE = b"North pier: 12 berths.\n"


@asynccontextmanager
async def taiga(folder: Path) -> AsyncIterator[httpx2.AsyncClient]:
    async with client(practice_taiga(folder)) as site:
        body = {"type": "normal", "username": "alice", "password": PASSWORD}
        token = (await site.post("/api/v1/auth", json=body)).json()["auth_token"]
        site.headers["authorization"] = f"Bearer {token}"
        yield site


@asynccontextmanager
async def google(folder: Path) -> AsyncIterator[httpx2.AsyncClient]:
    async with client(practice_google(folder)) as site:
        form = {"grant_type": "refresh_token", "client_id": "practice", "refresh_token": REFRESH}
        token = (await site.post("/token", data=form)).json()["access_token"]
        site.headers["authorization"] = f"Bearer {token}"
        yield site


def client(app: Any) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="https://practice.test")


async def issues(site: httpx2.AsyncClient) -> list[str]:
    rows = (await site.get("/api/v1/issues?project=1")).json()
    return [row["subject"] for row in rows]


@pytest.mark.parametrize("name", ["taiga.new", "taiga.lock"])
async def test_a_folder_that_cannot_be_written_is_told_and_the_request_had_no_effect(
    tmp_path: Path, name: str
) -> None:
    async with taiga(tmp_path) as site, taiga(tmp_path) as other:
        before = await issues(site)
        (tmp_path / name).unlink(missing_ok=True)
        (tmp_path / name).mkdir()
        lost = await site.post("/api/v1/issues", json={"project": 1, "subject": "Lost"})
        (tmp_path / name).rmdir()
        after, of_the_other = await issues(site), await issues(other)
        made = await site.post("/api/v1/issues", json={"project": 1, "subject": "Made"})

    assert (lost.status_code, lost.text) == (
        507,
        "The practice data in taiga.json cannot be written: Is a directory.",
    )
    assert before == after == of_the_other and made.status_code == 201


@pytest.mark.parametrize("content", ['{"tab', "[]", '{"tables": {"users": [{}]}}', "\0"])
async def test_damaged_data_is_told_with_what_to_do(tmp_path: Path, content: str) -> None:
    async with taiga(tmp_path) as site:
        (tmp_path / "taiga.json").write_text(content, encoding="utf-8")
        answer = await site.get("/api/v1/issues?project=1")

        assert (answer.status_code, answer.text) == (
            507,
            "The practice data in taiga.json is damaged; delete it to begin again.",
        )
        (tmp_path / "taiga.json").unlink()
        assert await issues(site)


async def test_the_next_process_leaves_what_was_written_to_a_sample_file(tmp_path: Path) -> None:
    async with google(tmp_path) as site:
        listed = await site.get("/drive/v3/files", params={"q": "name = 'Pier plan.txt'"})
        (file,) = listed.json()["files"]
        address, media = f"/upload/drive/v3/files/{file['id']}", {"uploadType": "media"}
        headers = {"content-type": "text/plain"}
        done = await site.patch(address, params=media, content=b"South pier.\n", headers=headers)
        assert done.status_code == 200, done.text
    async with google(tmp_path) as later:
        read = await later.get(f"/drive/v3/files/{file['id']}", params={"alt": "media"})

    assert read.content == b"South pier.\n"


def test_what_a_request_changed_before_it_failed_is_undone(tmp_path: Path) -> None:
    state = practice_taiga(tmp_path).state
    with pytest.raises(NotKept), state.turn():
        state.rows("issues")[1]["subject"] = "Half done"
        raise NotKept("blobs cannot be written")
    with state.turn():
        assert state.rows("issues")[1]["subject"] != "Half done"


async def test_an_upload_that_cannot_be_kept_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    async with google(tmp_path) as site:
        listed = await site.get("/drive/v3/files", params={"q": "name = 'Pier plan.txt'"})
        address = f"/drive/v3/files/{listed.json()['files'][0]['id']}"
        facts = {"fields": "version,size,md5Checksum"}
        before = (await site.get(address, params=facts)).json()
        blobs = tmp_path / "blobs"
        blobs.rename(tmp_path / "aside")
        blobs.write_text("in the way")
        lost = await site.patch(f"/upload{address}", params={"uploadType": "media"}, content=b"South")
        blobs.unlink()
        (tmp_path / "aside").rename(blobs)

        assert (lost.status_code, lost.json()["error"]["message"]) == (
            507,
            "The practice data in blobs cannot be written: Not a directory.",
        )
        assert (await site.get(address, params=facts)).json() == before
        assert (await site.get(address, params={"alt": "media"})).content == SAMPLE
