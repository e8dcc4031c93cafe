"""Redaction: what an error or the log must not show, such as secrets and the places of this machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, get_args
from urllib.parse import quote

from laconic.text.secrets import Folders, hide_folders, hide_home, hide_secrets

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = [
    "Redactor",
    "learn_secrets",
    "secret_fields",
    "secrets_in",
    "strings_in",
    "texts_in",
    "without_secrets",
]

_SHORTEST: Final = 6  # hiding every `a` would hide the log
_known: list[str] = []  # of this process, which has one log; the longest first


def learn_secrets(secrets: Iterable[str]) -> None:
    """Hide these secrets from now on, wherever this process writes errors or a log."""
    forms = {form for secret in secrets for form in (secret, quote(secret, safe=""), _escaped(secret))}
    new = [form for form in forms if len(form) >= _SHORTEST and form not in _known]
    if new:
        _known[:] = sorted([*_known, *new], key=len, reverse=True)


def _escaped(secret: str) -> str:
    return secret.replace("\\", "\\\\").replace('"', '\\"')


def secrets_in(value: Any) -> list[str]:
    """Return the secrets inside a model, list or mapping: everything that hides its value when printed."""
    if hasattr(value, "get_secret_value"):
        return texts_in(value.get_secret_value())
    if isinstance(value, Mapping | list | tuple | set | frozenset):
        return [secret for inner in _inside(value) for secret in secrets_in(inner)]
    fields = getattr(type(value), "model_fields", ())
    return [secret for name in fields for secret in secrets_in(getattr(value, name))]


def secret_fields(model: type[BaseModel]) -> list[str]:
    """Return the fields of a model whose type is, or contains, a secret."""
    return [name for name, field in model.model_fields.items() if _is_secret(field.annotation, (model,))]


def _is_secret(kind: Any, around: tuple[Any, ...]) -> bool:
    if hasattr(kind, "get_secret_value"):
        return True
    inner = [field.annotation for field in getattr(kind, "model_fields", {}).values()]
    return kind not in around and any(_is_secret(one, (*around, kind)) for one in [*get_args(kind), *inner])


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

        text = text.encode(errors="replace").decode()  # half a surrogate pair cannot be sent
        text = self._for_model.hide(hide_secrets(text, _known, spared), spared)
        return hide_folders(hide_home(text, spared), spared, self._roots)

    def data_for_model(self, value: Any, sent: Sequence[str] = (), *, safe: bool = False) -> Any:
        """Return data for a model as plain JSON, with every text inside redacted."""
        if isinstance(value, Mapping):
            pairs = ((str(key), inner) for key, inner in value.items())
            return {
                self.for_model(key, sent, safe=safe): self.data_for_model(inner, sent, safe=safe)
                for key, inner in pairs
            }
        if isinstance(value, list | tuple | set | frozenset):
            return [self.data_for_model(inner, sent, safe=safe) for inner in value]
        is_plain = value is None or isinstance(value, int | float)
        return value if is_plain else self.for_model(str(value), sent, safe=safe)


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
