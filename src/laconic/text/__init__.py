"""Pure functions on text, without any I/O: formats, excerpts, edits, diffs, names and token estimates.

What only long answers need is looked up on first use, so a server that just starts does not pay for it.
"""

from laconic.lazily import lazily as _lazily

_HOMES = {
    "editing.comparing.differences": ("Difference",),
    "editing.diffs": ("Diff", "DiffHunk", "unified_diff"),
    "excerpts.expressions": ("BadExpression",),
    "excerpts.finding": ("Occurrence", "count_hits", "search"),
    "excerpts.literal": ("LiteralHit", "find_literal"),
    "excerpts.outlines": ("outline",),
    "excerpts.parts": ("beginning", "pieces"),
    "excerpts.slices": ("NoItems", "Slice", "by_characters", "by_items", "by_lines", "by_section"),
    "formats.json_scan": ("Scan",),
    "formats.kinds": ("Kind", "kind_of"),
    "formats.blocks": ("HeadingMark",),
    "formats.markdown": ("Heading", "NoSection", "chosen_heading", "headings", "headings_of", "section"),
    "graphemes": ("boundary",),
    "editing.likeness": ("NearLines", "nearest_lines"),
    "lines": ("line_spans",),
    "names": ("case_of", "did_you_mean", "folder_name", "nearest", "synonyms_of", "to_camel"),
    "editing.places": ("MatchPlaces", "Place"),
    "editing.ranges": ("LineNumbers", "LineRange", "NoLines", "line_range"),
    "editing.replacing": (
        "EmptyOld",
        "NoMatch",
        "NotReplaced",
        "Overlap",
        "Replaced",
        "Replacement",
        "SeveralMatches",
        "replace_each",
        "replace_once",
    ),
    "tags": ("tagged",),
    "tokens": ("estimate_tokens",),
}

# from the table above; scripts/docs writes __init__.pyi from it for type checkers
__all__ = sorted(name for names in _HOMES.values() for name in names)

__getattr__ = _lazily("laconic.text", _HOMES)
