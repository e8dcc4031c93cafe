"""A picture as an answer, drawn by a real browser if one is installed."""

import asyncio
import base64
import re
import struct
from pathlib import Path

import pytest

from examples.screenshot import draw, toolset
from laconic.kit import Settings
from laconic.kit.testing import ERAS, connect
from tests.examples.conftest import MakeStandIn

PAGE = "<!doctype html><title>Report</title><body style='background: #36c'><h1>Fair winds</h1>"


def of(workspace: Path) -> Settings:
    return Settings(sections={"screenshot": {"workspace": str(workspace)}})


@pytest.mark.needs("chromium")
@pytest.mark.parametrize("era", ERAS)
@pytest.mark.requirement("003-4.2")
async def test_a_page_becomes_one_image_of_the_right_type_and_size(era: str, workspace: Path) -> None:
    (workspace / "report.html").write_text(PAGE, encoding="utf-8")
    async with connect(toolset, era=era, settings=of(workspace)) as client:
        reply = await client.call("capture_screenshot", page="report.html", width=640, height=480)

    (image,) = reply.result.content
    assert (image.type, image.mime_type) == ("image", "image/png")
    assert re.fullmatch(r"[A-Za-z0-9+/]+=*", image.data)
    data = base64.b64decode(image.data, validate=True)
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", data[16:24]) == (640, 480)


@pytest.mark.needs("chromium")
async def test_a_page_reaches_neither_the_network_nor_other_files(workspace: Path) -> None:
    visits: list[bytes] = []

    async def visit(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        visits.append(await reader.readline())
        writer.close()

    (workspace / "secret.html").write_text("<body style='background: red'>", encoding="utf-8")
    async with await asyncio.start_server(visit, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        sources = [f"http://127.0.0.1:{port}/", (workspace / "secret.html").as_uri()]
        frames = [f"<iframe src='{source}' width=300 height=300></iframe>" for source in sources]
        blank = ["<iframe width=300 height=300></iframe>"] * 2
        pictures = [await draw("".join(parts), 640, 480) for parts in (frames[1:], blank[1:])]
        await draw("".join(frames), 640, 480)

    assert visits == []
    assert pictures[0] == pictures[1]


async def test_without_a_browser_it_says_what_to_install(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(workspace))
    (workspace / "report.html").write_text(PAGE, encoding="utf-8")
    async with connect(toolset, settings=of(workspace)) as client:
        reply = await client.call("capture_screenshot", page="report.html")

    assert reply.error["code"] == "CONFIGURATION_ERROR"
    assert "apt-get install chromium" in reply.text


@pytest.mark.parametrize("page", ["../report.html", "/etc/passwd", ".git/x.html", "notes.txt", "--help.md"])
async def test_only_web_pages_of_the_workspace_are_taken(workspace: Path, page: str) -> None:
    async with connect(toolset, settings=of(workspace)) as client:
        reply = await client.call("capture_screenshot", page=page)

    assert reply.error["code"] == "PATH_TRAVERSAL_DENIED"


async def test_a_page_too_long_to_be_handed_over_is_refused(workspace: Path, stand_in: MakeStandIn) -> None:
    stand_in("chromium", "exit 0")
    (workspace / "report.html").write_text(PAGE + "x" * 100_000, encoding="utf-8")
    async with connect(toolset, settings=of(workspace)) as client:
        reply = await client.call("capture_screenshot", page="report.html")

    assert "too long to be drawn" in reply.text


async def test_the_browser_ends_when_nobody_waits_for_its_picture(stand_in: MakeStandIn) -> None:
    sleeper = stand_in("chromium", "exec sleep 60")
    drawing = asyncio.create_task(draw(PAGE, 640, 480))
    await sleeper.started()
    drawing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await drawing

    await sleeper.ended()
