# Written by scripts/docs from _HOMES in __init__.py.

from laconic.text.editing.comparing.differences import Difference as Difference
from laconic.text.editing.diffs import Diff as Diff
from laconic.text.editing.diffs import DiffHunk as DiffHunk
from laconic.text.editing.diffs import unified_diff as unified_diff
from laconic.text.editing.likeness import NearLines as NearLines
from laconic.text.editing.likeness import nearest_lines as nearest_lines
from laconic.text.editing.places import MatchPlaces as MatchPlaces
from laconic.text.editing.places import Place as Place
from laconic.text.editing.ranges import LineNumbers as LineNumbers
from laconic.text.editing.ranges import LineRange as LineRange
from laconic.text.editing.ranges import NoLines as NoLines
from laconic.text.editing.ranges import line_range as line_range
from laconic.text.editing.replacing import EmptyOld as EmptyOld
from laconic.text.editing.replacing import NoMatch as NoMatch
from laconic.text.editing.replacing import NotReplaced as NotReplaced
from laconic.text.editing.replacing import Overlap as Overlap
from laconic.text.editing.replacing import Replaced as Replaced
from laconic.text.editing.replacing import Replacement as Replacement
from laconic.text.editing.replacing import SeveralMatches as SeveralMatches
from laconic.text.editing.replacing import replace_each as replace_each
from laconic.text.editing.replacing import replace_once as replace_once
from laconic.text.excerpts.expressions import BadExpression as BadExpression
from laconic.text.excerpts.finding import Occurrence as Occurrence
from laconic.text.excerpts.finding import count_hits as count_hits
from laconic.text.excerpts.finding import search as search
from laconic.text.excerpts.literal import LiteralHit as LiteralHit
from laconic.text.excerpts.literal import find_literal as find_literal
from laconic.text.excerpts.outlines import outline as outline
from laconic.text.excerpts.parts import beginning as beginning
from laconic.text.excerpts.parts import pieces as pieces
from laconic.text.excerpts.slices import NoItems as NoItems
from laconic.text.excerpts.slices import Slice as Slice
from laconic.text.excerpts.slices import by_characters as by_characters
from laconic.text.excerpts.slices import by_items as by_items
from laconic.text.excerpts.slices import by_lines as by_lines
from laconic.text.excerpts.slices import by_section as by_section
from laconic.text.formats.blocks import HeadingMark as HeadingMark
from laconic.text.formats.json_scan import Scan as Scan
from laconic.text.formats.kinds import Kind as Kind
from laconic.text.formats.kinds import kind_of as kind_of
from laconic.text.formats.markdown import Heading as Heading
from laconic.text.formats.markdown import NoSection as NoSection
from laconic.text.formats.markdown import chosen_heading as chosen_heading
from laconic.text.formats.markdown import headings as headings
from laconic.text.formats.markdown import headings_of as headings_of
from laconic.text.formats.markdown import section as section
from laconic.text.graphemes import boundary as boundary
from laconic.text.lines import line_spans as line_spans
from laconic.text.names import case_of as case_of
from laconic.text.names import did_you_mean as did_you_mean
from laconic.text.names import folder_name as folder_name
from laconic.text.names import nearest as nearest
from laconic.text.names import synonyms_of as synonyms_of
from laconic.text.names import to_camel as to_camel
from laconic.text.tags import tagged as tagged
from laconic.text.tokens import estimate_tokens as estimate_tokens

__all__ = [
    "BadExpression",
    "Diff",
    "DiffHunk",
    "Difference",
    "EmptyOld",
    "Heading",
    "HeadingMark",
    "Kind",
    "LineNumbers",
    "LineRange",
    "LiteralHit",
    "MatchPlaces",
    "NearLines",
    "NoItems",
    "NoLines",
    "NoMatch",
    "NoSection",
    "NotReplaced",
    "Occurrence",
    "Overlap",
    "Place",
    "Replaced",
    "Replacement",
    "Scan",
    "SeveralMatches",
    "Slice",
    "beginning",
    "boundary",
    "by_characters",
    "by_items",
    "by_lines",
    "by_section",
    "case_of",
    "chosen_heading",
    "count_hits",
    "did_you_mean",
    "estimate_tokens",
    "find_literal",
    "folder_name",
    "headings",
    "headings_of",
    "kind_of",
    "line_range",
    "line_spans",
    "nearest",
    "nearest_lines",
    "outline",
    "pieces",
    "replace_each",
    "replace_once",
    "search",
    "section",
    "synonyms_of",
    "tagged",
    "to_camel",
    "unified_diff",
]
