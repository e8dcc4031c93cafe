"""Pages: one prompt as a markdown file, and back; the template is below the header to the byte."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from laconic.kit import BadArguments
from laconic.servers.prompts.models import Argument, Prompt
from laconic.stores import Header

__all__ = ["PromptPage", "on_one_line", "page_of", "read_page", "write_page"]

_FENCE: Final = re.compile(r"---(\r?\n)(?:(.*?)\r?\n)?---\r?\n", re.DOTALL)
_OPENING: Final = re.compile(r"---\r?(\n|$)")
_MARK: Final = "\ufeff"  # some editors put it before every text
_BREAKING: Final = re.compile("[\x7f-\x9f\u2028\u2029\ufeff]")
_KEYS: Final = ("title", "description", "tags", "arguments")
_ARGUMENTS: Final = TypeAdapter(list[Argument])


@dataclass(frozen=True)
class PromptPage:
    """What a file says about a prompt."""

    content: str
    title: str | None = None
    description: str | None = None
    tags: tuple[str, ...] = ()
    arguments: tuple[Argument, ...] | None = None  # None: from the template

    def is_same(self, other: PromptPage) -> bool:
        """True if saving one in the place of the other would change nothing."""
        mine, theirs = (
            (page.content, page.title, page.description, sorted(page.tags)) for page in (self, other)
        )
        return mine == theirs and (self.arguments is None or _kept(self) == _kept(other))


def _kept(page: PromptPage) -> list[dict[str, object]]:
    return [argument.kept() for argument in page.arguments or ()]


def page_of(prompt: Prompt) -> PromptPage:
    """Return a prompt as a file has it."""
    return PromptPage(
        prompt.content or "",
        prompt.title,
        prompt.description,
        tuple(prompt.tags),
        tuple(prompt.arguments),
    )


def write_page(page: PromptPage) -> str:
    """Return the file of a prompt: each value on one line, which is YAML and JSON alike."""
    lines = [
        f"{key}: {on_one_line(value)}" for key in ("title", "description") if (value := getattr(page, key))
    ]
    if page.tags:
        lines.append(f"tags: [{', '.join(page.tags)}]")
    lines += ["arguments:" if page.arguments else "arguments: []"]
    lines += [f"  - {on_one_line(argument.kept())}" for argument in page.arguments or ()]
    return "\n".join(["---", *lines, "---", ""]) + page.content


def read_page(text: str, name: str) -> PromptPage:
    """Read the file of a prompt; one without a header is a template alone.

    We write headers with plain line breaks: if they are others, git or an editor changed all of the file, and
    the template gets plain ones again.

    Raises:
        BadArguments: the header is not what a prompt has.
    """
    text = text.removeprefix(_MARK)
    fence = _FENCE.match(text)
    if fence is None:
        if _OPENING.match(text):
            raise BadArguments("The header has no end: a line of three hyphens.", field="header")
        return PromptPage(text)
    values = _values(fence[2] or "", name)
    content = text[fence.end() :]
    return PromptPage(
        content.replace("\r\n", "\n") if fence[1] == "\r\n" else content,
        _text(values.get("title"), "title"),
        _text(values.get("description"), "description"),
        tuple(_tags(values.get("tags"))),
        _arguments(values.get("arguments")) if "arguments" in values else None,
    )


def _values(header: str, name: str) -> dict[str, Any]:
    read = Header.of(f"---\n{header}\n---\n")
    values = dict(read.values())
    if read.problem or read.is_broken:
        raise BadArguments(f"The header cannot be read: {read.problem}", field="header")
    if values.pop("name", name) != name:
        raise BadArguments("The header has another name than the file.", field="name", given=name)
    if unknown := [key for key in values if key not in _KEYS]:
        said = f"The header has a key {unknown[0]}, which is none of {', '.join(_KEYS)}."
        raise BadArguments(said, field=unknown[0], allowed=_KEYS)
    return values


def on_one_line(value: Any) -> str:
    """Return a value as JSON on one line, which YAML reads alike: nothing that it takes for a line break."""
    text = json.dumps(value, ensure_ascii=False)  # noqa: TID251  # for a file, not for an answer
    return _BREAKING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _text(value: Any, key: str) -> str | None:
    if value is None or isinstance(value, str):
        return value or None
    if isinstance(value, int):
        return str(value)
    raise BadArguments(f"Invalid {key}. Expected: a text.", field=key)


def _tags(value: Any) -> list[str]:
    if value is None:
        return []
    if isinstance(value, str):
        return [tag.strip() for tag in value.split(",")]
    if isinstance(value, list):
        return [str(tag) for tag in value]
    raise BadArguments("Invalid tags. Expected: a list.", field="tags")


def _arguments(value: Any) -> tuple[Argument, ...]:
    try:
        return tuple(_ARGUMENTS.validate_python(value or []))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(["arguments", *map(str, first["loc"])])
        raise BadArguments(f"Invalid {place}: {first['msg']}.", field="arguments") from None
