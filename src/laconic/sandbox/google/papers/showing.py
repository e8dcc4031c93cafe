"""Showing: a document as the API describes it."""

from __future__ import annotations

from collections.abc import Sequence

from laconic.sandbox.google.papers.places import end_of
from laconic.sandbox.google.papers.runs import Row, run_size

__all__ = ["shown_content", "shown_tab", "tab_properties"]


def _span(start: int, end: int) -> Row:
    return {"startIndex": start, "endIndex": end} if start else {"endIndex": end}


def _marks(thing: Row) -> Row:
    found: Row = {}
    if "inserted" in thing:
        found["suggestedInsertionIds"] = thing["inserted"]
    if "deleted" in thing:
        found["suggestedDeletionIds"] = thing["deleted"]
    return found


def shown_content(blocks: Sequence[Row], base: int = 0) -> list[Row]:
    """Return blocks as structural elements."""
    found, place = [], base
    for block in blocks:
        end = place + block["size"]
        one = {"startIndex": place, "endIndex": end} if place else {"endIndex": end}
        if "runs" in block:
            one["paragraph"] = _paragraph(block, place)
        elif "rows" in block:
            one["table"] = _table(block, place)
        else:
            one["sectionBreak"] = {"sectionStyle": block["section"], **_marks(block)}
        found.append(one)
        place = end
    return found


def _paragraph(block: Row, place: int) -> Row:
    elements = []
    for run in block["runs"]:
        end = place + run_size(run)
        elements.append({**_span(place, end), **_run(run)})
        place = end
    found: Row = {"elements": elements, "paragraphStyle": block["style"]}
    if "bullet" in block:
        found["bullet"] = block["bullet"]
    if block.get("positioned"):
        found["positionedObjectIds"] = block["positioned"]
    if "restyled" in block:
        found["suggestedParagraphStyleChanges"] = {
            id: {"paragraphStyle": one["style"], "paragraphStyleSuggestionState": _state(one["fields"])}
            for id, one in block["restyled"].items()
        }
    if "rebulleted" in block:
        found["suggestedBulletChanges"] = {
            id: {"bullet": bullet or {}, "bulletSuggestionState": {"listIdSuggested": True}}
            for id, bullet in block["rebulleted"].items()
        }
    return found


def _run(run: Row) -> Row:
    more = _marks(run)
    if "restyled" in run:
        more["suggestedTextStyleChanges"] = {
            id: {"textStyle": one["style"], "textStyleSuggestionState": _state(one["fields"])}
            for id, one in run["restyled"].items()
        }
    if "text" in run:
        return {"textRun": {"content": run["text"], "textStyle": run["style"], **more}}
    [(kind, value)] = run["element"].items()
    return {kind: {**value, "textStyle": run["style"], **more}}


def _state(fields: Sequence[str]) -> Row:
    found: Row = {f"{name}Suggested": True for name in fields if name != "shading"}
    return (
        {**found, "shadingSuggestionState": {"backgroundColorSuggested": True}}
        if "shading" in fields
        else found
    )


def _table(block: Row, start: int) -> Row:
    rows, place = [], start + 1
    for row in block["rows"]:
        cells, row_start = [], place
        place += 1
        for cell in row["cells"]:
            end = place + 1 + end_of(cell["blocks"])
            content = shown_content(cell["blocks"], place + 1)
            style = {"rowSpan": 1, "columnSpan": 1, "contentAlignment": "TOP", **cell["style"]}
            cells.append({**_span(place, end), "content": content, "tableCellStyle": style, **_marks(cell)})
            place = end
        style = {"minRowHeight": {"unit": "PT"}, **row["style"]}
        rows.append({**_span(row_start, place), "tableCells": cells, "tableRowStyle": style, **_marks(row)})
    widths = {"tableColumnProperties": block["columns"]}
    sizes = {"rows": len(rows), "columns": len(block["columns"])}
    return {**sizes, "tableRows": rows, "tableStyle": widths, **_marks(block)}


_SEGMENTS = {"header": ("headers", "headerId"), "footer": ("footers", "footerId")}
_SEGMENTS["footnote"] = ("footnotes", "footnoteId")


def shown_tab(tab: Row, *, with_comments: bool = False) -> Row:
    """Return the content of a tab."""
    styles = [{"namedStyleType": name, **style} for name, style in tab["styles"].items()]
    found: Row = {
        "body": {"content": shown_content(tab["segments"][""]["blocks"])},
        "documentStyle": tab["style"],
        "namedStyles": {"styles": styles},
    }
    for id, segment in tab["segments"].items():
        if id:
            group, name = _SEGMENTS[segment["kind"]]
            found.setdefault(group, {})[id] = {name: id, "content": shown_content(segment["blocks"])}
    if tab["lists"]:
        found["lists"] = {
            id: {"listProperties": {"nestingLevels": one["levels"]}} for id, one in tab["lists"].items()
        }
    for one in tab["names"]:
        ranges = [_range(stored, tab["id"]) for stored in one["ranges"]]
        named = {"namedRangeId": one["id"], "name": one["name"], "ranges": ranges}
        group = found.setdefault("namedRanges", {}).setdefault(one["name"], {"name": one["name"]})
        group.setdefault("namedRanges", []).append(named)
    for name, key in (("inlineObjects", "objects"), ("positionedObjects", "positioned")):
        if tab[key]:
            found[name] = tab[key]
    if with_comments:
        found["commentAnchors"] = {
            id: {"anchorId": id, "ranges": [_range(stored, tab["id"]) for stored in one["ranges"]]}
            for id, one in tab["anchors"].items()
        }
    if tab["dropdowns"]:
        found["dropdownDefinitions"] = tab["dropdowns"]
    return found


def _range(stored: list[str | int], tab: str) -> Row:
    segment, start, end = stored
    found: Row = {"endIndex": end, "tabId": tab}
    if start:
        found["startIndex"] = start
    if segment:
        found["segmentId"] = segment
    return found


def tab_properties(tabs: Sequence[Row], tab: Row) -> Row:
    """Return what a tab is called, and where it is."""
    siblings = [one["id"] for one in tabs if one["parent"] == tab["parent"]]
    found: Row = {"tabId": tab["id"], "title": tab["title"], "index": siblings.index(tab["id"])}
    parents = {one["id"]: one["parent"] for one in tabs}
    level, above = 0, tab["parent"]
    while above:
        level, above = level + 1, parents[above]
    if level:
        found |= {"nestingLevel": level, "parentTabId": tab["parent"]}
    return {**found, "iconEmoji": tab["icon"]} if tab["icon"] else found
