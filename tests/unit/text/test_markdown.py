"""Headings and sections of markdown, especially the nasty ones."""

from textwrap import dedent

import pytest
from markdown_it import MarkdownIt

from laconic.text import NoSection, headings, section

# what it is, the text, and the titles with their levels
NASTY: list[tuple[str, str, list[str]]] = [
    ("every level", "# a\n## b\n### c\n#### d\n##### e\n###### f\n", ["1a", "2b", "3c", "4d", "5e", "6f"]),
    ("seven are too many", "####### a\n", []),
    ("no space, no heading", "#a\n#1 fix\n", []),
    ("a tab will do", "#\ta\n", ["1a"]),
    ("closing hashes", "## a ##\n# b#\n# c ### \n#\n# #\n", ["2a", "1b#", "1c", "1", "1"]),
    ("up to three spaces", "   # a\n    # code\n\t# code\n", ["1a"]),
    ("an escaped hash", "\\# a\n", []),
    ("in backticks", "```\n# a\n```\n# b\n", ["1b"]),
    ("in tildes", "~~~ sh\n# a\n~~~\n# b\n", ["1b"]),
    ("backticks in tildes", "~~~\n```\n# a\n~~~\n# b\n", ["1b"]),
    ("a longer fence holds a shorter", "````\n```\n# a\n```\n# b\n````\n# c\n", ["1c"]),
    ("a fence with words does not close", "```\n# a\n``` py\n# b\n```\n# c\n", ["1c"]),
    ("inline code is no fence", "``` a ``` b\n# c\n", ["1c"]),
    ("an unclosed fence runs to the end", "```\n# a\n", []),
    ("an indented fence", "  ```\n  # a\n  ```\n# b\n", ["1b"]),
    ("four spaces make code of a fence", "    ```\n# a\n", ["1a"]),
    ("a fence in a list", "- x\n\n  ```\n  # a\n  ```\n# b\n", ["1b"]),
    ("a fence deep in a list", "1. x\n   - y\n\n     ```\n     # a\n     ```\n\n# b\n", ["1b"]),
    ("a fence on the line of its item", "- ```\n  # a\n  ```\n# b\n", ["1b"]),
    ("a fence ends with its list item", "- ```\n  # a\n\n# b\n", ["1b"]),
    ("a heading in a list is none of ours", "- x\n\n  # a\n- # b\n\n# c\n", ["1c"]),
    ("a heading in a quotation neither", "> # a\n> ```\n# b\n", ["1b"]),
    ("setext", "a\n===\nb\n---\n", ["1a", "2b"]),
    ("setext with one sign", "a\n=\n\nb\n-\n", ["1a", "2b"]),
    ("setext over two lines", "a\nb\n---\n", ["2a b"]),
    ("setext needs a paragraph", "\n---\n\n===\n# a\n---\n", ["1a"]),
    ("a rule of stars", "a\n***\nb\n- - -\n___\n", []),
    ("a rule after a list", "- a\n---\n", []),
    ("a rule after a quotation", "> a\n---\n> b\nlazy\n---\n", []),
    ("a rule after a fence", "```\na\n```\n---\n", []),
    ("a rule after a table", "| a | b |\n|---|---|\n| 1 | 2 |\n---\n", []),
    ("a table is no setext", "| a | b |\n|---|---|\n| 1 | 2 |\n\na | b\n--|--\n", []),
    ("pipes above a plain underline", "a | b\n---\n", ["2a | b"]),
    ("a rule after indented code", "    a\n---\n", []),
    ("a rule after a link definition", "[a]: http://x\n---\n", []),
    ("an item that cannot interrupt", "a\n2. b\n---\n", ["2a 2. b"]),
    ("front matter", "---\ntitle: a\n# note\n---\n# b\n", ["1b"]),
    ("front matter with dots", "---\ntitle: a\n...\n# b\n", ["1b"]),
    ("front matter of TOML", "+++\n# a\ntitle = 1\n+++\n# b\n", ["1b"]),
    ("front matter only at the top", "# x\n---\na: b\n---\n", ["1x", "2a: b"]),
    ("a rule at the top is no front matter", "---\n\n# a\n\n---\n", ["1a"]),
    ("front matter without an end", "---\ntitle: a\n\n# b\n", ["1b"]),
    ("in a comment", "<!--\n# a\n\n# b\n-->\n# c\n", ["1c"]),
    ("after a comment on one line", "<!-- a -->\n# b\n", ["1b"]),
    ("a comment without an end", "# a\n<!--\n# b\n", ["1a"]),
    ("a fence in a comment", "<!--\n```\n-->\n# a\n", ["1a"]),
    ("a comment in a fence", "```\n<!--\n```\n# a\n", ["1a"]),
    ("in pre", "<pre>\n# a\n\n# b\n</pre>\n# c\n", ["1c"]),
    ("in a div until a blank line", "<div>\n# a\n\n# b\n</div>\n", ["1b"]),
    ("CRLF", "# a\r\n\r\nb\r\n---\r\n```\r\n# c\r\n```\r\n", ["1a", "2b"]),
    ("CR", "# a\rb\r---\r", ["1a", "2b"]),
    ("other breaks are none", "# a\u2028# b\x0b# c\n", ["1a # b # c"]),
    ("no line break at the end", "# a", ["1a"]),
    ("nothing", "", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "titles"), [case[1:] for case in NASTY], ids=[case[0] for case in NASTY])
