"""Headers: any value that is written is read back, and no other line changes."""

import string
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from laconic.stores.errors import Unreadable
from laconic.stores.header.composing import compose
from laconic.stores.header.header import Header

patiently = settings(suppress_health_check=[HealthCheck.too_slow])

SURPRISES = [
    *("yes", "no", "on", "off", "y", "n", "Y", "true", "True", "FALSE", "null", "Null", "~", ""),
    *("0", "-0", "000123", "08", "0x1F", "0o17", "0b11", "1e3", "1.5", "1_000", "+5", "-5", ".5"),
    *(".inf", ".nan", "12:30:00", "190:20:30", "2025-01-01", "2025-1-1", "2025-01-01 10:00:00"),
    *("2025-01-01T10:00:00.000Z", "=", "<<", "- x", "-", "? x", ": x", "x:", "x: y", "# x", "x # y"),
    *("x#y", "'", '"', "it's", "'x' y", "\\n", "[a]", "{a: b}", "a, b", "&a", "*a", "!!str x", "|"),
    *(">-", "%a", "@a", "`a`", "---", "...", "--- x", " ", " x", "x ", "\t", "a\tb", "a\r\nb", "\r"),
    *("\n", "\n\n", "\nx", "x\n", "x\n\n", " x\ny", "x\n y\nz", "x\n\n\ny", "x\n \n", "\n---\n"),
    *("😀 party", "日本語", "\0", "\x01\x1b\x7f", "\x85", "\xa0", "\u2028\u2029", "\ufeffx", "\ufffe"),
    *("word " * 40, "w" * 200, "word " * 30 + "\n" + "word " * 30, "x\n " + "word " * 30, "a  b " * 30),
    *("<<<<<<< HEAD", "=======", ">>>>>>> x", "---\nid: 1\n---\n", "9" * 30, "-" * 90, "# " * 60),
]
texts = st.one_of(
    st.sampled_from(SURPRISES),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=30),
    st.text("ab \n:#-'\",[]{}", max_size=40),
    st.lists(
        st.sampled_from(["word", "a", " ", "  ", "\n", "\n\n", "#", ": ", "longerword"]), max_size=60
    ).map("".join),
)
scalars = st.one_of(texts, st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False))
nested = st.recursive(
    st.one_of(scalars, st.none()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=6,
)
values = st.one_of(
    scalars,
    st.lists(texts, max_size=4),
    st.dictionaries(texts, nested, max_size=3),
    st.lists(nested, max_size=3),
)
names = st.text(string.ascii_letters, min_size=1, max_size=8)
words = st.text(string.ascii_lowercase, min_size=1, max_size=6)


class Written(NamedTuple):
    """One key as a person or program wrote it, with LF."""

    lines: str
    value: Any


@st.composite
def written(draw: st.DrawFn, key: str) -> Written:
    """A key with its value in one of YAML's styles."""
    one, two = draw(words), draw(words)
    remark = draw(st.sampled_from(["", " # remark", "   #"]))
    gap = draw(st.sampled_from([" ", "   "]))
    dash = draw(st.sampled_from(["- ", "  - ", "    -   "]))
    in_line: list[tuple[str, Any]] = [
        (f"v{one}", f"v{one}"),
        (f"v{one}, it's: {two}".replace(": ", ":"), f"v{one}, it's:{two}"),
        (f"'{one} '' {two}'", f"{one} ' {two}"),
        (f'"{one}\\t\\u263a"', f"{one}\t\u263a"),
        (f"'{one}\n\n   {two}'", f"{one}\n{two}"),
        (f'"v{one}\n  # {two}"', f"v{one} # {two}"),
        (f"v{one}\n  {two}", f"v{one} {two}"),
        ("yes", "yes"),
        ("000123", "000123"),
        ("2025-01-01", "2025-01-01"),
        ("12", 12),
        ("false", False),
        ("~", None),
        ("!!str 12", "12"),
        (f"&{key} v{one}", f"v{one}"),
        (f"[v{one}, '{two}']", [f"v{one}", two]),
        (f"[v{one}, # why\n   '{two}',\n ]", [f"v{one}", two]),
        ("[]", []),
        (f"{{a: v{one}, b: [1]}}", {"a": f"v{one}", "b": [1]}),
    ]
    in_block: list[tuple[str, Any]] = [
        ("", None),
        (f" |-{remark}\n  {one}\n  # {two}\n", f"{one}\n# {two}"),
        (f" |{remark}\n    {one}\n\n    {two}\n", f"{one}\n\n{two}\n"),
        (f" |+{remark}\n  {one}\n\n\n", f"{one}\n\n\n"),
        (f" >-{remark}\n  {one}\n  {two}\n\n  {one}", f"{one} {two}\n{one}"),
        (f"{remark}\n{dash}v{one}\n\n  # about\n{dash}'{two}' # why", [f"v{one}", two]),
        (f"{remark}\n{dash}v{one}:\n{' ' * len(dash)}  v{two}", [{f"v{one}": f"v{two}"}]),
        (f"{remark}\n  a: v{one} # who\n\n  b:\n  - '{two}'", {"a": f"v{one}", "b": [two]}),
    ]
    if draw(st.booleans()):
        text, value = draw(st.sampled_from(in_line))
        return Written(f"{key}:{gap}{text}{remark}\n", value)
    text, value = draw(st.sampled_from(in_block))
    return Written(f"{key}:{text.removesuffix(chr(10))}\n", value)


class Page(NamedTuple):
    """A whole file, cut after each key, so that each line has a known owner."""

    top: str
    keys: dict[str, Written]
    rests: list[str]  # comments and blank lines, and last the closing fence with the body

    def parts(self, key: str) -> tuple[str, str, str]:
        number = list(self.keys).index(key)
        pieces = [w.lines + rest for w, rest in zip(self.keys.values(), self.rests, strict=True)]
        own = self.keys[key].lines
        after = pieces[number][len(own) :] + "".join(pieces[number + 1 :])
        return self.top + "".join(pieces[:number]), own, after

    def text(self) -> str:
        return "".join(self.parts(next(iter(self.keys))))


@st.composite
def pages(draw: st.DrawFn) -> Page:
    keys = {key: draw(written(key)) for key in draw(st.lists(names, min_size=1, max_size=5, unique=True))}
    rests = [draw(rest_below(entry)) for entry in keys.values()]
    rests[-1] += "---\n" + draw(st.sampled_from(["", "body", "\nbody\n\n---\nstatus: x\n---\n"]))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    mark, top = (
        draw(st.sampled_from(["", "\ufeff"])),
        draw(st.sampled_from(["---\n", "---yaml\n", "--- \n# top\n\n"])),
    )
    return Page(
        mark + top.replace("\n", end),
        {key: Written(entry.lines.replace("\n", end), entry.value) for key, entry in keys.items()},
        [rest.replace("\n", end) for rest in rests],
    )


def rest_below(entry: Written) -> st.SearchStrategy[str]:
    """Comments and blank lines; below a block only those that do not belong to it."""
    if "|+" in entry.lines:
        return st.sampled_from(["", "# remark\n", "#\n\n"])
    indented = "\n# remark\n" if ": |" in entry.lines or ": >" in entry.lines else "\n  # remark\n\n"
    return st.sampled_from(["", "", "\n", "# remark\n", indented])


@patiently
@given(pages())
def test_a_header_is_read_as_it_is_written(page: Page) -> None:
    header = Header.of(page.text())

    assert header.problem is None
    assert header.values() == {key: entry.value for key, entry in page.keys.items()}
    assert header.text() == page.text()


@patiently
@given(pages(), values, st.data())
def test_setting_a_key_changes_its_own_lines_only(page: Page, value: Any, data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(sorted(page.keys)))
    before, _, after = page.parts(key)
    header = Header.of(page.text())

    header.set(key, value)

    again = Header.of(header.text())
    assert again.problem is None
    assert again.values() == {**{k: entry.value for k, entry in page.keys.items()}, key: value}
    assert header.text().startswith(before)
    assert header.text().endswith(after)


@patiently
@given(pages(), st.data())
def test_setting_what_is_there_changes_nothing(page: Page, data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(sorted(page.keys)))
    assume(page.keys[key].value is not None)
    header = Header.of(page.text())

    header.set(key, page.keys[key].value)

    assert header.text() == page.text()


@patiently
@given(pages(), st.data())
def test_removing_a_key_takes_its_own_lines_only(page: Page, data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(sorted(page.keys)))
    before, _, after = page.parts(key)
    header = Header.of(page.text())

    header.remove(key)

    assert header.text().startswith(before)
    left = header.text().removeprefix(before)
    assert after == left or after.removesuffix(left).replace("# remark", "").isspace()


@patiently
@given(pages(), st.text(string.digits, min_size=1, max_size=3), values)
def test_a_new_key_is_added_and_nothing_else_moves(page: Page, digits: str, value: Any) -> None:
    text, key = page.text(), f"new{digits}"
    header = Header.of(text, order=[*page.keys, key])

    header.set(key, value)

    before, own, after = page.parts(list(page.keys)[-1])
    assert header.values()[key] == value
    assert header.text().startswith(before + own)
    assert header.text().endswith(after)


@patiently
@given(st.dictionaries(names, values, min_size=1, max_size=4), values, st.data())
def test_setting_back_restores_every_byte(filed: dict[str, Any], value: Any, data: st.DataObject) -> None:
    text = compose(filed, (), "body")
    key = data.draw(st.sampled_from(sorted(filed)))
    header = Header.of(text)

    header.set(key, value)
    header = Header.of(header.text())
    header.set(key, filed[key])

    assert header.text() == text


@patiently
@given(st.sampled_from(["'", '"']), words)
def test_unnecessary_quotes_are_kept(mark: str, word: str) -> None:
    text = f"---\nkey: {mark}first{mark}  # why\n---\n"
    header = Header.of(text)

    header.set("key", f"v{word}")
    assert header.text() == text.replace("first", f"v{word}")
    header.set("key", "first")

    assert header.text() == text


@patiently
@given(texts, texts)
def test_strings_stay_strings(key: str, text: str) -> None:
    header = Header.of("body")

    header.set("plain", text)
    header.set("list", [text, "x"])
    header.set("mapping", {"": {"x": [text]}, key: text})

    again = Header.of(header.text())
    assert again.values() == {"plain": text, "list": [text, "x"], "mapping": {"": {"x": [text]}, key: text}}
    assert again.body == "body"


@patiently
@given(st.dictionaries(texts, values, max_size=5), texts, st.lists(texts, max_size=3))
def test_what_is_composed_is_read_back(filed: dict[str, Any], body: str, order: list[str]) -> None:
    header = Header.of(compose(filed, order, body))

    assert header.problem is None
    assert header.values() == filed
    assert list(header.values()) == [k for k in dict.fromkeys(order) if k in filed] + [
        k for k in filed if k not in order
    ]
    assert header.body == body + ("" if not body or body.endswith("\n") else "\n")


@patiently
@given(st.one_of(texts, st.text("ab:-#'\"[]{}&*!|> \n\r\t?<=%\ufeff", max_size=60)), values)
def test_no_text_makes_reading_fail_or_is_lost_in_writing(text: str, value: Any) -> None:
    fenced = f"---\n{text}\n---\nbody"
    for file in (text, fenced):
        header = Header.of(file)
        assert header.text() == file
        known, body = header.values(), header.body
        assert header.problem is None or header.problem.endswith(".")
        try:
            header.set("key", value)
        except Unreadable:
            assert header.text() == file
        else:
            again = Header.of(header.text())
            assert again.values() == {**known, "key": value}
            assert again.body == body


@patiently
@given(
    st.lists(st.sampled_from(["-", "---", "a", " ", "\n", "\r\n", "\ufeff", "<<<<<<< "]), max_size=20).map(
        "".join
    ),
    st.sampled_from(["", "body", "---\nkey: 1\n---\nbody", "---\n---"]),
)
def test_a_body_is_never_taken_for_a_header(body: str, text: str) -> None:
    header = Header.of(text)
    known = header.values()

    header.set_body(body)

    again = Header.of(header.text())
    assert again.values() == known
    assert again.problem is None
    assert again.body.replace("\r\n", "\n").removesuffix("\n") == body.replace("\r\n", "\n").removesuffix(
        "\n"
    )


@pytest.mark.parametrize("levels", [300, 100_000])
@pytest.mark.parametrize("start", ["[", "{a: ", "- ", "? ", "a: {"])
def test_deep_nesting_is_a_problem_and_no_crash(start: str, levels: int) -> None:
    header = Header.of(f"---\nid: one\ndeep: {start * levels}\n---\nbody")

    assert header.problem is not None
    assert header.values()["id"] == "one"
