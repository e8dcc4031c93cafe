"""Suggested: content as it is without what somebody only suggests to insert."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

Element = Mapping[str, Any]


def is_suggested(element: Element) -> bool:
    """True for a part of a paragraph, a table, a row or a cell that is not there yet."""
    return any(isinstance(one, Mapping) and one.get("suggestedInsertionIds") for one in element.values())


def present(content: Iterable[Element]) -> Iterator[Element]:
    """Yield paragraphs and tables; a paragraph that a suggested newline would split is still one."""
    open: Element | None = None
    for element in content:
        if "table" in element and is_suggested(element):
            yield element  # before the paragraph that it would be in
            continue
        if open is not None:
            element = _joined(open, element) if "paragraph" in element else element
            open = None
        parts = element.get("paragraph", {}).get("elements", ())
        if parts and is_suggested(parts[-1]) and not all(map(is_suggested, parts)):
            open = element
        else:
            yield element
    if open is not None:
        yield open


def present_text(content: Iterable[Element]) -> str:
    """Return the text without what is only suggested."""
    return "".join(_texts(content))


def _texts(content: Iterable[Element]) -> Iterator[str]:
    for element in content:
        if "table" in element and is_suggested(element):
            continue
        for part in element.get("paragraph", {}).get("elements", ()):
            yield "" if is_suggested(part) else part.get("textRun", {}).get("content", "")
        for row in element.get("table", {}).get("tableRows", ()):
            for cell in row.get("tableCells", ()):
                yield from _texts(cell.get("content", ()))


def _joined(one: Element, other: Element) -> Element:
    elements = [*one["paragraph"]["elements"], *other["paragraph"].get("elements", ())]
    return {**one, "endIndex": other["endIndex"], "paragraph": {**one["paragraph"], "elements": elements}}
