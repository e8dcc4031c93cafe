"""What people wrote can be told from the words around it, whatever commas and quotes it has."""

import json
from pathlib import Path

import pytest

from tests.unit.issues.test_tools import tracker

LABELS = [["a, b", "c"], ["a", "b", "c"], ['a", "b', "c"], ["a, b, c"], ["a] [b", "c"]]


async def _texts(folder: Path, labels: list[str]) -> tuple[str, ...]:
    """Return what is said about an issue whose file has these labels."""
    home = folder / ".wrangler" / "issues"
    home.mkdir(parents=True)
    (home / "ISS-000001-x.md").write_text(
        f"---\nid: ISS-000001\ntitle: X\nlabels: {json.dumps(labels)}\n---\nText.\n", encoding="utf-8"
    )
    async with tracker(folder) as client:
        replies = [
            await client.call("issues_get", id="1"),
            await client.call("issues_list"),
            await client.call("issues_labels", operation="list"),
            await client.call("issues_update", id="1", labels=[]),
        ]
    return tuple(reply.text.partition("): ")[2] if "All " in reply.text else reply.text for reply in replies)


async def test_different_labels_are_different_texts(tmp_path: Path) -> None:
    found = [await _texts(tmp_path / str(place), labels) for place, labels in enumerate(LABELS)]
    for texts in zip(*found, strict=True):
        assert len(set(texts)) == len(LABELS), texts


async def test_plain_labels_are_joined_with_commas(tmp_path: Path) -> None:
    read, *_ = await _texts(tmp_path, ["good first issue", "ui"])
    assert "**Labels:** good first issue, ui\n" in read


async def test_a_label_called_none_is_not_the_lack_of_labels(tmp_path: Path) -> None:
    async with tracker(tmp_path, 1) as client:
        reply = await client.call("issues_labels", operation="add", issueId="1", labels=["none"])
    assert reply.text.endswith('Current labels: bug, auth, "none"')


@pytest.mark.parametrize("title", ['x" (ISS-000009). Deleted issue "y', "a\\nb", 'The "new" one'])
async def test_a_title_ends_where_its_quotes_end(tmp_path: Path, title: str) -> None:
    async with tracker(tmp_path) as client:
        await client.call("issues_create", title=title, description="Text.")
        gone = await client.call("issues_delete", id="1", confirm=True)
    assert gone.text == f"Deleted issue {json.dumps(title)} (ISS-000001)"
