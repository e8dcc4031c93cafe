"""What is known of Docs, fact by fact: a document, requests, and what is there then, or the refusal.

A fact that is not in Google's description, or that only others report, is `unverified`; the docs list these.
A document is shown as its blocks: an index and the text, `=` for a section break.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.unit.sandbox.docs.paper import Request, append, bullets, cell, delete, insert, span, style, table

SHIP = "\U0001f6a2"


@dataclass(frozen=True)
class Fact:
    """One fact; `begin` is inserted into an empty document first."""

    says: str
    begin: str = ""
    requests: list[Request] = field(default_factory=list)
    after: list[str] | None = None
    refused: str = ""
    unverified: bool = False


FACTS = [
    Fact(
        "The body begins with a section break that ends at 1; text begins at 1.", "ab", [], ["0 =", "1 ab\n"]
    ),
    Fact("Indices are UTF-16 code units.", f"a{SHIP}b", [insert(4, "c")], ["0 =", f"1 a{SHIP}cb\n"]),
    Fact(
        "An index at or beyond the end of its segment is refused with both.",
        "ab",
        [insert(4, "x")],
        refused="insertText: Index 4 must be less than the end index of the referenced segment, 4.",
    ),
    Fact(
        "A negative index is refused.", "ab", [insert(-1, "x")], refused="must be greater than or equal to 0"
    ),
    Fact(
        "Text goes into a paragraph only, not before the first.",
        "ab",
        [insert(0, "x")],
        refused="must be inside the bounds of an existing paragraph",
    ),
    Fact(
        "Text cannot be inserted where a table begins.",
        "ab",
        [table(3, 1, 1), insert(4, "x")],
        refused="must be inside the bounds of an existing paragraph",
    ),
    Fact(
        "The end of a segment is before its last newline.",
        "ab",
        [append("c\nd")],
        ["0 =", "1 abc\n", "5 d\n"],
    ),
    Fact("An empty text is refused.", "ab", [insert(1, "")], refused="must not be empty", unverified=True),
    Fact(
        "A newline makes a paragraph in the style and the list of the one that it parts.",
        "ab",
        [bullets(1, 2), insert(2, "\n")],
        ["0 =", "1 *a\n", "3 *b\n"],
    ),
    Fact(
        "Control characters and private letters are stripped; tabs and vertical tabs stay.",
        "",
        [insert(1, "a\x00b\x0cc\ue000d\te\x0bf\x1f")],
        ["0 =", "1 abcd\te\x0bf\n"],
    ),
    Fact(
        "Text that is inserted inside of a surrogate pair, or of any other grapheme, goes after it.",
        f"a{SHIP}bo\u0308u",
        [insert(6, "y"), insert(3, "x")],
        ["0 =", f"1 a{SHIP}xbo\u0308yu\n"],
        unverified=True,
    ),
    Fact("Half a surrogate pair cannot be deleted.", f"a{SHIP}b", [delete(2, 3)], refused="surrogate pair"),
    Fact(
        "A range cannot end inside of a surrogate pair.",
        f"a{SHIP}b",
        [delete(1, 3)],
        refused="surrogate pair",
    ),
    Fact(
        "The last newline of the body stays.",
        "ab",
        [delete(2, 4)],
        refused="Invalid deletion range. Cannot delete",
    ),
    Fact("An empty range is refused.", "ab", [delete(2, 2)], refused="The range should not be empty"),
    Fact(
        "A range beyond the end of its segment is refused with the end.",
        "ab",
        [delete(2, 9)],
        refused="must be less than the end index of the referenced segment, 4",
        unverified=True,
    ),
    Fact(
        "The first section break cannot be deleted.", "ab", [delete(0, 2)], refused="Invalid deletion range"
    ),
    Fact(
        "Deleting across paragraphs merges them, in the style of the first.",
        "ab\ncd",
        [bullets(1, 2), delete(2, 5)],
        ["0 =", "1 *ad\n"],
        unverified=True,
    ),
    Fact(
        "A paragraph that is deleted whole leaves the next one as it is.",
        "ab\ncd\nef",
        [bullets(4, 5), delete(1, 4)],
        ["0 =", "1 *cd\n", "4 ef\n"],
    ),
    Fact(
        "insertTable puts a newline at the index and the table after it; 2 x 2 empty cells take 12 units.",
        "abcd",
        [table(3, 2, 2)],
        ["0 =", "1 ab\n", "4 [['7 \\n', '9 \\n'], ['12 \\n', '14 \\n']]", "16 cd\n"],
        unverified=True,
    ),
    Fact(
        "The first text of row r and column c of a new table at I is at I + 4 + r(1 + 2C) + 2c.",
        "",
        [table(1, 2, 3), insert(1 + 4 + 1 * 7 + 2 * 2, "x")],
        ["0 =", "1 \n", "2 [['5 \\n', '7 \\n', '9 \\n'], ['12 \\n', '14 \\n', '16 x\\n']]", "19 \n"],
        unverified=True,
    ),
    Fact(
        "The empty paragraph after a table that ends the body cannot be deleted.",
        "",
        [table(1, 1, 1), delete(7, 8)],
        refused="Invalid deletion range",
    ),
    Fact(
        "A table is deleted as a whole.",
        "ab",
        [table(3, 1, 1), delete(4, 9)],
        ["0 =", "1 ab\n", "4 \n"],
    ),
    Fact(
        "A part of a table is not deleted.",
        "ab",
        [table(3, 1, 1), delete(4, 7)],
        refused="Invalid deletion range",
    ),
    Fact(
        "A range cannot begin before a table and end inside of it.",
        "ab",
        [table(3, 1, 1), delete(2, 8)],
        refused="Invalid deletion range",
    ),
    Fact(
        "The last newline of a cell stays.",
        "",
        [table(1, 1, 1), delete(5, 6)],
        refused="Invalid deletion range",
    ),
    Fact(
        "Text of a cell is deleted.",
        "",
        [table(1, 1, 1), insert(5, "xyz"), delete(5, 7)],
        ["0 =", "1 \n", "2 [['5 z\\n']]", "8 \n"],
    ),
    Fact(
        "A range over two cells cannot be deleted.",
        "",
        [table(1, 1, 2), insert(5, "x"), delete(5, 9)],
        refused="Invalid deletion range",
    ),
    Fact(
        "The newline before a table cannot be deleted without it.",
        "ab",
        [table(3, 1, 1), delete(3, 4)],
        refused="Invalid deletion range",
    ),
    Fact(
        "The newline before a table goes with the table.",
        "abcd",
        [table(3, 1, 1), delete(3, 9)],
        ["0 =", "1 abcd\n"],
    ),
    Fact(
        "The newline before a section break cannot be deleted without it.",
        "abcd",
        [{"insertSectionBreak": {"location": {"index": 3}, "sectionType": "NEXT_PAGE"}}, delete(3, 4)],
        refused="Invalid deletion range",
    ),
    Fact(
        "insertSectionBreak puts a newline before the break.",
        "abcd",
        [{"insertSectionBreak": {"location": {"index": 3}, "sectionType": "NEXT_PAGE"}}],
        ["0 =", "1 ab\n", "4 =", "5 cd\n"],
    ),
    Fact(
        "insertPageBreak puts a newline after the break.",
        "abcd",
        [{"insertPageBreak": {"location": {"index": 3}}}],
        ["0 =", "1 ab<pageBreak>\n", "5 cd\n"],
    ),
    Fact(
        "A page break cannot be inserted in a table.",
        "",
        [table(1, 1, 1), {"insertPageBreak": {"location": {"index": 5}}}],
        refused="cannot be inserted inside a table",
    ),
    Fact(
        "createParagraphBullets removes leading tabs, which are the level, and so moves what follows.",
        "a\n\tb\n\t\tc\nd",
        [bullets(1, 9), insert(6, "!")],
        ["0 =", "1 *a\n", "3 **b\n", "5 ***c!\n", "8 d\n"],
    ),
    Fact(
        "deleteParagraphBullets leaves text alone.",
        "a\nb",
        [bullets(1, 4), {"deleteParagraphBullets": {"range": span(1, 2)}}],
        ["0 =", "1 a\n", "3 *b\n"],
    ),
    Fact(
        "A mask without fields is refused.",
        "ab",
        [{"updateTextStyle": {"range": span(1, 2), "textStyle": {"bold": True}}}],
        refused="At least one field must be listed in 'fields'",
    ),
    Fact(
        "A mask with an unknown field is refused.",
        "ab",
        [style(1, 2, "colour", bold=True)],
        refused="Invalid field: colour",
    ),
    Fact(
        "createFootnote puts a reference of one unit.",
        "ab",
        [{"createFootnote": {"location": {"index": 2}}}],
        ["0 =", "1 a<footnoteReference>b\n"],
    ),
    Fact(
        "A second default header is refused.",
        "",
        [{"createHeader": {"type": "DEFAULT"}}, {"createHeader": {"type": "DEFAULT"}}],
        refused="already exists",
    ),
    Fact(
        "A person takes one unit.",
        "ab",
        [{"insertPerson": {"location": {"index": 2}, "personProperties": {"email": "bob@harbour.example"}}}],
        ["0 =", "1 a<person>b\n"],
    ),
    Fact(
        "A row is inserted below.",
        "",
        [table(1, 1, 2), {"insertTableRow": {"tableCellLocation": cell(2, 0, 0), "insertBelow": True}}],
        ["0 =", "1 \n", "2 [['5 \\n', '7 \\n'], ['10 \\n', '12 \\n']]", "14 \n"],
    ),
    Fact(
        "A column is inserted on the left.",
        "",
        [table(1, 1, 1), insert(5, "x"), {"insertTableColumn": {"tableCellLocation": cell(2, 0, 0)}}],
        ["0 =", "1 \n", "2 [['5 \\n', '7 x\\n']]", "10 \n"],
    ),
    Fact(
        "The table goes with its last row.",
        "ab",
        [table(3, 1, 2), {"deleteTableRow": {"tableCellLocation": cell(4, 0, 0)}}],
        ["0 =", "1 ab\n", "4 \n"],
    ),
    Fact(
        "Merged cells keep their places; their texts are in the first.",
        "",
        [
            table(1, 1, 2),
            insert(7, "b"),
            insert(5, "a"),
            {
                "mergeTableCells": {
                    "tableRange": {"tableCellLocation": cell(2, 0, 0), "rowSpan": 1, "columnSpan": 2}
                }
            },
        ],
        ["0 =", "1 \n", "2 [['5 a\\n7 b\\n', '10 \\n']]", "12 \n"],
        unverified=True,
    ),
    Fact(
        "A batch with an unknown tab is refused.",
        "",
        [insert(1, "x", tabId="t.no")],
        refused="was not found",
        unverified=True,
    ),
    Fact(
        "A batch with an unknown segment is refused.",
        "",
        [insert(1, "x", segmentId="kix.no")],
        refused="was not found",
        unverified=True,
    ),
    Fact(
        "An image needs a public address.",
        "",
        [{"insertInlineImage": {"location": {"index": 1}, "uri": "file:///etc/passwd"}}],
        refused="Invalid URI",
    ),
    Fact(
        "An address of an image has 2 kB at most.",
        "",
        [{"insertInlineImage": {"location": {"index": 1}, "uri": "https://x.example/" + "a" * 2048}}],
        refused="Invalid URI",
    ),
    Fact(
        "A name of a range has 1 to 256 units.",
        "ab",
        [{"createNamedRange": {"name": SHIP * 129, "range": span(1, 2)}}],
        refused="1 to 256",
    ),
    Fact(
        "Columns are at least 5 points wide.",
        "",
        [
            table(1, 1, 1),
            {
                "updateTableColumnProperties": {
                    "tableStartLocation": {"index": 2},
                    "tableColumnProperties": {"width": {"magnitude": 4, "unit": "PT"}},
                    "fields": "width",
                }
            },
        ],
        refused="at least 5 points",
    ),
]

ELSEWHERE = [  # unverified as well, and tested in the other files of this folder
    "The words of refusals, of which others report only a few.",
    "A file that is no document is refused with 400 and FAILED_PRECONDITION.",
    "A named range moves exactly with its text; text inserted at its start or its end is outside of it.",
    "A named range goes when all of its text went.",
    "A text style that covers a whole paragraph includes its newline.",
    "Text inserted at the end of a link is not part of the link.",
    "A comment that Drive creates is never anchored, whatever its anchor says.",
    "Comments of the document and of Drive are the same.",
    "Each request in the write mode SUGGEST makes one suggestion.",
    "Only requests that insert, delete or style content of a text can be made in the write mode SUGGEST.",
    "Somebody's own suggested text is deleted, not marked.",
    "Bullets that are suggested after their removal was suggested begin at the level of their tabs.",
    "A batch for one of the last 100 revisions goes around what others changed since.",
    "Tabs are nested three levels deep at most.",
    "A table has 20 columns at most.",
    "An image is not fetched: without a size it is 468 x 312 points.",
    "A rich link has its address as title.",
    "Exports to text have every tab, without a byte order mark.",
    "Exports leave suggestions out.",
]
