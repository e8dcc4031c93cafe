"""The generated parts of the docs match the declarations."""

import pytest

from laconic.cli.demo.day import AnswerCost, Day
from laconic.kit.errors import failure_kinds
from scripts.documentation import pages as docs
from scripts.documentation import tables
from tests.docs.pages import ROOT


def test_the_generated_parts_are_current(capsys: pytest.CaptureFixture[str]) -> None:
    status = docs.main(["--check"], ROOT)

    assert status == 0, capsys.readouterr().err


def test_a_stale_page_is_named_and_then_written(
    capsys: pytest.CaptureFixture[str], pytester: pytest.Pytester
) -> None:
    page = pytester.mkdir("docs") / "errors.md"
    page.write_text(
        "# Errors\n\n<!-- generated:errors -->\nold\n<!-- /generated -->\n\nThe end.\n", encoding="utf-8"
    )

    assert docs.main(["--check"], pytester.path) == 1
    assert "docs/errors.md is stale" in capsys.readouterr().err
    assert docs.main([], pytester.path) == 0
    assert docs.main(["--check"], pytester.path) == 0

    text = page.read_text(encoding="utf-8")
    assert text.startswith("# Errors\n") and text.endswith("\n\nThe end.\n")
    assert all(f"`{kind.code}`" in text for kind in failure_kinds())


@pytest.mark.parametrize("page", ["README.md", "docs/demo.md"])
def test_the_total_of_the_demo_is_never_shown_alone(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")

    assert "% less.\n\n<!-- /generated -->\n\n<!-- generated:demo:range -->" in text


@pytest.mark.parametrize(("ours", "shown"), [(90, "10 % less"), (103, "3 % more")])
def test_the_step_that_saves_least_is_named_with_its_figure(ours: int, shown: str) -> None:
    rows = [
        AnswerCost("lists all", "list", 10, 1000),
        AnswerCost("reads one", "get", ours, 100),
        AnswerCost("opens a book", "book", 20, 500),
        AnswerCost("reads on", "read_on", 5, 0),  # no comparison: the thin wrapper had sent it
    ]

    text = tables.demo_range(Day(tuple(rows)))

    assert "*lists all* (10 tokens instead of 1,000) and *opens a book* (20 tokens instead of 500)" in text
    assert f"where the agent *reads one*: {ours} tokens instead of 100, {shown}." in text
    assert "cost 5 tokens here" in text


def test_a_marker_that_names_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing generates 'error'"):
        docs.fill("<!-- generated:error -->\n<!-- /generated -->\n", "page.md")


def test_a_part_without_an_end_is_refused() -> None:
    with pytest.raises(ValueError, match="has no end"):
        docs.fill("<!-- generated:errors -->\n", "page.md")


def test_every_generator_is_used() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md"))

    assert [name for name in docs.GENERATORS if f"<!-- generated:{name}" not in text] == []
