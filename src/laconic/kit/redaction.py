"""Redaction: what an error or the log must not show, such as secrets and the places of this machine."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, get_args, get_type_hints
from urllib.parse import quote

from laconic.text.halves import without_halves
from laconic.text.secrets import Folders, hide_folders, hide_home, hide_secrets

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = [
    "LogRedaction",
    "Redactor",
    "distinct",
    "fields_with",
    "is_secret",
    "learn_secrets",
    "redacted_data",
    "redacted_log",
    "secret_count",
    "secret_fields",
    "secrets_in",
    "strings_in",
    "texts_in",
    "without_secrets",
]

_SHORTEST: Final = 6  # hiding every `a` would hide the log
_BEHIND: Final = ("__origin__", "__value__", "__supertype__", "__bound__")  # where a type has another
_WITH_FIELDS: Final = ("__dataclass_fields__", "__required_keys__", "_fields")
_known: list[str] = []  # of this process, which has one log; the longest first


def learn_secrets(secrets: Iterable[str]) -> None:
    """Hide these secrets from now on, wherever this process writes errors or a log."""
    forms = {form for secret in secrets for form in (secret, quote(secret, safe=""), _escaped(secret))}
    new = [form for form in forms if len(form) >= _SHORTEST and form not in _known]
    if new:
        _known[:] = sorted([*_known, *new], key=len, reverse=True)


def secret_count() -> int:
    """Return a number that grows with every secret learned, for whoever keeps redacted words."""
    return len(_known)


def _escaped(secret: str) -> str:
    return secret.replace("\\", "\\\\").replace('"', '\\"')


def secrets_in(value: Any) -> list[str]:
    """Return the secrets inside a value, in a fixed order: everything that hides its value when printed."""
    if hasattr(value, "get_secret_value"):
        return texts_in(value.get_secret_value())
    if isinstance(value, set | frozenset):
        return sorted(secret for inner in value for secret in secrets_in(inner))
    if isinstance(value, Mapping):
        value = [value[name] for name in sorted(value, key=str)]
    if isinstance(value, list | tuple):
        return [secret for inner in value for secret in secrets_in(inner)]
    kind = type(value)
    fields: Iterable[str] = getattr(kind, "model_fields", getattr(kind, "__dataclass_fields__", ()))
    return [secret for name in fields for secret in secrets_in(getattr(value, name, None))]


def secret_fields(model: type[BaseModel]) -> list[str]:
    """Return the fields of a model whose type is, or contains, a secret."""
    return fields_with(model, is_secret)


def is_secret(part: Any) -> bool:
    """True if a part of an annotation is a type that hides its values."""
    return hasattr(part, "get_secret_value")


def fields_with(model: type[BaseModel], has: Callable[[Any], bool]) -> list[str]:
    """Return the fields of a model whose annotation has a type or a mark with a property, however deep."""
    return [name for name, field in _fields_of(model) if any(has(part) for part in _parts(field))]


def _parts(field: Iterable[Any]) -> Iterator[Any]:
    """Yield the types and marks that a field is made of, and those of the fields of these types."""
    waiting = list(field)
    seen: dict[int, Any] = {}  # by identity: marks need not be hashable
    while waiting:
        part = waiting.pop()
        if id(part) not in seen:
            seen[id(part)] = part
            yield part
            waiting += [*get_args(part), *(getattr(part, name, None) for name in _BEHIND)]
            waiting += [inner for _, field in _fields_of(part) for inner in field]


def _fields_of(kind: Any) -> list[tuple[str, list[Any]]]:
    """Return the fields of a model, dataclass, TypedDict or NamedTuple, each with its type and marks."""
    if not isinstance(kind, type):
        return []
    if hasattr(kind, "model_fields"):
        kind.model_rebuild(raise_errors=False)  # type: ignore[attr-defined]  # names defined after it
        return [(name, [one.annotation, *one.metadata]) for name, one in kind.model_fields.items()]
    if not any(hasattr(kind, name) for name in _WITH_FIELDS):
        return []
    try:
        return [(name, [hint]) for name, hint in get_type_hints(kind, include_extras=True).items()]
    except NameError:  # a class inside a function: what nobody can look up counts as a secret
        from pydantic import SecretStr

        return [("", [SecretStr])]


def texts_in(value: Any) -> list[str]:
    """Return every value inside as text."""
    if isinstance(value, Mapping | list | tuple | set | frozenset):
        return [text for inner in _inside(value) for text in texts_in(inner)]
    if isinstance(value, bytes):
        return [value.decode(errors="replace")]
    return [] if value is None else [str(value)]


def strings_in(value: Any) -> list[str]:
    """Return every string inside JSON data, however deep, names of members included."""
    found: list[str] = []
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, Mapping):
            waiting += [*one, *one.values()]
        elif isinstance(one, list):
            waiting += one
    return found


def _inside(value: Mapping[Any, Any] | Collection[Any]) -> Iterable[Any]:
    return value.values() if isinstance(value, Mapping) else value


def without_secrets(text: str) -> str:
    """Return words for the person who runs the server, such as the log: without secrets, but with paths."""
    return hide_secrets(text, _known)


class LogRedaction(logging.Filter):
    """Takes secrets out of what is logged, before any handler sees it."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Redact the words, the stack trace and the facts of a line; the exception itself is dropped."""
        record.msg, record.args = without_secrets(_message(record)), None
        if record.exc_info and not record.exc_text:
            record.exc_text = _TRACES.formatException(record.exc_info)
        record.exc_info = None  # a handler could write it in its own way
        record.exc_text = record.exc_text and without_secrets(record.exc_text)
        record.stack_info = record.stack_info and without_secrets(record.stack_info)
        facts = getattr(record, "facts", None)
        if facts is not None:
            record.__dict__["facts"] = _cleaned(facts)
        return True


