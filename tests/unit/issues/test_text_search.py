"""Full-text search: all issues that contain the words are found, best first, whatever is cached."""

import asyncio
import random
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from laconic.kit import Settings
from laconic.kit.testing import TestClient, connect
from laconic.servers.issues.index.contents import Content, Contents
from laconic.servers.issues.search.folding import fold, fold_letters
from laconic.servers.issues.search.segments import Segment, write_segment
from laconic.servers.issues.search.text_search import Hit, excerpt
from laconic.servers.issues.search.unfolded import Sought, UnfoldedText
from laconic.servers.issues.store import IssueStore
from laconic.servers.issues.tools import issues
from tests.chance import examples
from tests.unit.issues.conftest import Open

ALPHABET = st.sampled_from("abAB 12-_.,()\n\tßéÉΣς\u03c3İ\u0131日本\u3000#/")
TEXTS = st.lists(st.text(ALPHABET, max_size=40), min_size=1, max_size=20)


def write(root: Path, number: int, title: str = "T", body: str = "", labels: str = "[]") -> None:
    path = root / f".wrangler/issues/ISS-{number:06d}-x.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    header = f"id: ISS-{number:06d}\ntitle: '{title}'\nlabels: {labels}\nupdatedAt: '2025-01-{number:02d}'"
    path.write_text(f"---\n{header}\n---\n{body}\n", encoding="utf-8")


def keep(store: IssueStore) -> None:
    """What a server does between two calls."""
    for _ in store.gathering():
        pass


def numbers(hits: list[Hit]) -> list[int]:
    best = sorted(hits, key=lambda hit: (-hit.score, -(hit.entry.updated or 0)))
    return [int(hit.entry.id[-2:]) for hit in best]


def test_titles_outrank_labels_and_labels_outrank_texts(root: Path, store: IssueStore) -> None:
    write(root, 1, body="cache cache cache")
    write(root, 2, body="a cache")
    write(root, 3, labels="[cache]")
    write(root, 4, title="The cache")
    write(root, 5, title="Cache")
    write(root, 6, title="Nothing")

    assert numbers(store.search("cache")) == [5, 4, 3, 1, 2]


def test_of_equals_the_newer_one_comes_first(root: Path, store: IssueStore) -> None:
    write(root, 1, body="cache")
    write(root, 2, body="cache")

    assert numbers(store.search("cache")) == [2, 1]


@pytest.mark.parametrize(
    "query",
    ["STRASSE", "straße", "Straße in", "in Köln", "KÖLN", "ö", "in\n köln", "(ende)", "x_y-z", "E)", " in "],
)
def test_case_and_white_space_do_not_matter(root: Path, store: IssueStore, query: str) -> None:
    write(root, 1, body="Die STRAßE in\n  Köln x_y-z (Ende)")
    write(root, 2, body="Nichts.")

    assert numbers(store.search(query)) == [1] or query in ("ö", " in ", "E)")
    assert 1 in numbers(store.search(query))


def test_a_piece_of_a_word_is_found_and_so_is_a_piece_of_two(root: Path, store: IssueStore) -> None:
    write(root, 1, body="invalidate the cache-index at once")

    for query in ("valid", "date th", "e-ind", "the cache-index at", "once"):
        assert numbers(store.search(query)) == [1]


def test_fields_narrow_the_search(root: Path, store: IssueStore) -> None:
    write(root, 1, title="cache")
    write(root, 2, body="cache")
    write(root, 3, labels="[cache]")

    assert numbers(store.search("cache", ["title"])) == [1]
    assert numbers(store.search("cache", ["description"])) == [2]
    assert numbers(store.search("cache", ["labels"])) == [3]


def test_separate_words_are_found_only_if_nothing_contains_the_phrase(root: Path, store: IssueStore) -> None:
    write(root, 1, title="invalid", body="some cache")
    write(root, 2, body="cache")

    (hit,) = store.search("cache invalid")
    assert (hit.entry.id, hit.is_whole) == ("ISS-000001", False)

    write(root, 3, body="cache invalid")
    (hit,) = store.search("cache invalid")
    assert (hit.entry.id, hit.is_whole) == ("ISS-000003", True)


