"""Labels: kept as they were given, found and removed by the same words."""

from pathlib import Path

from tests.unit.issues.test_tools import tracker


async def test_a_label_with_a_comma_is_one_label_and_can_be_found_and_removed(tmp_path: Path) -> None:
    async with tracker(tmp_path) as client:
        await client.call("issues_create", title="A", description="B", labels=["1,000", "one, two", "x"])
        shown = await client.call("issues_labels", operation="list", issueId="1")
        found = await client.call("issues_list", labels=["one, two"])
        part = await client.call("issues_list", labels=["one"])
        left = await client.call("issues_labels", operation="remove", issueId="1", labels=["one, two"])
    assert shown.text == 'Labels of ISS-000001: "1,000", "one, two", x'
    assert "ISS-000001" in found.text
    assert "ISS-000001" not in part.text
    assert '"1,000", x' in left.text and "one, two" not in left.text.partition("labels:")[2]


async def test_a_whole_list_sent_as_one_text_is_split_and_the_answer_says_so(tmp_path: Path) -> None:
    async with tracker(tmp_path) as client:
        made = await client.call("issues_create", title="A", description="B", labels="bug, auth")
        one = await client.call("issues_create", title="C", description="D", labels="bug")
        many = await client.call("issues_update_batch", updates=[{"id": "2", "labels": "x,y,z"}])
        shown = await client.call("issues_list")
    assert "'bug, auth' was read as 2 values; to keep a comma, pass a list." in made.text
    assert "was read as" not in one.text
    assert "'x,y,z' was read as 3 values" in many.text
    assert "[bug, auth]" in shown.text and "[x, y, z]" in shown.text


async def test_equal_and_empty_labels_are_left_out_and_a_line_break_becomes_a_space(tmp_path: Path) -> None:
    folder = tmp_path / ".wrangler" / "issues"
    async with tracker(tmp_path) as client:
        await client.call("issues_create", title="A", description="B", labels=["a", " a ", "", "two\nlines"])
        await client.call("issues_update_batch", updates=[{"id": "1", "priority": "low"}])
        by_hand = folder / "ISS-000002-by-hand.md"
        by_hand.write_text('---\nid: ISS-000002\ntitle: T\nlabels: ["x\\ny", z]\n---\n', encoding="utf-8")
        first = await client.call("issues_get", id="1", fields=["labels"])
        second = await client.call("issues_get", id="2", fields=["labels"])
        every = await client.call("issues_labels", operation="list")
    assert first.text.endswith("labels: a,two lines")
    assert second.text.endswith("labels: x y,z")
    assert every.text.splitlines()[1:] == ["1: a, two lines, x y, z"]


async def test_blank_titles_and_metadata_keys_are_refused(tmp_path: Path) -> None:
    async with tracker(tmp_path, 1) as client:
        blank = await client.call("issues_create", title="  ", description="B")
        renamed = await client.call("issues_update", id="1", title=" ")
        key = await client.call("issues_metadata", operation="set", issueId="1", key=" ", value=1)
    assert blank.failed and "title" in blank.text
    assert renamed.failed and "title" in renamed.text
    assert key.failed and "key" in key.text


async def test_an_empty_scope_is_refused_and_an_empty_filter_is_none(tmp_path: Path) -> None:
    async with tracker(tmp_path, 1) as client:
        scope = await client.call("issues_all_complete", issueIds=[])
        filter = await client.call("issues_list", labels=[], status=[])
    assert scope.failed and "issueIds" in scope.text
    assert "ISS-000001" in filter.text


async def test_all_labels_come_in_pages_and_nothing_is_left_out(tmp_path: Path) -> None:
    labels = [f"label-{number:03d}" for number in range(230)]
    seen: list[str] = []
    async with tracker(tmp_path, output="both") as client:
        for start in (0, 100, 200):
            await client.call("issues_create", title="A", description="B", labels=labels[: start + 30])
        offset: int | None = 0
        texts = []
        while offset is not None:
            reply = await client.call("issues_labels", operation="list", offset=offset)
            texts.append(reply.text)
            seen += reply.structured["values"]
            offset = reply.structured.get("nextOffset")
        beyond = await client.call("issues_labels", operation="list", offset=900)
    assert len(texts) == 3 and sorted(seen) == labels
    assert seen[:30] == labels[:30], "used three times, so they come first"
    assert texts[0].splitlines()[-1] == "130 more. Pass offset 100 to see them."
    assert "more" not in texts[2].splitlines()[-1]
    assert beyond.text.endswith("None from offset 900 on.")


async def test_projects_are_counted_too_and_none_is_said(tmp_path: Path) -> None:
    async with tracker(tmp_path) as client:
        none = await client.call("issues_projects", operation="list")
        for project in ("web", "api", "web"):
            await client.call("issues_create", title="A", description="B", project=project)
        some = await client.call("issues_projects", operation="list")
    assert none.text == "There are no projects."
    assert some.text.splitlines()[1:] == ["2: web", "1: api"]