_TRACES: Final = logging.Formatter()
_LOG: Final = LogRedaction()


def redacted_log(name: str) -> logging.Logger:
    """Return a logger of ours; a filter works for the one logger that has it, so each needs its own."""
    log = logging.getLogger(name)
    log.addFilter(_LOG)
    return log


def _message(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except Exception:  # a line whose arguments do not fit must not fail the call that logs it
        return f"{record.msg} {record.args}"


def _cleaned(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {without_secrets(str(key)): _cleaned(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_cleaned(inner) for inner in value]
    return value if isinstance(value, int | float | None) else without_secrets(str(value))


class Redactor:
    """Hides secrets, and shows paths in a workspace relative to it."""

    def __init__(self, workspaces: Iterable[str] = ()) -> None:
        self._workspaces = tuple(workspaces)

    @cached_property
    def _for_model(self) -> Folders:
        own = {sys.prefix: "…", _present(): "…", _home(): "~", os.environ.get("TMPDIR", ""): "$TMPDIR"}
        return Folders(own | dict.fromkeys(self._workspaces, "the workspace"), self._workspaces)

    @cached_property
    def _roots(self) -> frozenset[str]:
        try:
            return frozenset(one.name for one in Path("/").iterdir())
        except OSError:  # not ours to read
            return frozenset()

    def for_model(self, text: str, sent: Sequence[str] = (), *, safe: bool = False) -> str:
        """Return words for a model; of words that are safe or that it sent, only known secrets are hidden."""

        def spared(part: str) -> bool:
            return safe or any(part in words for words in sent)

        text = self._for_model.hide(hide_secrets(without_halves(text), _known, spared), spared)
        return hide_folders(hide_home(text, spared), spared, self._roots)

    def data_for_model(self, value: Any, sent: Sequence[str] = (), *, safe: bool = False) -> Any:
        """Return data for a model as plain JSON, with every text inside redacted."""
        return redacted_data(value, lambda text: self.for_model(text, sent, safe=safe))


def redacted_data(value: Any, redact: Callable[[str], str]) -> Any:
    """Return data as plain JSON, with every text inside redacted."""
    if isinstance(value, Mapping):
        return distinct((redact(str(key)), redacted_data(inner, redact)) for key, inner in value.items())
    if isinstance(value, list | tuple | set | frozenset):
        return [redacted_data(inner, redact) for inner in value]
    is_plain = value is None or isinstance(value, int) or (isinstance(value, float) and isfinite(value))
    return value if is_plain else redact(str(value))


def distinct(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Return values by redacted names; of names that became alike, each but the first gets a number."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        free, number = name, 1
        while free in found:
            number += 1
            free = f"{name} ({number})"
        found[free] = value
    return found


def _home() -> str:
    try:
        return str(Path.home())
    except RuntimeError:  # a process without a user
        return ""


def _present() -> str:
    try:
        return str(Path.cwd())
    except OSError:  # it was deleted
        return ""
