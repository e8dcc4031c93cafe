"""Rendering: a template with its values becomes a text, or one of a few faults."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from types import TracebackType
from typing import Any, Final

from jinja2 import Template, TemplateNotFound, TemplateSyntaxError, UndefinedError
from jinja2.exceptions import SecurityError

from laconic.servers.prompts.templates.environment import NotGiven, RestrictedEnvironment, TooMuch, printable
from laconic.servers.prompts.templates.limits import TemplateFault

__all__ = ["render"]

_ADDRESS: Final = re.compile(r" at 0x[0-9a-f]+")  # where an object is in memory
_HALF: Final = "The text would have half of a surrogate pair, which is no character."
_AT_ONCE: Final = 64  # parts of a text between two looks at its length


def render(
    environment: RestrictedEnvironment,
    template: Template,
    values: Mapping[str, Any],
    missing: list[str],
    most: int,
) -> str:
    """Render a template; arguments that are missing are empty.

    Raises:
        TemplateFault: it cannot be rendered with these values.
    """
    context = {**values, **{name: NotGiven.of(name) for name in missing}}
    parts: list[str] = []
    length = 0
    try:
        found: Iterator[Any] = template.generate(context)  # texts, and what a filter makes of a block
        while some := [*islice(found, _AT_ONCE)]:
            parts.append(_joined(some))
            length += len(parts[-1])
            if length > most:
                raise TooMuch(f"the text would have more than {most:,} characters")
    except MemoryError:
        raise
    except Exception as error:  # a template can raise anything
        raise _fault(error) from None
    return _whole("".join(parts))


def _whole(text: str) -> str:
    """Return a text of characters only: a template may write two halves of one, as `'\\ud83d\\ude00'`.

    Raises:
        TemplateFault: it has a half without the other, which no answer can hold.
    """
    try:
        return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        raise TemplateFault("failed", _HALF) from None


def _joined(parts: list[Any]) -> str:
    try:
        return "".join(parts)  # almost always they are texts, and nobody has to look at each
    except TypeError:
        return "".join(map(_text, parts))


def _text(part: Any) -> str:
    return part if isinstance(part, str) else str(printable(part))


def _fault(error: Exception) -> TemplateFault:
    prompt, line = _place(error.__traceback__)
    said = _ADDRESS.sub("", " ".join(str(error).split()))[:200].rstrip(".")
    match error:
        case TooMuch():
            return TemplateFault("too large", f"{said[:1].upper()}{said[1:]}.", line, prompt)
        case SecurityError():  # what was tried is not repeated
            return TemplateFault("failed", "It uses something that templates may not use.", line, prompt)
        case OSError() | ImportError():  # their words have paths of this machine
            return TemplateFault("failed", "It needs something that templates do not have.", line, prompt)
        case UndefinedError():
            return TemplateFault("failed", f"{said}.", line, prompt)
        case TemplateNotFound():
            return TemplateFault("failed", f"There is no prompt {said} to include.", line, prompt)
        case TemplateSyntaxError():
            return TemplateFault("failed", f"{said}.", error.lineno, prompt)
        case RecursionError():
            return TemplateFault("too large", "It calls itself too often.", line, prompt)
    return TemplateFault("failed", f"{type(error).__name__}: {said}.", line, prompt)


def _place(trace: TracebackType | None) -> tuple[str, int | None]:
    """Return the innermost place in a template, and the name of the prompt if it is an included one."""
    file, line = "", None
    while trace is not None:
        if "__jinja_exception__" in trace.tb_frame.f_globals:
            file, line = trace.tb_frame.f_code.co_filename, trace.tb_lineno
        trace = trace.tb_next
    return "" if file.startswith("<") else file, line