def test_filters_apply_before_falling_back_to_separate_words(root: Path, store: IssueStore) -> None:
    write(root, 1, body="cache and index")
    write(root, 2, body="cache index")

    hits = store.search("cache index", keep=lambda entry: entry.id == "ISS-000001")

    assert numbers(hits) == [1]


def test_a_change_is_found_at_once_and_a_deleted_text_is_not(root: Path, store: IssueStore) -> None:
    write(root, 1, body="first")
    assert numbers(store.search("first")) == [1]

    write(root, 1, body="second")
    assert numbers(store.search("first")) == []
    assert numbers(store.search("second")) == [1]

    (root / ".wrangler/issues/ISS-000001-x.md").unlink()
    assert store.search("second") == []


def many(root: Path, count: int, mark: str = "") -> None:
    for number in range(count):
        write(root, 1, body=f"common {mark} word-{number} {'filler ' * 20}")
        path = root / ".wrangler/issues/ISS-000001-x.md"
        path.rename(path.with_name(f"ISS-{number + 100:06d}-x.md"))


def test_recall_is_complete_from_segments_too(root: Path, tmp_path: Path, open_store: Open) -> None:
    many(root, 700)
    store = open_store()

    assert len(store.search("common")) == 700
    keep(store)
    assert list((tmp_path / "cache").rglob("*.texts"))
    assert len(store.search("common")) == 700
    for number in random.Random(1).sample(range(700), 40):
        (hit,) = [hit for hit in store.search(f"word-{number}") if f"word-{number} " in hit.excerpt()]
        assert hit.entry.stem == f"ISS-{number + 100:06d}-x"
    assert len(open_store().search("common")) == 700


def test_segments_follow_changes_and_are_merged(root: Path, tmp_path: Path, open_store: Open) -> None:
    store = open_store()
    for mark in ("first", "second", "third"):
        many(root, 300, mark)
        assert len(store.search(mark)) == 300
        keep(store)
        assert len(store.search(mark)) == 300

    assert store.search("first") == []
    assert len(list((tmp_path / "cache").rglob("*.texts"))) <= 2


def test_texts_that_two_processes_stored_at_once_are_dropped_again(
    root: Path, tmp_path: Path, open_store: Open
) -> None:
    many(root, 300)
    store = open_store()
    store.search("common")
    keep(store)
    (kept,) = (tmp_path / "cache").rglob("*.texts")
    kept.with_name("double.texts").write_bytes(kept.read_bytes())
    assert len(store.search("common")) == 300

    many(root, 300, "new")

    assert len(store.search("new")) == 300
    keep(store)
    assert len(list((tmp_path / "cache").rglob("*.texts"))) == 1


def test_a_segment_that_disappears_is_skipped(
    root: Path, open_store: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    many(root, 300)
    store = open_store()
    store.search("common")
    keep(store)
    monkeypatch.setattr(
        "laconic.servers.issues.search.texts.Texts._find_segments", lambda self: None, raising=True
    )
    for path in root.parent.rglob("*.texts"):
        path.unlink()

    assert len(store.search("common")) == 300


def test_another_process_may_remove_segments(root: Path, tmp_path: Path, open_store: Open) -> None:
    many(root, 300)
    store = open_store()
    store.search("common")
    keep(store)

    for path in (tmp_path / "cache").rglob("*.texts"):
        path.unlink()

    assert len(store.search("common")) == 300


@pytest.mark.parametrize("damage", [b"", b"junk" * 100, None])
def test_a_damaged_segment_is_written_again(
    root: Path, tmp_path: Path, open_store: Open, damage: bytes | None
) -> None:
    many(root, 300)
    store = open_store()
    store.search("common")
    keep(store)
    (kept,) = (tmp_path / "cache").rglob("*.texts")
    kept.write_bytes(kept.read_bytes()[:-1] if damage is None else damage)

    store = open_store()
    assert len(store.search("common")) == 300
    keep(store)
    assert len(list((tmp_path / "cache").rglob("*.texts"))) == 1
    assert len(open_store().search("common")) == 300


@examples(300)
@given(texts=TEXTS, query=st.text(ALPHABET, min_size=1, max_size=6))
def test_a_segment_finds_exactly_the_texts_that_contain_the_query(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], query: str
) -> None:
    path = tmp_path_factory.mktemp("segment") / "x.texts"
    folded = {number: fold(text) for number, text in enumerate(texts)}
    write_segment(path, folded)
    segment = Segment(path)

    with segment.opened() as content:
        found = segment.holding(content, fold(query))
        kept = segment.texts(content, folded.keys())

    assert found == {number for number, text in folded.items() if fold(query) in text}
    assert kept == folded


