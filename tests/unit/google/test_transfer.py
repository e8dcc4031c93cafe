"""Transfer: bytes between Drive and the workspace, whatever their size, and only there."""

import asyncio
import re
from pathlib import Path

import pytest

from laconic.kit import Endpoint
from laconic.kit.peer import SilentPeer
from laconic.sandbox.google.answering import AskedGoogle
from laconic.sandbox.google.drive.files import GOOGLE
from laconic.sandbox.google.drive.uploading import uploaded
from laconic.servers.google.tools import google
from tests.google_server import GoogleServer
from tests.unit.google.serving import serving, settings

MEGA = 1024 * 1024


async def test_a_workspace_file_goes_up_and_down_unchanged(site: GoogleServer, tmp_path: Path) -> None:
    content = bytes(range(256)) * 40_000  # more than two chunks
    async with serving(site, tmp_path) as client:
        (tmp_path / "workspace" / "data.bin").write_bytes(content)
        made = await client.call("drive_createFile", name="data.bin", path="data.bin")
        id = made.text.split()[1]
        done = await client.call("drive_downloadFile", fileId=id, path="out/copy.bin")
        taken = await client.call("drive_downloadFile", fileId=id, path="out/copy.bin")
        again = await client.call("drive_downloadFile", fileId=id, path="out/copy.bin", overwrite=True)
    assert done.text.endswith("Wrote out/copy.bin: 10,240,000 bytes of application/octet-stream.")
    assert (tmp_path / "workspace" / "out" / "copy.bin").read_bytes() == content
    assert "'out/copy.bin' exists in the workspace." in taken.text and not again.failed
    chunks = [one.headers["content-range"] for one in site.app.seen if one.method == "PUT"]
    assert chunks == [
        f"bytes {start}-{min(start + 4 * MEGA, 10_240_000) - 1}/10240000"
        for start in range(0, 10_240_000, 4 * MEGA)
    ]


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("minutes.pdf", "bytes of application/pdf."),
        ("minutes.TXT", "bytes of text/plain."),
        ("minutes.md", "bytes of text/markdown."),
        ("minutes", "bytes of text/markdown."),
        ("minutes.xlsx", "A document cannot become 'xlsx'. Known: markdown, text, html, pdf"),
    ],
)
async def test_a_google_file_becomes_what_the_name_of_the_copy_says(
    site: GoogleServer, tmp_path: Path, path: str, words: str
) -> None:
    async with serving(site, tmp_path) as client:
        done = await client.call("drive_downloadFile", fileId=site.id("Minutes October"), path=path)
        plain = await client.call("drive_downloadFile", fileId=site.id("Pier plan.txt"), path="plan.pdf")
    assert words in done.text
    assert plain.text.endswith("Wrote plan.pdf: 23 bytes of text/plain.")  # bytes of its own stay as they are


@pytest.mark.parametrize("after", [False, True])
async def test_an_upload_goes_on_where_it_broke_off(site: GoogleServer, tmp_path: Path, after: bool) -> None:
    content = b"0123456789abcdef" * 400_000
    async with serving(site, tmp_path) as client:
        (tmp_path / "workspace" / "data.bin").write_bytes(content)
        site.app.faults.add("unavailable", method="PUT", path="upload/", after=after)
        made = await client.call("drive_createFile", name="data.bin", path="data.bin")
    assert not made.failed, made.text
    assert site.app.blobs.get(made.text.split()[1]) == content
    assert any(one.headers.get("content-range") == "bytes */6400000" for one in site.app.seen)
    assert len([row for row in site.app.state.rows("files").values() if row["name"] == "data.bin"]) == 1


@pytest.mark.parametrize("size", [0, 100, 5 * MEGA])
async def test_an_upload_whose_last_answer_is_lost_makes_one_file(
    site: GoogleServer, tmp_path: Path, size: int
) -> None:
    async with serving(site, tmp_path) as client:
        (tmp_path / "workspace" / "data.bin").write_bytes(b"x" * size)
        if size > 4 * MEGA:
            site.app.faults.add("hang", method="PUT", path="upload/")  # the first chunk is in order
        site.app.faults.add("cut", method="PUT", path="upload/", after=True)
        made = await client.call("drive_createFile", name="data.bin", path="data.bin")
    assert not made.failed, made.text
    assert site.app.blobs.get(made.text.split()[1]) == b"x" * size
    assert len([row for row in site.app.state.rows("files").values() if row["name"] == "data.bin"]) == 1


