"""Documents of Google: tokens and calls of common tasks, and markdown of a million characters both ways."""

from __future__ import annotations

import json
import time
import tracemalloc
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any, Final

import httpx2

from benchmarks.practice import call
from benchmarks.report import Table
from laconic.kit import Endpoint, Settings
from laconic.kit.testing import count_tokens
from laconic.sandbox.google.papers.converting.importing import import_document
from laconic.sandbox.google.papers.converting.markdown import from_markdown
from laconic.sandbox.google.papers.showing import shown_tab
from laconic.servers.google.docs.markdown.parsing import parse_markdown, parser
from laconic.servers.google.docs.markdown.whole import view_of
from laconic.servers.google.docs.reading.document import Segment, parse
from laconic.servers.google.docs.writing.layout import insertion
from laconic.servers.google.tools import google

__all__ = ["document_tables"]

_PAGES: Final = 200
_PARAGRAPH: Final = (
    "The harbour office keeps the **list of berths** for pier {n}, and answers _questions_ by e-mail. "
    "Whoever wants to stay longer than a night asks [the office](https://office.example/{n}) first, pays the "
    "fee, and gets a key for gate {n}."
)
_PART: Final = (
    f"## Pier {{n}}\n\n{_PARAGRAPH}\n\n{_PARAGRAPH}\n\n- Key of gate {{n}}\n  - and a spare\n- Map\n\n"
)
_PARTS_PER_PAGE: Final = 3  # about 2,700 characters


def document_tables(asked: Callable[[httpx2.AsyncClient], Any], quick: bool) -> Iterator[Any]:
    """Yield what measures documents; `asked` returns the token of a client."""
    yield _tasks(asked)
    yield _both_ways(20_000 if quick else 1_000_000, 1 if quick else 5)


def _text(parts: int) -> str:
    return "# Harbour\n\n" + "".join(_PART.format(n=n) for n in range(1, parts + 1)).rstrip()


async def _tasks(asked: Callable[[httpx2.AsyncClient], Any]) -> Table:
    endpoint = Endpoint([google], settings=Settings(sandbox=True))
    practice = endpoint.supplies.home("google").sandbox
    row = next(one for one in practice.state.rows("files").values() if one["name"] == "Harbour handbook")
    import_document(practice.state, row, _text(_PARTS_PER_PAGE * _PAGES), "text/markdown")
    document = {"documentId": row["id"]}
    ten = [
        {"find": f"gate {n}.", "nth": 1, "replace": f"gate {n}, in the office."} for n in range(10, 110, 10)
    ]
    third = [{"find": "list of berths", "nth": 3, "comment": "Is this list up to date?"}]
    steps: dict[str, tuple[str, dict[str, Any]]] = {
        "read one section": ("docs_getDocument", {**document, "section": "Pier 321"}),
        "find a phrase": ("docs_find", {**document, "text": "gate 77."}),
        "change ten places": ("docs_edit", {**document, "edits": ten}),
        "comment on the third place of a phrase": ("docs_edit", {**document, "edits": third}),
        "replace a section": (
            "docs_writeMarkdown",
            {**document, "section": "Pier 50", "markdown": "Closed."},
        ),
    }
    transport = httpx2.ASGITransport(app=practice)
    async with httpx2.AsyncClient(transport=transport, base_url="https://google.sandbox/") as client:
        head = {"authorization": await asked(client)}
        reply = await client.get(f"v1/documents/{row['id']}", headers=head)
    raw = count_tokens(json.dumps(reply.json(), separators=(",", ":")))
    rows = []
    for what, (tool, given) in steps.items():
        practice.seen.clear()
        text = await call(endpoint, tool, **given)
        mine = count_tokens(json.dumps(given)) + count_tokens(text)
        sent = len([one for one in practice.seen if one.path != "token"])
        rows.append([what, "1", str(sent), f"{raw:,}", f"{mine:,}", f"{100 * mine / raw:.2f} %"])
    await endpoint.close()
    caption = (
        f"A document of {_PAGES} pages: calls, HTTP requests, and tokens, arguments included. Whoever counts "
        "indices must have read all of it as compact JSON first; as markdown, which other servers return as "
        f"a whole, it is {count_tokens(_text(_PARTS_PER_PAGE * _PAGES)):,}."
    )
    return Table(caption, ["task", "calls", "requests", "raw tokens", "tokens", "of it"], rows)


async def _both_ways(characters: int, rounds: int) -> Table:
    text = _text(1 + characters // len(_PART.format(n=1000)))
    answer = _document(text)
    body = Segment("t.0", "body", "", [{"endIndex": 1}, {"startIndex": 1, "endIndex": 2, "paragraph": {}}])
    assert view_of(parse(answer)).text == text, "the round trip changed something"
    found: dict[str, list[float]] = {}
    for _ in range(rounds):
        for what, work in {
            "the markdown parser alone": lambda: parser().parse(text),
            "markdown to requests": lambda: insertion(body, 1, parse_markdown(text)),
            "a document to markdown": lambda: view_of(parse(answer)),
        }.items():
            found.setdefault(what, []).append(_seconds(work))
    tracemalloc.start()
    insertion(body, 1, parse_markdown(text))
    view_of(parse(answer))
    most = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    base = median(found["the markdown parser alone"])
    rows = [[what, f"{median(times) / base:.2f}", f"{median(times):.2f}"] for what, times in found.items()]
    both = sum(median(times) for times in list(found.values())[1:])
    rows.append(["both ways", f"{both / base:.2f}", f"{both:.2f}"])
    caption = (
        f"Markdown of {len(text):,} characters to a document and back, which changes nothing: processor time "
        f"beside the parser's; at most {most:,.0f} MB besides the text and the document."
    )
    return Table(caption, ["", "vs the parser", "s"], rows)


def _document(text: str) -> dict[str, Any]:
    """Return a document as documents.get answers it, as the practice instance imports markdown."""

    tab = {"tabProperties": {"tabId": "t.0", "title": "Tab 1"}, "documentTab": shown_tab(from_markdown(text))}
    return {"documentId": "d", "title": "D", "revisionId": "1", "tabs": [tab]}


def _seconds(work: Callable[[], Any]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began