@examples(200)
@given(text=st.text(ALPHABET, max_size=60), start=st.integers(0, 60), size=st.integers(1, 20))
def test_every_piece_of_a_text_is_found_in_it_in_any_case(text: str, start: int, size: int) -> None:
    piece = text[start : start + size]

    assert fold(piece) in fold(text)
    assert fold(piece.upper()) == fold(piece) or fold(piece.lower()) == fold(piece)


ODD = st.sampled_from(
    "abeikstABEIKST 12-_.,()\n\t\u3000\u2028\xa0\x85\x1f\x00éÉe\u0301Σ日本#/'ßẞ\u017fİ\u0131ẖ\u212a\u212bﬁﬅ≠="
)


@examples(1500)
@given(head=st.text("ab \t", max_size=4), text=st.text(ODD, max_size=40), query=st.text(ODD, max_size=6))
@example("", "\u212aaﬁle", "kafi")
@example("", "CAFÉ", "cafe")
@example("", "STRASSE", "straße")
@example("ab", "other", "ab")
@example("", "a\xa0\u2028 B", "a b")
@example("", "—\xa0a \n\t b", "a b")
def test_a_text_contains_in_its_file_what_it_contains_folded(head: str, text: str, query: str) -> None:
    content = f"---\nid: x{head}\n---\n{text}\n".encode()

    assert UnfoldedText(content).contains(Sought(fold(query))) == (fold(query) in fold(text))


@pytest.mark.parametrize("bad", [b"\xff", b"\xe2\x80", b"\xc3", b"\xed\xa0\x80"])
def test_bytes_that_are_no_characters_hide_nothing(bad: bytes) -> None:
    text = UnfoldedText(b"---\nid: x\n---\n" + bad + b"Some" + bad + b" Caf\xc3\xa9" + bad)

    assert text.contains(Sought(fold("some")))
    assert text.contains(Sought(fold("cafe")))
    assert text.contains(Sought(fold("CAFÉ")))
    assert not text.contains(Sought(fold("some cafe")))


def test_every_letter_and_every_space_of_unicode_is_found_as_what_it_folds_to() -> None:
    for letter in map(chr, [*range(128, 0xD800), *range(0xE000, 0x110000)]):
        for part in fold_letters(letter):
            if part.isascii() and not part.isspace():
                assert UnfoldedText(letter.encode()).contains(Sought(part.encode())), letter
        if letter.isspace():
            assert UnfoldedText(f"a{letter}b".encode()).contains(Sought(b"a b")), letter


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("A plain file.", "absent"),
        ("A plain file.", "file absent"),
        ("A plain file.", "ä"),
        ("Dashes — and “quotes”.", "absent"),
        ("Dashes — and “quotes”.", "and dashes"),
        ("日本 файл", "file"),
        ("файл", "file ß"),
    ],
)
def test_a_file_is_not_folded_where_its_bytes_decide(text: str, query: str) -> None:
    file = UnfoldedText(text.encode())

    assert not file.contains(Sought(fold(query)))
    assert "folded" not in vars(file)