def test_headings_are_those_a_renderer_shows(text: str, titles: list[str]) -> None:
    assert [f"{heading.level}{heading.title}" for heading in headings(text)] == titles


PLAIN = [case for case in NASTY if not case[0].startswith("front matter")]  # which CommonMark does not know


@pytest.mark.parametrize("text", [case[1] for case in PLAIN], ids=[case[0] for case in PLAIN])
def test_headings_agree_with_another_parser(text: str) -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    marks = [(token.tag, token.map) for token in tokens if token.type == "heading_open" and token.level == 0]

    lines = [(tag, span[0] + 1) for tag, span in marks if span]
    assert [(f"h{heading.level}", heading.line) for heading in headings(text)] == lines


@pytest.mark.parametrize("tag", ["body", "notes", "notes-2", "beginning", "title"])
def test_a_text_set_apart_by_tags_keeps_its_headings(tag: str) -> None:
    assert [found.title for found in headings(f"# a\n\n<{tag}>\n# b\nc\n</{tag}>\n\n# d")] == ["a", "b", "d"]


SPEC = dedent("""\
    Words before.

    # Spec

    ## 1. Requirements

    ### 1.1 Functional

    Functions.

    ### 1.2 Input/Output

    ## 2. *Open* `questions`:

    ### Example

    One.

    ### Example

    Two.

    #### Detail

    # Appendix

    ### Deep
    """)


def test_headings_know_their_place() -> None:
    found = {heading.path: heading for heading in headings(SPEC)}

    functional = found["Spec/1. Requirements/1.1 Functional"]
    assert (functional.level, functional.title, functional.line) == (3, "1.1 Functional", 7)
    assert SPEC[functional.start : functional.end] == "### 1.1 Functional\n\nFunctions.\n\n"
    assert "Spec/2. *Open* `questions`:/Example[2]/Detail" in found
    assert "Appendix/Deep" in found


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("Spec/1. Requirements/1.1 Functional", "1.1 Functional"),
        ("1.1 Functional", "1.1 Functional"),
        ("functional", "1.1 Functional"),
        ("Requirements/Functional", "1.1 Functional"),
        ("### 1.1 functional", "1.1 Functional"),
        ("spec > requirements > functional", "1.1 Functional"),
        (" Spec / Requirements ", "1. Requirements"),
        ("Input/Output", "1.2 Input/Output"),
        ("Requirements/Input / Output", "1.2 Input/Output"),
        ("Open questions", "2. *Open* `questions`:"),
        ("open questions/example[2]", "Example"),
        ("Example[2]/Detail", "Detail"),
        ("Example/Detail", "Detail"),
        ("Appen…", "Appendix"),
    ],
)
def test_a_section_is_found_by(path: str, title: str) -> None:
    start, end = section(SPEC, path)

    assert any(
        (heading.start, heading.end, heading.title) == (start, end, title) for heading in headings(SPEC)
    )


def test_the_first_words_of_one_title_find_it() -> None:
    titles = ("Page 13: pumps", "Page 137 (valves)", "3.2 Oil", "3.2.1 Filter", "Page 14.5")
    text = "# Book\n\n" + "".join(f"## {title}\n\n" for title in titles)
    for path, title in {
        "Page 13": "pumps",
        "page 137": "valves",
        "Book/Page 13": "pumps",
        "3.2": "Oil",
    }.items():
        start, end = section(text, path)
        assert title in text[start:end]
    for path in ("Page 1", "Page 14", "pum"):
        with pytest.raises(NoSection) as caught:
            section(text, path)
        assert not caught.value.ambiguous


def test_the_first_words_of_several_titles_are_refused_with_all_of_them() -> None:
    with pytest.raises(NoSection) as caught:
        section("# Day 1: sun\n\n# Day 1: rain\n\n# Day 2\n", "Day 1")
    assert caught.value.candidates == ["Day 1: sun", "Day 1: rain"]
    assert caught.value.ambiguous


def test_the_empty_path_is_the_text_before_the_first_heading() -> None:
    assert section(SPEC, "") == (0, len("Words before.\n\n"))
    assert section("no heading", "/") == (0, 10)


def test_equal_titles_are_distinguished_by_number_and_refused_without() -> None:
    with pytest.raises(NoSection) as refusal:
        section(SPEC, "Example")

    assert refusal.value.ambiguous
    assert len(refusal.value.candidates) == 2
    spans = [section(SPEC, path) for path in refusal.value.candidates]
    assert ["One." in SPEC[slice(*span)] for span in spans] == [True, False]


def test_a_missing_section_names_the_nearest() -> None:
    with pytest.raises(NoSection) as refusal:
        section(SPEC, "Requirments/Functinal")

    assert not refusal.value.ambiguous
    assert refusal.value.candidates[0] == "Spec/1. Requirements/1.1 Functional"
    assert str(refusal.value).startswith('no section "Requirments/Functinal": Spec/1. Requirements')


def test_when_nothing_is_near_the_top_headings_are_named() -> None:
    with pytest.raises(NoSection) as refusal:
        section(SPEC, "zzz")

    assert refusal.value.candidates == ["Spec", "Appendix"]


def test_a_text_without_headings_says_so() -> None:
    with pytest.raises(NoSection, match="there are no headings"):
        section("plain", "zzz")


def test_the_exact_title_wins_over_one_with_a_number() -> None:
    text = "# 1. Notes\n# Notes\n"

    assert section(text, "notes") == (11, 19)


def test_an_untitled_heading_has_a_path() -> None:
    assert section("#\ntext\n# b\n", "(untitled)") == (0, 7)
