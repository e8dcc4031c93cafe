"""A document far longer than an answer, read by sections."""

import re

import pytest

from examples.document import PAGES, manual, toolset
from laconic.kit import Settings
from laconic.kit.contract.read_back import inside
from laconic.kit.testing import ERAS, TestClient, connect

BUDGET = Settings().budget
in_both_eras = pytest.mark.parametrize("era", ERAS)


async def begin(client: TestClient) -> tuple[str, str]:
    """The first answer, and the handle it gives."""
    reply = await client.call("manual_read")
    handle = re.search(r"handle='(\w+)'", reply.text)
    assert handle
    return reply.text, handle[1]


def section(heading: str, until: str) -> str:
    """A section of the manual, by its heading and the next."""
    text = manual()
    start = text.index(heading)
    return text[start : text.index(until, start)].strip()


def test_the_manual_is_long_and_always_the_same() -> None:
    assert manual() == manual()
    assert manual().count("### Page ") == PAGES
    assert len(manual()) > 5 * BUDGET


@in_both_eras
@pytest.mark.requirement("004-P1-1")
async def test_the_first_answer_fits_the_budget_and_has_the_outline(era: str) -> None:
    async with connect(toolset, era=era) as client:
        text, _ = await begin(client)

    assert len(text) <= BUDGET
    assert text.startswith("<beginning>\n# The manual\n")
    assert f"of {len(manual()):,} characters shown" in text
    assert all(f"Chapter {number} (" in text for number in range(1, 21))


@in_both_eras
async def test_a_section_is_read_by_its_heading(era: str) -> None:
    async with connect(toolset, era=era) as client:
        _, handle = await begin(client)
        reply = await client.call("read_on", handle=handle, section="Chapter 7")

    assert inside(reply.text)[0].strip() == section("## Chapter 7\n", "## Chapter 8\n")


@in_both_eras
async def test_one_page_is_read_by_the_path_to_it(era: str) -> None:
    async with connect(toolset, era=era) as client:
        _, handle = await begin(client)
        heading = re.findall(r"### (Page 137: \w+)", manual())[0]
        reply = await client.call("read_on", handle=handle, section=f"Chapter 14/{heading}")

    assert inside(reply.text)[0].strip() == section("### Page 137:", "### Page 138:")


@in_both_eras
async def test_words_are_found_with_the_section_they_are_in(era: str) -> None:
    async with connect(toolset, era=era) as client:
        _, handle = await begin(client)
        reply = await client.call("read_on", handle=handle, find="Page 137")

    assert "Page 137" in reply.text


@in_both_eras
async def test_the_parts_together_are_the_whole(era: str) -> None:
    size, whole = len(manual()), ""
    async with connect(toolset, era=era) as client:
        _, handle = await begin(client)
        while len(whole) < size:
            reply = await client.call("read_on", handle=handle, characters=f"{len(whole)}-{size}")
            whole += inside(reply.result.content[0].text)[0]

    assert whole == manual()


async def test_an_unknown_section_is_said_with_a_way_on() -> None:
    async with connect(toolset) as client:
        _, handle = await begin(client)
        reply = await client.call("read_on", handle=handle, section="Chapter 77")

    assert reply.failed
    assert reply.error["code"] == "RESOURCE_NOT_FOUND"
    assert "Did you mean The manual/Chapter" in reply.text
