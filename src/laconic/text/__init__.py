"""Pure functions on text: what can be said of a text without any I/O.

What only long answers need is looked up on first use, so that a server that just starts does not pay for it.
"""

from typing import TYPE_CHECKING

from laconic.lazily import lazily as _lazily
from laconic.text.names import case_of, did_you_mean, folder_name, nearest, synonyms_of, to_camel
from laconic.text.tokens import estimate_tokens

if TYPE_CHECKING:
    from laconic.text.expressions import BadExpression
    from laconic.text.finding import Occurrence, count_hits, search
    from laconic.text.graphemes import boundary
    from laconic.text.json_scan import Scan
    from laconic.text.kinds import Kind, kind_of
    from laconic.text.lines import line_spans
    from laconic.text.markdown import Heading, NoSection, headings, section
    from laconic.text.outlines import outline
    from laconic.text.parts import beginning, pieces
    from laconic.text.slices import NoItems, Slice, by_characters, by_items, by_lines, by_section

_HOMES = {
    "expressions": ("BadExpression",),
    "finding": ("Occurrence", "count_hits", "search"),
    "graphemes": ("boundary",),
    "json_scan": ("Scan",),
    "kinds": ("Kind", "kind_of"),
    "lines": ("line_spans",),
    "markdown": ("Heading", "NoSection", "headings", "section"),
    "outlines": ("outline",),
    "parts": ("beginning", "pieces"),
    "slices": ("NoItems", "Slice", "by_characters", "by_items", "by_lines", "by_section"),
}

__all__ = [
    "BadExpression",
    "Heading",
    "Kind",
    "NoItems",
    "NoSection",
    "Occurrence",
    "Scan",
    "Slice",
    "beginning",
    "boundary",
    "by_characters",
    "by_items",
    "by_lines",
    "by_section",
    "case_of",
    "count_hits",
    "did_you_mean",
    "estimate_tokens",
    "folder_name",
    "headings",
    "kind_of",
    "line_spans",
    "nearest",
    "outline",
    "pieces",
    "search",
    "section",
    "synonyms_of",
    "to_camel",
]

__getattr__ = _lazily("laconic.text", _HOMES)
