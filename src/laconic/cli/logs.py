"""The log on stderr: readable on a terminal, JSON lines elsewhere, without secrets."""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from laconic.cli.configuration.options import ServerOptions

__all__ = ["is_human", "redactor", "set_up"]

_HIDDEN: Final = "[hidden]"
_HEADERS: Final = re.compile(
    r"""(?ix) ( \b(?:proxy-)?authorization ["']? \s* [:=] \s* ["']? (?:\w+\s+)? | \bbearer\s+ ) [^\s"',;]+"""
)
_PASSWORDS: Final = re.compile(r"(://[^\s/:@]*:)[^\s/@]+(?=@)")
_SHORTEST: Final = 6  # hiding every `a` would hide the log

Redact = Callable[[str], str]


def set_up(options: ServerOptions) -> None:
    """Send the log to stderr; a later call replaces the configuration."""
    handler = logging.StreamHandler(sys.stderr)
    redact = redactor(_secrets(options))
    handler.setFormatter(_Human(redact) if is_human(options) else _Json(redact))
    logging.root.handlers[:] = [handler]
    logging.root.setLevel(logging.WARNING)
    for name in ("laconic", "uvicorn.error"):
        logging.getLogger(name).setLevel(logging.INFO if options.verbose else logging.NOTSET)


def is_human(options: ServerOptions) -> bool:
    """True if the log is for people, false if it is JSON."""
    return options.log == "human" or (options.log == "auto" and sys.stderr.isatty())


def _secrets(options: ServerOptions) -> list[str]:
    plain = [token for token in options.tokens.values() if not token.startswith("sha256:")]
    return [*options.secret, *plain, *(one for one in (options.token, options.jwt_key) if one)]


def redactor(secrets: Iterable[str]) -> Redact:
    """Return a function that hides these secrets, authorization headers and passwords in addresses."""
    known: Sequence[str] = sorted((one for one in secrets if len(one) >= _SHORTEST), key=len, reverse=True)

    def redact(words: str) -> str:
        for secret in known:
            words = words.replace(secret, _HIDDEN)
        return _PASSWORDS.sub(rf"\1{_HIDDEN}", _HEADERS.sub(rf"\1{_HIDDEN}", words))

    return redact


class _Human(logging.Formatter):
    """12:03:55 issues_list success 3.2 ms ~120 tokens 1a2b3c4d."""

    def __init__(self, redact: Redact) -> None:
        super().__init__("%(asctime)s %(message)s", "%H:%M:%S")
        self._redact = redact

    def format(self, record: logging.LogRecord) -> str:
        """Return one line, and the traceback below it if there is one."""
        return self._redact(super().format(record))

    def formatMessage(self, record: logging.LogRecord) -> str:
        """Return the line, with the level of a warning or an error."""
        level = f"{record.levelname.lower()}: " if record.levelno >= logging.WARNING else ""
        return f"{record.asctime} {level}{record.message}"


class _Json(logging.Formatter):
    """One JSON object per line; the facts of a call have their own keys."""

    def __init__(self, redact: Redact) -> None:
        super().__init__()
        self._redact = redact

    def format(self, record: logging.LogRecord) -> str:
        """Return one line."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "pid": record.process,  # workers share one stderr
        }
        facts = getattr(record, "facts", None)
        line |= facts if isinstance(facts, dict) else {"message": record.getMessage()}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        clean = {key: self._redact(value) if isinstance(value, str) else value for key, value in line.items()}
        return json.dumps(clean, ensure_ascii=False, default=str)
