"""Exporting: a document as plain text, Markdown or HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from laconic.sandbox.google.papers.blocks import plain
from laconic.sandbox.google.papers.runs import Row
from laconic.sandbox.google.papers.suggesting import decided

__all__ = ["exported_document"]

_SPECIAL: Final = re.compile(r"([\\`*_\[\]~])|^(#{1,6} |[+-] |\d+[.)] )")
_NUMBERED: Final = ("DECIMAL", "ZERO_DECIMAL", "UPPER_ALPHA", "ALPHA", "UPPER_ROMAN", "ROMAN")


def exported_document(doc: Row, media: str) -> str:
    """Return a document in another type, tab after tab, as if nothing were suggested."""
    tabs = [decided(tab, is_accepted=False) for tab in doc["tabs"]]
    if media == "text/markdown":
        return "\n".join(map(_markdown, tabs))
    if media == "text/html":
        return f"<html><body>{''.join(map(_html, tabs))}</body></html>"
    return "\n".join("".join(plain(tab["segments"][""]["blocks"])) for tab in tabs)


def is_numbered(tab: Row, block: Row) -> bool:
    """Whether the list of a paragraph counts at its level."""
    bullet = block["bullet"]
    level = tab["lists"][bullet["listId"]]["levels"][bullet.get("nestingLevel", 0)]
    return level.get("glyphType") in _NUMBERED


def _markdown(tab: Row) -> str:
    parts = list(_parts(tab, tab["segments"][""]["blocks"][1:]))
    notes = [(id, one) for id, one in tab["segments"].items() if one["kind"] == "footnote"]
    for number, (_, note) in enumerate(notes, 1):
        parts.append((f"[^{number}]: {''.join(_inline(tab, note['blocks'][0])).strip()}", ""))
    return _joined(parts)


def _joined(parts: Sequence[tuple[str, str]]) -> str:
    found, last = [], None
    for text, group in parts:
        if last is not None:
            found.append("\n" if group and group == last else "\n\n")
        found.append(text)
        last = group
    return "".join(found) + "\n"


def _parts(tab: Row, blocks: Sequence[Row]) -> Iterator[tuple[str, str]]:
    """Yield blocks, each with the list that it belongs to."""
    for block in blocks:
        if "rows" in block:
            yield "\n".join(_rows(tab, block)), ""
        elif "runs" in block:
            text = "".join(_inline(tab, block))
            if "bullet" in block:
                level = block["bullet"].get("nestingLevel", 0)
                sign = "1." if is_numbered(tab, block) else "*"
                yield f"{'    ' * level}{sign} {text}", block["bullet"]["listId"]
            elif text:
                name = block["style"].get("namedStyleType", "")
                level = int(name[-1]) if name.startswith("HEADING_") else 1 if name == "TITLE" else 0
                yield f"{'#' * level} {text}" if level else text, ""


def _rows(tab: Row, block: Row) -> Iterator[str]:
    for number, row in enumerate(block["rows"]):
        cells = [
            "<br>".join("".join(_inline(tab, one)) for one in cell["blocks"] if "runs" in one)
            for cell in row["cells"]
        ]
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
        if number == 0:
            yield f"|{' :---- |' * len(cells)}"


def _inline(tab: Row, block: Row) -> Iterator[str]:
    for place, run in enumerate(block["runs"]):
        if "text" not in run:
            yield _element(tab, run)
            continue
        text = run["text"].removesuffix("\n")
        style, core = run["style"], text.strip()
        if not core:
            yield text
            continue
        shown = f"`{core}`" if _is_code(style) else _escaped(core, is_first=place == 0)
        for name, sign in (("strikethrough", "~~"), ("italic", "*"), ("bold", "**")):
            if style.get(name):
                shown = f"{sign}{shown}{sign}"
        if "url" in style.get("link", {}):
            shown = f"[{shown}]({style['link']['url']})"
        at = text.index(core)
        yield text[:at] + shown + text[at + len(core) :]


def _is_code(style: Row) -> bool:
    return "Mono" in style.get("weightedFontFamily", {}).get("fontFamily", "")


def _escaped(text: str, *, is_first: bool) -> str:
    def sign(match: re.Match[str]) -> str:
        return f"\\{match[0]}" if match[1] or is_first else match[0]

    return _SPECIAL.sub(sign, text)


def _element(tab: Row, run: Row) -> str:
    [(kind, value)] = run["element"].items()
    if kind == "inlineObjectElement":
        embedded = tab["objects"][value["inlineObjectId"]]["inlineObjectProperties"]["embeddedObject"]
        return f"![{embedded.get('description', '')}]({embedded['imageProperties']['sourceUri']})"
    if kind == "footnoteReference":
        return f"[^{value['footnoteNumber']}]"
    if kind == "horizontalRule":
        return "---"
    if kind == "richLink":
        link = value["richLinkProperties"]
        return f"[{link.get('title', link['uri'])}]({link['uri']})"
    if kind == "person":
        return str(value["personProperties"].get("name") or value["personProperties"]["email"])
    for one in (value.get("dateElementProperties"), value.get("dropdownProperties")):
        if one:
            return str(one.get("displayText") or one.get("displayValue", ""))
    return ""


def _html(tab: Row) -> str:
    found = []
    for block in tab["segments"][""]["blocks"]:
        if "rows" in block:
            rows = ["".join(f"<td>{_cell(tab, cell)}</td>" for cell in row["cells"]) for row in block["rows"]]
            found.append(f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>")
        elif "runs" in block:
            found.append(_html_paragraph(tab, block))
    return "".join(found)


def _cell(tab: Row, cell: Row) -> str:
    return "".join(_html_paragraph(tab, one) for one in cell["blocks"] if "runs" in one)


def _html_paragraph(tab: Row, block: Row) -> str:
    text = "".join(map(_html_run, block["runs"]))
    if "bullet" in block:
        kind = "ol" if is_numbered(tab, block) else "ul"
        return f"<{kind}><li>{text}</li></{kind}>"
    name = block["style"].get("namedStyleType", "")
    tag = f"h{name[-1]}" if name.startswith("HEADING_") else "p"
    return f"<{tag}>{text}</{tag}>"


def _html_run(run: Row) -> str:
    text = escape(run.get("text", "").removesuffix("\n"))
    for name, tag in (("bold", "b"), ("italic", "i"), ("strikethrough", "s")):
        if run["style"].get(name) and text:
            text = f"<{tag}>{text}</{tag}>"
    address = run["style"].get("link", {}).get("url")
    return f'<a href="{escape(address)}">{text}</a>' if address and text else text
