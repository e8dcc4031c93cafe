"""A prompt as a file says exactly what the prompt says, whatever that is."""

from hypothesis import given
from hypothesis import strategies as st

from laconic.servers.prompts.files.pages import PromptPage, read_page, write_page
from laconic.servers.prompts.models import Argument

LETTERS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
HARD = [
    "---\n",
    "\r\n",
    "\r",
    "\ufeff",
    "\x85",
    "\u2028",
    "# ",
    ": ",
    "- ",
    "\t",
    '"',
    "'",
    "\\",
    "~",
    "null",
    "1",
]
TEXTS = st.lists(LETTERS | st.sampled_from(HARD), max_size=6).map("".join)
WORDS = st.none() | TEXTS.filter(bool)
TAGS = st.from_regex(r"[a-z0-9]{1,4}(-[a-z0-9]{1,3}){0,2}", fullmatch=True) | st.sampled_from(
    ["null", "true", "no", "y", "017", "0x1", "0b1", "1e3", "2024-01-01", "nan"]
)
ARGUMENTS = st.builds(
    Argument,
    name=st.from_regex(r"[a-z][a-z0-9_]{0,5}", fullmatch=True),
    description=st.none() | TEXTS,
    required=st.none() | st.booleans(),
    default=st.none() | TEXTS,
    choices=st.none() | st.lists(TEXTS, max_size=3),
)
PAGES = st.builds(
    PromptPage,
    content=TEXTS,
    title=WORDS,
    description=WORDS,
    tags=st.lists(TAGS, max_size=4, unique=True).map(tuple),
    arguments=st.lists(ARGUMENTS, max_size=3, unique_by=lambda one: one.name).map(tuple),
)


@given(PAGES)
def test_what_was_written_is_read_as_it_was(page: PromptPage) -> None:
    read = read_page(write_page(page), "x")

    assert (read.content, read.title, read.description) == (page.content, page.title, page.description)
    assert read.tags == page.tags and read.says(page)
    assert [one.kept() for one in read.arguments or ()] == [one.kept() for one in page.arguments or ()]


@given(PAGES)
def test_the_line_breaks_of_windows_change_nothing(page: PromptPage) -> None:
    plain = write_page(page).replace("\r\n", "\n")

    assert read_page(plain.replace("\n", "\r\n"), "x") == read_page(plain, "x")
