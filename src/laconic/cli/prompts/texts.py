"""Texts that people give: from a file or from stdin, as they are."""

from __future__ import annotations

import sys
from pathlib import Path

from laconic.kit.errors import BadConfiguration

__all__ = ["given"]


def given(file: Path) -> str:
    """Return the text of a file, or of stdin for `-`; reading it as text would change line breaks.

    Raises:
        BadConfiguration: it cannot be read, or is no text.
    """
    is_stdin = str(file) == "-"
    name = "stdin" if is_stdin else str(file)
    try:
        content = sys.stdin.buffer.read() if is_stdin else file.read_bytes()
        return content.decode()
    except OSError as error:
        raise BadConfiguration(f"{name} cannot be read: {error.strerror}.", advice="") from None
    except UnicodeDecodeError:
        raise BadConfiguration(f"{name} is not UTF-8 text.", advice="") from None
