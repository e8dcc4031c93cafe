"""A picture as an answer: a local web page, drawn by a headless Chromium.

The page is passed as data, so it can load neither other files nor anything from the network.

    laconic call --server examples.screenshot:toolset capture_screenshot page=report.html
    laconic serve examples.screenshot:toolset
"""

import asyncio
import os
import shutil
from asyncio.subprocess import DEVNULL
from base64 import b64encode
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from signal import SIGKILL
from tempfile import TemporaryDirectory
from typing import Annotated, Any

from pydantic import Field

from laconic.kit import BadConfiguration, Image, TooLarge, Toolset, UpstreamDown
from laconic.stores import Folder

FLAGS = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
FLAGS += " --disable-component-update --disable-sync --disable-extensions --hide-scrollbars"
OFFLINE = "--host-resolver-rules=MAP * ~NOTFOUND"


async def draw(html: str, width: int, height: int) -> bytes:
    """Draw a self-contained page."""
    program = shutil.which("chromium")
    if program is None:
        raise BadConfiguration("There is no Chromium here.", advice="Install it: apt-get install chromium.")
    address = f"data:text/html;charset=utf-8;base64,{b64encode(html.encode()).decode()}"
    if len(address) > 120_000:  # an argument of a program may not be longer
        raise TooLarge("The page is too long to be drawn.", advice="Make one of at most 90,000 bytes.")
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        picture = Path(folder) / "page.png"
        own = [f"--user-data-dir={folder}", f"--screenshot={picture}", f"--window-size={width},{height}"]
        words = [program, *FLAGS.split(), OFFLINE, *own, address]
        process = await asyncio.create_subprocess_exec(
            *words, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, process_group=0
        )
        try:
            await process.wait()
        finally:
            if process.returncode is None:  # out of time, or no longer wanted
                os.killpg(process.pid, SIGKILL)
                await process.wait()
        if not picture.exists():
            raise UpstreamDown("Chromium drew no picture.")
        return picture.read_bytes()


toolset = Toolset("screenshot", "Pictures of local web pages.", provides=(Folder,))


@toolset.factory
async def open_pages(section: Mapping[str, Any]) -> AsyncIterator[Folder]:
    """Open the web pages of the workspace."""
    yield Folder(Path(section.get("workspace", ".")), "*.html", depth=None)


@toolset.read(deadline=30, hint="Name an HTML file of the workspace.")
async def capture_screenshot(
    pages: Folder,
    page: Annotated[str, "An HTML file of the workspace, such as docs/report.html."],
    width: Annotated[int, Field(ge=100, le=4000), "In pixels."] = 1024,
    height: Annotated[int, Field(ge=100, le=4000), "In pixels."] = 768,
) -> Image:
    """Take a picture of a local web page; styles, scripts and pictures must be inside it."""
    return Image(await draw(pages.read(page), width, height), "image/png")