@examples(60)
@given(texts=TEXTS, queries=st.lists(st.text(ALPHABET, min_size=1, max_size=8), min_size=1, max_size=5))
def test_files_memory_and_segments_give_the_same_hits_and_scores(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], queries: list[str]
) -> None:
    root = tmp_path_factory.mktemp("same")
    for number, text in enumerate(texts, 1):
        write(root, number, body=text)
    store = IssueStore(root, cache=root / "cache", environ={})

    def found() -> list[list[tuple[str, int]]]:
        return [[(hit.entry.id, hit.score) for hit in store.search(query)] for query in queries]

    from_files = found()
    keep(store)
    assert not list(root.rglob("*.texts"))
    from_memory = found()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("laconic.servers.issues.search.texts._FEW", 0)
        keep(store)
    assert list(root.rglob("*.texts"))

    assert from_files == from_memory == found()


async def test_a_small_workspace_is_searched_without_reading_its_files_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(1, 21):
        write(root, number, body=f"common word-{number}.")
    settings = Settings(sections={"issues": {"workspace": str(root)}})
    async with connect(issues, settings=settings) as client:
        first = await client.call("issues_search", query="common")
        async with asyncio.timeout(60):
            while await files_read(client, monkeypatch):  # noqa: ASYNC110  # gathered by another thread
                await asyncio.sleep(0.1)
        again = await client.call("issues_search", query="common")
        write(root, 7, body="common word-new.")
        changed = await client.call("issues_search", query="word-new")

    assert again.text == first.text
    assert "ISS-000007" in changed.text


async def files_read(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many files a search reads; excerpts, which need the file, are left out."""
    read, count = Contents.read, 0

    def counted(self: Contents, path: str) -> Content:
        nonlocal count
        count += 1
        return read(self, path)

    with monkeypatch.context() as patch:
        patch.setattr(Contents, "read", counted)
        await client.call("issues_search", query="common", format="minimal")
    return count


async def test_the_texts_are_kept_between_calls_and_the_first_search_waits_for_none(
    root: Path, tmp_path: Path
) -> None:
    many(root, 300)
    cache = tmp_path / "cache"
    settings = Settings(sections={"issues": {"workspace": str(root), "cache": str(cache)}})
    async with connect(issues, settings=settings) as client:
        first = await client.call("issues_search", query="word-7")
        async with asyncio.timeout(60):
            while not list(cache.rglob("*.texts")):  # noqa: ASYNC110  # written by another thread
                await asyncio.sleep(0.01)
        again = await client.call("issues_search", query="word-7")

    assert "ISS-000107" in first.text
    assert again.text == first.text


def test_small_segments_are_merged_and_useless_ones_removed(
    root: Path, tmp_path: Path, open_store: Open
) -> None:
    def kept() -> list[Path]:
        return list((tmp_path / "cache").rglob("*.texts"))

    many(root, 300, "first")
    store = open_store()
    assert len(store.search("common")) == 300
    keep(store)
    (before,) = kept()

    for path in (root / ".wrangler/issues").glob("*.md"):
        path.rename(path.with_stem(f"{path.stem}-old"))
    many(root, 300, "second")
    assert [len(store.search(words)) for words in ("common", "first", "second")] == [600, 300, 300]
    keep(store)
    (merged,) = kept()
    assert merged != before

    many(root, 300, "third")
    for path in (root / ".wrangler/issues").glob("*-old.md"):
        path.unlink()
    assert [len(store.search(words)) for words in ("common", "first", "second", "third")] == [300, 0, 0, 300]
    keep(store)
    assert len(kept()) == 1 and kept() != [merged]
    assert len(open_store().search("third")) == 300


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        ("Short text.", "short", "Short text."),
        ("one\n\ntwo   three", "TWO THREE", "one two three"),
        ("Nothing of it.", "absent", "Nothing of it."),
        ("", "x", ""),
        ("ßßßß needle", "NEEDLE", "ßßßß needle"),
    ],
)
def test_an_excerpt_is_one_line_around_the_words(text: str, query: str, expected: str) -> None:
    assert excerpt(text, query) == expected


@examples(200)
@given(
    before=st.text("ab ßİ", max_size=300), after=st.text("ab ßİ", max_size=300), width=st.integers(20, 150)
)
def test_an_excerpt_contains_the_words_and_is_short(before: str, after: str, width: int) -> None:
    found = excerpt(f"{before} Needle {after}", "nEEdle", width)

    assert "Needle" in found
    assert len(found) <= width + 2
