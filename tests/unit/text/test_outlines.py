"""Outlines: what is shown in place of the rest."""

import laconic.text
from laconic.text import estimate_tokens, outline


def test_the_headings_of_markdown_with_their_sizes() -> None:
    text = "Before.\n\n# A\n\none two\n\n## B\n\nthree\n\n# C\n"
    a, b = estimate_tokens("# A\n\none two\n\n") + estimate_tokens("## B\n\nthree\n\n"), 5

    expected = f"Sections (tokens):\n(before the first heading: 3)\nA ({a})\n  B ({b})\nC (3)"
    assert outline(text) == expected


def test_many_headings_are_shown_from_the_top() -> None:
    text = "".join(
        f"# Part {part}\n\n" + "".join(f"## Step {step}\n\n" for step in range(9)) for part in range(6)
    )

    lines = outline(text).splitlines()

    assert [line.split(" (")[0] for line in lines[1:-1]] == [f"Part {part}" for part in range(6)]
    assert lines[-1] == "… 54 more headings"


def test_too_many_headings_of_one_level_are_cut() -> None:
    lines = outline("".join(f"# Part {part}\n\ntext\n\n" for part in range(500))).splitlines()

    assert len(lines) == 42
    assert lines[-1] == "… 460 more headings"


def test_equal_titles_are_shown_with_the_number_that_finds_them() -> None:
    assert outline("# Day\n\n# Day\n") == "Sections (tokens):\nDay[1] (3)\nDay[2] (3)"


def test_a_long_title_is_shortened() -> None:
    line = outline("# " + "long " * 50).splitlines()[1]
    assert line.startswith(("long " * 16).strip()[:79] + "… (")


def test_a_table_by_its_head_and_rows() -> None:
    assert outline("id\tname\n1\tone\n2\ttwo\n") == "2 rows of 2 columns: id, name"
    wide = "\t".join(f"c{n}" for n in range(99)) + "\n"
    assert outline(wide * 2).endswith("c28, c29, …")


def test_json_by_its_keys() -> None:
    assert outline('{"total": 1, "rows": [{"id": 1}]}') == "total: number\nrows: 1 object {id}"


def test_plain_text_by_its_lines_and_characters() -> None:
    assert outline("one\ntwo\n") == "2 lines, 8 characters"
    assert outline("") == "0 lines, 0 characters"


def test_every_public_name_is_there() -> None:
    assert all(getattr(laconic.text, name) for name in laconic.text.__all__)
