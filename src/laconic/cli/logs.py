"""The log on stderr: readable on a terminal, JSON lines elsewhere, without secrets."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from laconic.kit.redaction import LogRedaction, learn_secrets

if TYPE_CHECKING:
    from laconic.cli.configuration.options import ServerOptions

__all__ = ["is_human", "set_up"]


def set_up(options: ServerOptions) -> None:
    """Send the log to stderr; a later call replaces the configuration."""
    handler = logging.StreamHandler(sys.stderr)
    learn_secrets(_secrets(options))
    handler.addFilter(LogRedaction())  # also for the lines of others
    handler.setFormatter(_Human() if is_human(options) else _Json())
    logging.root.handlers[:] = [handler]
    logging.root.setLevel(logging.WARNING)
    for name in ("laconic", "uvicorn.error"):
        logging.getLogger(name).setLevel(logging.INFO if options.verbose else logging.NOTSET)


def is_human(options: ServerOptions) -> bool:
    """True if the log is for people, false if it is JSON."""
    return options.log == "human" or (options.log == "auto" and sys.stderr.isatty())


def _secrets(options: ServerOptions) -> list[str]:
    plain = [token for token in options.tokens.values() if not token.startswith("sha256:")]
    single = [one for one in (options.token, options.jwt_key) if one]
    return [*options.secret, *plain, *single, *_passwords(options.database), *_passwords(options.state)]


def _passwords(address: str | None) -> list[str]:
    """Return the password inside an address, as it is written and as it is meant."""
    try:
        password = urlsplit(address or "").password
    except ValueError:  # no address; whoever opens it says so
        return []
    return [password, unquote(password)] if password else []


class _Human(logging.Formatter):
    """12:03:55 issues_list success 3.2 ms ~120 tokens 1a2b3c4d."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(message)s", "%H:%M:%S")

    def formatMessage(self, record: logging.LogRecord) -> str:
        """Return the line, with the level of a warning or an error."""
        level = f"{record.levelname.lower()}: " if record.levelno >= logging.WARNING else ""
        return f"{record.asctime} {level}{record.message}"


class _Json(logging.Formatter):
    """One JSON object per line; the facts of a call have their own keys."""

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
        if record.exc_text:
            line["exception"] = record.exc_text
        if record.stack_info:
            line["stack"] = record.stack_info
        return json.dumps(line, ensure_ascii=False)
