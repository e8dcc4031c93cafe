"""What was read of a document, a file or a spreadsheet: what it is, or all of it."""

from typing import Any, Final, Self

from pydantic import ConfigDict, PrivateAttr

from laconic.kit import Record
from laconic.text import tagged, to_camel

ALL_OF_IT: Final = "It is small: content is all of it."  # the hint of a summary that has everything


class TextRead(Record, noun="document", bodies=("content",)):
    """A text: what it is and how to read it, or its content."""

    model_config = ConfigDict(alias_generator=to_camel)

    title: str | None = None
    document_id: str
    character_count: int | None = None
    section_count: int | None = None
    resource_uri: str | None = None
    hint: str | None = None
    content: str | None = None
    _words: str = PrivateAttr("")  # what the text says besides the content

    def saying(self, words: str) -> Self:
        """Return it with what its text says; words of others must not begin a line in it."""
        self._words = words
        return self

    def write_text(self, format: str | None) -> str | None:
        """Return what it is in words, or its content between tags."""
        content = [] if self.content is None else [tagged("content", self.content)]
        return "\n".join([*([self._words] if self._words else []), *content])


class ValuesRead(TextRead, noun="spreadsheet"):
    """The values of ranges as the API has them, or what they are."""

    value_ranges: list[dict[str, Any]] | None = None


class SpreadsheetRead(TextRead, noun="spreadsheet"):
    """A spreadsheet's properties, perhaps with its cells, or what it is."""

    properties: dict[str, Any] | None = None
    sheets: list[dict[str, Any]] | None = None
    named_ranges: list[dict[str, Any]] | None = None
    spreadsheet_url: str | None = None
