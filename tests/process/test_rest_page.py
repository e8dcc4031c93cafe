"""The examples of docs/rest.md, against a real server: what a reader copies works as it is written."""

import subprocess
import sys
from pathlib import Path

import httpx2

from tests.docs.pages import ROOT, Block, Page
from tests.process.speaking import PATIENCE, listening, run

PAGE = Page(ROOT / "docs" / "rest.md")
SHOWN = "http://127.0.0.1:8321"  # where the page says that a server is


def _blocks(language: str, word: str) -> list[Block]:
    found = [block for block in PAGE.blocks(language) if word in block.text]
    assert found, f"the page has no example with {word}"
    return found


def test_the_examples_of_the_page_work(workspace: Path) -> None:
    with listening("prompts", "notes", folder=workspace) as server:
        base = server.url.removesuffix("/mcp")
        for block in _blocks("sh", "curl"):
            done = subprocess.run(
                [
                    "bash",
                    "-euo",
                    "pipefail",
                    "-c",
                    block.text.replace(SHOWN, base).replace("curl -s", "curl -sSf"),
                ],
                capture_output=True,
                text=True,
                timeout=PATIENCE,
            )
            assert done.returncode == 0, done.stderr
            assert '"name":"code-review"' in done.stdout and '"match_type":"exact"' in done.stdout
        for block in _blocks("python", "httpx2"):
            done = subprocess.run(
                [sys.executable, "-c", block.text.replace(SHOWN, base)],
                capture_output=True,
                text=True,
                timeout=PATIENCE,
            )
            assert done.returncode == 0, done.stderr
            assert done.stdout == "Version 3\nprompt None ['short']\n"
        now = httpx2.get(f"{base}/api/prompts/name/code-review", timeout=PATIENCE).json()
        assert now["content"] == "Check this {{ language }} code.\nBe brief."


def test_the_commands_for_tokens_work(workspace: Path) -> None:
    (block,) = _blocks("sh", "laconic tokens")
    made, listed, revoked = [line.split("#")[0].split()[1:] for line in block.text.strip().splitlines()]
    done = run(*made, folder=workspace)
    assert done.returncode == 0 and done.stdout.startswith("lac_"), done.stderr
    prefix = done.stdout[:12]
    assert prefix in run(*listed, folder=workspace).stdout
    assert len(revoked[-1]) == len(prefix)
    assert run(*revoked[:-1], prefix, folder=workspace).returncode == 0
