"""Content arrives as it was returned: text, images, documents, and several of them."""

import base64
from typing import Any

import pytest

from laconic.kit import Image, Resource, Text, Toolset
from laconic.kit.testing import ERAS, connect
from tests.toolsets.workshop import PNG

MARKDOWN = "## Found\n\n| name | stars |\n|---|---|\n| größer | 1234 |\n\n```py\nprint('\\t')\n```\n"
ARCHIVE = bytes(range(256))

in_both_eras = pytest.mark.parametrize("era", ERAS)


def _press() -> Toolset:
    press = Toolset("press")

    @press.read
    async def press_text() -> str:
        """Return Markdown."""
        return MARKDOWN

    @press.read
    async def press_picture() -> Image:
        """Return a picture."""
        return Image(PNG)

    @press.read
    async def press_archive() -> Resource:
        """Return a binary file."""
        return Resource("press://archive", ARCHIVE, "application/zip")

    @press.create
    async def press_generate() -> list[Text | Resource | Image]:
        """Return an explanation, three files and a picture."""
        files = [Resource(f"press://{name}.py", f"{name} = 1\n", "text/x-python") for name in "abc"]
        return [Text("Three files."), *files, Image(PNG)]

    return press


async def _blocks(era: str, tool: str) -> list[Any]:
    async with connect(_press(), era=era) as client:
        reply = await client.call(tool)
    assert not reply.failed
    return list(reply.result.content)


@in_both_eras
@pytest.mark.requirement("003-4.1")
async def test_text_arrives_letter_by_letter(era: str) -> None:
    (block,) = await _blocks(era, "press_text")

    assert (block.type, block.text) == ("text", MARKDOWN)


@in_both_eras
@pytest.mark.requirement("003-4.2")
async def test_a_picture_arrives_as_base64_with_its_type(era: str) -> None:
    (block,) = await _blocks(era, "press_picture")

    assert (block.type, block.mime_type) == ("image", "image/png")
    assert base64.b64decode(block.data, validate=True) == PNG


@in_both_eras
@pytest.mark.requirement("003-4.5")
async def test_a_binary_document_arrives_as_a_base64_blob(era: str) -> None:
    (block,) = await _blocks(era, "press_archive")

    assert (block.type, block.resource.mime_type) == ("resource", "application/zip")
    assert str(block.resource.uri) == "press://archive"
    assert base64.b64decode(block.resource.blob, validate=True) == ARCHIVE


@in_both_eras
@pytest.mark.requirement("003-5.2")
async def test_any_number_of_items_arrives_in_the_order_it_was_returned(era: str) -> None:
    text, *files, picture = await _blocks(era, "press_generate")

    assert (text.text, picture.type) == ("Three files.", "image")
    assert [str(file.resource.uri) for file in files] == ["press://a.py", "press://b.py", "press://c.py"]
    assert [file.resource.text for file in files] == ["a = 1\n", "b = 1\n", "c = 1\n"]


@pytest.mark.parametrize(
    ("text", "bodies", "spans"),
    [
        ("x\nb\nbb\n", ["b", "bb"], ((2, 3), (4, 6))),
        ("bb\nb", ["b", "bb"], ((0, 2), (3, 4))),  # in another order than in the text
        ("ab\nb", ["b"], ((3, 4),)),
        ("ab\nba", ["b"], ()),
        ("b\nb\n", ["b", "b", "b"], ((0, 1), (2, 3))),
        ("", ["b", ""], ()),
    ],
)
def test_a_text_knows_which_bodies_are_on_lines_of_their_own(
    text: str, bodies: list[str], spans: tuple[tuple[int, int], ...]
) -> None:
    assert Text.around(text, bodies).bodies == spans


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("a" * 200_000, "a" * 100_000),
        ("\n" * 200_000 + "x", "\n" * 100_000 + "y"),
        ("a\n" * 100_000, "a\n" * 50_000 + "a"),
    ],
)
def test_bodies_that_nearly_occur_at_every_place_are_given_up_soon(text: str, body: str) -> None:
    assert len(Text.around(text, [body] * 20).bodies) <= 2  # all places would take hours