async def test_an_upload_whose_session_ended_begins_again(
    site: GoogleServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content, seen = b"0123456789abcdef" * 400_000, list[str]()

    def forgetful(asked: AskedGoogle, raw: bytes) -> tuple[AskedGoogle, bool]:
        seen.append(asked.headers["content-range"])
        if len(seen) == 2:
            asked.state.rows("uploads").clear()
        return uploaded(asked, raw)

    monkeypatch.setattr("laconic.sandbox.google.carrying_out.uploaded", forgetful)
    async with serving(site, tmp_path) as client:
        (tmp_path / "workspace" / "data.bin").write_bytes(content)
        made = await client.call("drive_createFile", name="data.bin", path="data.bin")
    assert not made.failed, made.text
    assert site.app.blobs.get(made.text.split()[1]) == content and len(seen) == 4


async def test_an_upload_whose_session_ended_with_a_fault_in_the_middle_begins_again(
    site: GoogleServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forgetful(asked: AskedGoogle) -> None:
        if "*" in asked.headers["content-range"]:
            asked.state.rows("uploads").clear()

    monkeypatch.setattr("laconic.sandbox.google.carrying_out.answered_before", forgetful)
    content = b"0123456789abcdef" * 400_000
    async with serving(site, tmp_path) as client:
        (tmp_path / "workspace" / "data.bin").write_bytes(content)
        site.app.faults.add("unavailable", method="PUT", path="upload/")
        made = await client.call("drive_createFile", name="data.bin", path="data.bin")
    assert not made.failed, made.text
    assert site.app.blobs.get(made.text.split()[1]) == content


async def test_an_upload_that_may_be_complete_is_not_made_a_second_time(
    site: GoogleServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forgetful(asked: AskedGoogle) -> None:
        if "*" in asked.headers["content-range"]:  # its session ended
            asked.state.rows("uploads").clear()

    monkeypatch.setattr("laconic.sandbox.google.carrying_out.answered_before", forgetful)
    async with serving(site, tmp_path) as client:
        (tmp_path / "workspace" / "data.bin").write_bytes(b"x" * MEGA)
        site.app.faults.add("cut", method="PUT", path="upload/", after=True)
        told = await client.call("drive_createFile", name="data.bin", path="data.bin")
    assert told.text.startswith(
        "Error [UNAVAILABLE]: Google ended the upload before it said that the file is complete.\n"
        "It is not known whether anything was changed: check before you try again."
    )
    assert len([row for row in site.app.state.rows("files").values() if row["name"] == "data.bin"]) == 1


async def test_bytes_that_are_not_the_files_are_not_left_behind(
    site: GoogleServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site.app.blobs, "checksum", lambda id: "that of an earlier version")
    async with serving(site, tmp_path) as client:
        told = await client.call("drive_downloadFile", fileId=site.id("Pier plan.txt"), path="plan.txt")
    assert "The file was changed while it was fetched, so nothing was written. Call again." in told.text
    assert list((tmp_path / "workspace").iterdir()) == []


@pytest.mark.parametrize(
    "path", ["../out.txt", "/etc/out.txt", ".git/config", ".env", "a/../../b", "link/x", "."]
)
async def test_nothing_outside_the_workspace_or_hidden_is_sent_or_written(
    site: GoogleServer, tmp_path: Path, path: str
) -> None:
    async with serving(site, tmp_path) as client:
        (tmp_path / "workspace" / "link").symlink_to(tmp_path)
        (tmp_path / "workspace" / ".env").write_text("secret")
        down = await client.call("drive_downloadFile", fileId=site.id("Pier plan.txt"), path=path)
        up = await client.call("drive_createFile", name="x", path=path)
    assert down.failed and up.failed
    assert not [one for one in site.asked if one.startswith("POST")]


async def test_two_downloads_to_one_name_write_one_whole_file(site: GoogleServer, tmp_path: Path) -> None:
    plan, hours = site.id("Pier plan.txt"), site.id("Opening hours.txt")
    contents = {plan: b"p" * 9 * MEGA, hours: b"h" * 9 * MEGA}
    for id, content in contents.items():
        site.app.blobs.put(id, content)
    workspace = tmp_path / "workspace"
    async with serving(site, tmp_path) as client:
        told = await asyncio.gather(
            *(client.call("drive_downloadFile", fileId=id, path="plan.txt") for id in contents)
        )
        assert sorted(one.failed for one in told) == [False, True]
        [failed] = [one for one in told if one.failed]
        assert "'plan.txt' exists in the workspace." in failed.text
        over = await asyncio.gather(
            *(
                client.call("drive_downloadFile", fileId=id, path="plan.txt", overwrite=True)
                for id in contents
            )
        )
    assert not any(one.failed for one in over)
    assert [one.name for one in workspace.iterdir()] == ["plan.txt"]
    assert (workspace / "plan.txt").read_bytes() in contents.values()


async def test_no_link_that_waits_in_the_workspace_leads_a_download_out_of_it(
    site: GoogleServer, tmp_path: Path
) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text("mine")
    async with serving(site, tmp_path) as client:
        (tmp_path / "workspace" / ".plan.txt.part").symlink_to(outside)
        done = await client.call("drive_downloadFile", fileId=site.id("Pier plan.txt"), path="plan.txt")
    assert not done.failed and outside.read_text() == "mine"


async def test_a_google_file_is_converted_and_a_large_one_as_a_prepared_download(
    site: GoogleServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("laconic.servers.google.drive.sources._PAUSE", 0)
    site.row("Minutes October")["exports"] = 30 * MEGA
    async with serving(site, tmp_path) as client:
        small = await client.call(
            "drive_downloadFile", fileId=site.id("Budget 2026"), path="b.csv", type="csv"
        )
        large = await client.call("drive_downloadFile", fileId=site.id("Minutes October"), path="m.md")
        odd = await client.call(
            "drive_downloadFile", fileId=site.id("Minutes October"), path="x", type="xlsx"
        )
        folder = await client.call("drive_downloadFile", fileId=site.id("Harbour"), path="x")
    assert "bytes of text/csv" in small.text
    assert (tmp_path / "workspace" / "b.csv").read_text().startswith("Month,Fees")
    assert f"Wrote m.md: {30 * MEGA:,} bytes of text/markdown." in large.text
    assert (tmp_path / "workspace" / "m.md").stat().st_size == 30 * MEGA
    assert "A document cannot become 'xlsx'. Known: markdown, text, html, pdf, docx" in odd.text
    assert "A folder has no content that can be read." in folder.text


async def test_a_download_that_fails_leaves_nothing_behind(site: GoogleServer, tmp_path: Path) -> None:
    site.app.blobs.make(site.id("Pier plan.txt"), 10 * MEGA)
    async with serving(site, tmp_path) as client:
        site.app.faults.add("cut", path=f"drive/v3/files/{site.id('Pier plan.txt')}", times=99)
        site.app.faults.coming[0].method = "none"
        await client.call("drive_getFile", fileId=site.id("Pier plan.txt"))
        site.app.faults.coming[0].method = "GET"
        told = await client.call("drive_downloadFile", fileId=site.id("Pier plan.txt"), path="plan.txt")
    assert told.failed
    assert list((tmp_path / "workspace").iterdir()) == []


async def test_a_large_text_is_told_first_and_read_and_searched_in_parts(
    site: GoogleServer, tmp_path: Path
) -> None:
    id = site.id("Pier plan.txt")
    lines = [f"line {number} of the plan" for number in range(200_000)]
    site.app.blobs.put(id, "\n".join(lines).encode())
    async with serving(site, tmp_path) as client:
        first = await client.call("drive_exportFile", fileId=id)
        part = await client.call("drive_exportFile", fileId=id, returnMode="full", start=4_000_000)
        found = await client.call("drive_exportFile", fileId=id, find="line 199999 ")
        none = await client.call("drive_exportFile", fileId=id, find="nowhere")
        many = await client.call("drive_exportFile", fileId=id, find="of the")
    assert first.text.startswith("'Pier plan.txt': 4,")
    assert (
        "bytes of text/plain. It begins:\n<beginning>\nline 0 of the plan\n" in first.text
        and first.tokens < 400
    )
    assert "Bytes 4,000,000 to" in part.text
    assert "1 line with 'line 199999 '" in found.text and found.text.endswith(
        "line 199999 of the plan\n</content>"
    )
    assert none.text == "No line contains 'nowhere'."
    assert "The first 50 lines with 'of the'. There are more: pass start 990." in many.text


async def test_no_line_with_a_word_is_left_out_when_a_search_goes_on(
    site: GoogleServer, tmp_path: Path
) -> None:
    id = site.id("Pier plan.txt")
    lines = [f"line {number} {'pier' if number % 3 else 'quay'}" for number in range(400)]
    site.app.blobs.put(id, "\n".join(lines).encode())
    found, start, answers = list[str](), 0, 0
    async with serving(site, tmp_path) as client:
        while answers < 9:
            told = await client.call("drive_exportFile", fileId=id, find="PIER", start=start)
            found += [line.partition("\t")[2] for line in told.text.splitlines() if "\t" in line]
            answers += 1
            more = re.search(r"pass start (\d+)", told.text)
            if more is None:
                break
            start = int(more[1])
    assert found == [line for line in lines if "pier" in line]


async def test_a_word_deep_inside_a_very_long_line_is_shown_with_what_is_around_it(
    site: GoogleServer, tmp_path: Path
) -> None:
    id = site.id("Pier plan.txt")
    long, edge = "é" * 3_000_000, "x" * (4 * MEGA - 2)  # longer than what is fetched at once
    texts = {"long": f"{long} Heron {long} heron {long}", "edge": f"{edge}Heron{edge}", "one": f"{edge}Heron"}
    answers = {}
    async with serving(site, tmp_path) as client:
        for name, text in texts.items():
            site.app.blobs.put(id, text.encode())
            answers[name] = (await client.call("drive_exportFile", fileId=id, find="heron")).text
            start = int(answers[name].split("\n")[2].partition("\t")[0])
            part = await client.call("drive_exportFile", fileId=id, find="heron", start=start)
            assert part.text == answers[name]
    assert answers["long"].startswith("2 lines with 'heron'")
    assert "éé Heron éé" in answers["long"] and "éé heron éé" in answers["long"]
    assert answers["edge"].startswith("1 line") and "xxHeronxx" in answers["edge"]
    assert answers["one"].startswith("1 line") and "xxHeron" in answers["one"]
    assert max(map(len, answers.values())) < 1_000


class Watching(SilentPeer):
    """A caller who is told how far a call is."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[tuple[float, float | None]] = []

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        self.told.append((done, total))


async def test_long_work_tells_how_far_it_is(site: GoogleServer, tmp_path: Path) -> None:
    id, size = site.id("Pier plan.txt"), 10 * MEGA
    site.app.blobs.make(id, size)
    endpoint = Endpoint([google], settings=settings(site, tmp_path))
    (tmp_path / "workspace" / "up.bin").write_bytes(b"x" * size)
    calls: dict[str, dict[str, str]] = {
        "drive_downloadFile": {"fileId": id, "path": "down.txt"},
        "drive_createFile": {"name": "up.bin", "path": "up.bin"},
        "drive_exportFile": {"fileId": id, "find": "nowhere to be found"},
    }
    try:
        for name, arguments in calls.items():
            peer = Watching()
            answer = await endpoint.call_tool(name, arguments, peer)
            assert answer.failure is None, answer.text
            assert len(peer.told) > 1 and {total for _, total in peer.told} == {size}, (name, peer.told)
            assert peer.told == sorted(peer.told), name
    finally:
        await endpoint.close()


async def test_long_work_takes_as_long_as_it_needs_and_other_calls_do_not(
    site: GoogleServer, tmp_path: Path
) -> None:
    id, book = site.id("Pier plan.txt"), site.id("Budget 2026")
    async with serving(site, tmp_path, deadline=0.3) as client:
        (tmp_path / "workspace" / "up.txt").write_text("up")
        calls: dict[str, dict[str, str]] = {
            "drive_getFile": {"fileId": id},
            "drive_downloadFile": {"fileId": id, "path": "down.txt"},
            "drive_exportFile": {"fileId": id, "find": "pier"},
            "drive_createFile": {"name": "up.txt", "path": "up.txt"},
            "drive_updateFile": {"fileId": id, "path": "up.txt"},
            "sheets_batchGetValues": {"spreadsheetId": book, "find": "June"},
        }
        failed = []
        for name, arguments in calls.items():
            site.app.faults.coming.clear()
            site.app.faults.add("hang", seconds=0.6)
            failed += [name] if (await client.call(name, **arguments)).failed else []
    assert failed == ["drive_getFile"]


async def test_what_is_no_text_is_not_read_as_one(site: GoogleServer, tmp_path: Path) -> None:
    site.row("Pier plan.txt")["mimeType"] = "image/png"
    site.row("Old ideas")["mimeType"] = f"{GOOGLE}form"
    async with serving(site, tmp_path) as client:
        image = await client.call("drive_exportFile", fileId=site.id("Pier plan.txt"))
        form = await client.call("drive_exportFile", fileId=site.id("Old ideas"))
    assert "is image/png, which is not text. Use drive_downloadFile." in image.text
    assert "A form has no content that can be read." in form.text
