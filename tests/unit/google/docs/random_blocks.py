"""Random blocks and markdown, with signs of markdown, pairs of units and odd white space in them."""

from hypothesis import strategies as st

from laconic.servers.google.docs.reading.blocks import (
    BOX,
    BREAK,
    BULLET,
    NUMBER,
    Block,
    Span,
    merged,
    stripped,
)

SIGNS = "*_`~[]()<>!&#|\\-+=:;.,1\"'/ \u00a0\u2003{}^$@"
LETTERS = "abcXYZ019äß€\U0001f600\U0001d49c\u0301漢"
TEXTS = st.one_of(
    st.text(LETTERS + " ", min_size=1, max_size=12),
    st.text(SIGNS + LETTERS + BREAK + "\t", min_size=1, max_size=10),
    st.sampled_from(
        [
            "&amp;",
            "&#32;",
            "1. x",
            "- y",
            "> z",
            "# h",
            "---",
            "===",
            "~~~",
            "[^1]",
            "[^1]: n",
            "**",
            "__",
            "![a](b)",
            "<b>",
            "</strong>",
        ]
    ),
    st.sampled_from(["| a |", "|---|", "<!-- c -->", "http://x.y/z", "[ ] t", "\\", "\\\\", "a*b"]),
)
LINKS = st.one_of(
    st.just(""),
    st.sampled_from(
        ["https://a.example/b?c=d&e=f", "#heading=h.1", "mailto:x@y.z", "https://x.y/a (b)", "a\\b"]
    ),
)
FLAGS = st.tuples(TEXTS, *[st.booleans()] * 4, LINKS)
STYLED = FLAGS.map(lambda given: Span(*given))
PLAIN = TEXTS.map(Span)
IMAGES = st.sampled_from(["https://x.y/i.png", "https://x.y/a_(1).png"]).map(lambda url: Span("", image=url))
SIMPLE = st.one_of(PLAIN, STYLED)
NOTES = (
    st.lists(SIMPLE, min_size=1, max_size=3)
    .map(lambda spans: Span("", note=stripped(spans)))
    .filter(lambda span: bool(span.note))
)
INLINE = st.lists(st.one_of(PLAIN, STYLED, STYLED, IMAGES, NOTES), min_size=1, max_size=5)


def _is_filled(spans: tuple[Span, ...]) -> bool:
    return any(span.text.strip() or not span.is_text for span in spans)


SPANS = INLINE.map(merged).filter(_is_filled)
CELLS = st.one_of(st.just(()), INLINE.map(stripped))
CODE = st.text("ab `~\n\t*<&é\U0001f600", max_size=20).map(lambda text: text.strip("\n"))


@st.composite
def tables(draw: st.DrawFn) -> Block:
    columns = draw(st.integers(1, 3))
    row = st.lists(CELLS, min_size=columns, max_size=columns).map(tuple)
    rows = draw(st.lists(row, min_size=1, max_size=3))
    aligned = draw(st.lists(st.sampled_from(["", "center", "right"]), min_size=columns, max_size=columns))
    return Block("table", rows=tuple(rows), aligned=tuple(aligned))


MARKS = st.sampled_from([BULLET, NUMBER, BULLET, NUMBER, BOX])
ONE = st.one_of(
    SPANS.map(lambda spans: Block("paragraph", spans)),
    SPANS.map(lambda spans: Block("quote", spans)),
    st.tuples(SPANS, st.integers(1, 6)).map(lambda given: Block("heading", *given)),
    st.tuples(CODE.filter(bool), st.sampled_from(["", "py"])).map(
        lambda given: Block("code", (Span(given[0]),), mark=given[1])
    ),
    st.tuples(SPANS.map(stripped), st.integers(0, 3), MARKS).map(lambda given: Block("item", *given)),
    st.just(Block("rule")),
    tables(),
)


def _levelled(blocks: list[Block]) -> list[Block]:
    """A list item is at most one level below the one before it."""
    found: list[Block] = []
    for block in blocks:
        if block.kind == "item":
            above = found[-1].level + 1 if found and found[-1].kind == "item" else 0
            block = block._replace(level=min(block.level, above))
        found.append(block)
    return found


BLOCKS = st.lists(ONE, min_size=1, max_size=8).map(_levelled)
