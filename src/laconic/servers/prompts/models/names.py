"""Names of prompts: lower-case words joined by hyphens, perhaps a version or a label; names of arguments."""

from __future__ import annotations

import re
from typing import Annotated, Final

from pydantic import AfterValidator

__all__ = ["VARIABLE", "Address", "Name", "at_most", "is_address", "is_name", "is_variable"]

_NAME: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_VARIABLE: Final = re.compile(r"[a-z][a-z0-9_]*")
_LONGEST: Final = 100  # characters of a name, also of an argument
VARIABLE: Final = f"a lower-case letter, then such letters, digits and _, at most {_LONGEST} characters"


def _named(name: str) -> str:
    """Return a name, checked here: a pattern in the schema would cost tokens and explain nothing."""
    name = name.strip()
    if not _NAME.fullmatch(name):
        raise ValueError("Expected: lower-case words joined by hyphens, such as code-review")
    if len(name) > _LONGEST:
        raise ValueError(f"Expected: at most {_LONGEST} characters")
    return name


def _addressed(address: str) -> str:
    name, at, version = address.strip().partition("@")
    return f"{_named(name)}@{_named(version)}" if at else _named(name)


def at_most(characters: int) -> AfterValidator:
    """Return a check of a text's length, which like that of a name costs no tokens in the schema."""

    def checked(text: str) -> str:
        if len(text) > characters:
            raise ValueError(f"Expected: at most {characters:,} characters, not {len(text):,}")
        return text

    return AfterValidator(checked)


Name = Annotated[str, AfterValidator(_named)]
Address = Annotated[str, AfterValidator(_addressed)]
"""A name, or a name with a version or a label: `code-review@3`."""


def is_address(text: str) -> bool:
    """True if a text can be the name of a prompt, perhaps with a version or a label."""
    try:
        return _addressed(text) == text
    except ValueError:
        return False


def is_name(text: str) -> bool:
    """True if a text can be the name of a prompt."""
    return "@" not in text and is_address(text)


def is_variable(text: str) -> bool:
    """True if a text can be the name of an argument."""
    return _VARIABLE.fullmatch(text) is not None and len(text) <= _LONGEST
