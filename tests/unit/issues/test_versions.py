"""Two agents that change one text: none of them loses what the other wrote."""

import re
from pathlib import Path

from tests.unit.issues.test_tools import tracker

TEXT = "First line.\nSecond line.\n\nSecond paragraph."


def _version(text: str) -> str:
    found = re.search(r"^\*\*Version:\*\* (\w+)$", text, re.MULTILINE)
    assert found, text
    return found[1]


async def test_a_text_that_changed_since_it_was_read_is_not_overwritten(tmp_path: Path) -> None:
    async with tracker(tmp_path, 1) as client:
        read = _version((await client.call("issues_get", id="1")).text)
        await client.call("issues_update", id="1", description="Ada's text.", version=read)
        late = await client.call("issues_update", id="1", description="Bob's text.", version=read)
        now = await client.call("issues_get", id="1")
        again = await client.call(
            "issues_update", id="1", description="Bob's text.", version=_version(now.text)
        )
    assert late.failed and late.error["code"] == "RESOURCE_LOCKED"
    assert f"is at version {_version(now.text)}, not {read}" in late.text
    assert "-Ada's text." in late.text and "+Bob's text." in late.text
    assert "Ada's text." in now.text
    assert not again.failed


async def test_any_read_of_a_text_names_its_version(tmp_path: Path) -> None:
    async with tracker(tmp_path, 1, output="both") as client:
        whole = await client.call("issues_get", id="1")
        part = await client.call("issues_get", id="1", fields=["description"])
        batch = await client.call("issues_get_batch", ids=["1"])
        short = await client.call("issues_list")
    version = _version(whole.text)
    assert whole.structured["version"] == version
    assert f"version: {version}" in part.text
    assert version in batch.text
    assert version not in short.text


async def test_one_line_of_a_long_text_is_changed_and_the_rest_stays_byte_for_byte(tmp_path: Path) -> None:
    async with tracker(tmp_path, 1) as client:
        await client.call("issues_update", id="1", description=TEXT)
        (file,) = (tmp_path / ".wrangler" / "issues").glob("*.md")
        before = file.read_text(encoding="utf-8")
        reply = await client.call("issues_update", id="1", oldStr="Second line.", newStr="2nd line.")
        gone = await client.call("issues_update", id="1", oldStr="\n\nSecond paragraph.", newStr="")
    assert reply.text == "Updated ISS-000001: description."
    assert not gone.failed
    body = file.read_text(encoding="utf-8").partition("\n---\n")[2]
    assert body == before.partition("\n---\n")[2].replace("Second line.", "2nd line.").replace(
        "\n\nSecond paragraph.", ""
    )


async def test_a_string_that_is_missing_or_occurs_twice_changes_nothing(tmp_path: Path) -> None:
    async with tracker(tmp_path, 1) as client:
        await client.call("issues_update", id="1", description=TEXT)
        missing = await client.call("issues_update", id="1", oldStr="Second lime.", newStr="x")
        twice = await client.call("issues_update", id="1", oldStr="Second", newStr="x", priority="low")
        now = await client.call("issues_get", id="1")
    assert missing.failed and "Second line." in missing.text
    assert twice.failed and "2" in twice.text and "4" in twice.text
    assert TEXT in now.text and "**Priority:** high" in now.text


async def test_half_a_replacement_or_one_beside_a_whole_text_is_refused(tmp_path: Path) -> None:
    async with tracker(tmp_path, 1) as client:
        half = await client.call("issues_update", id="1", oldStr="It fails")
        both = await client.call("issues_update", id="1", oldStr="a", newStr="b", description="c")
    assert "Missing newStr: oldStr and newStr go together." in half.text
    assert "Pass description, or oldStr and newStr." in both.text
