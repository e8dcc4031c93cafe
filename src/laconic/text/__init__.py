"""Pure functions on text, without any I/O: formats, excerpts, names and token estimates.

What only long answers need is looked up on first use, so a server that just starts does not pay for it.
"""

from typing import TYPE_CHECKING

from laconic.lazily import lazily as _lazily
from laconic.text.names import case_of, did_you_mean, folder_name, nearest, synonyms_of, to_camel
from laconic.text.tokens import estimate_tokens

if TYPE_CHECKING:
    from laconic.text.excerpts.expressions import BadExpression
    from laconic.text.excerpts.finding import Occurrence, count_hits, search
    from laconic.text.excerpts.outlines import outline
    from laconic.text.excerpts.parts import beginning, pieces
    from laconic.text.excerpts.slices import NoItems, Slice, by_characters, by_items, by_lines, by_section
    from laconic.text.formats.json_scan import Scan
    from laconic.text.formats.kinds import Kind, kind_of
    from laconic.text.formats.markdown import Heading, NoSection, headings, section
    from laconic.text.graphemes import boundary
    from laconic.text.lines import line_spans

_HOMES = {
    "excerpts.expressions": ("BadExpression",),
    "excerpts.finding": ("Occurrence", "count_hits", "search"),
    "excerpts.outlines": ("outline",),
    "excerpts.parts": ("beginning", "pieces"),
    "excerpts.slices": ("NoItems", "Slice", "by_characters", "by_items", "by_lines", "by_section"),
    "formats.json_scan": ("Scan",),
    "formats.kinds": ("Kind", "kind_of"),
    "formats.markdown": ("Heading", "NoSection", "headings", "section"),
    "graphemes": ("boundary",),
    "lines": ("line_spans",),
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
