"""Settings of an endpoint, and reading a toolset's section of the configuration."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from laconic.data import dataclass
from laconic.kit.errors import BadConfiguration
from laconic.kit.redaction import fields_with, is_secret, learn_secrets, secret_fields, secrets_in, texts_in
from laconic.text import did_you_mean, nearest

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

    from laconic.kit.pipeline import Output, Step

__all__ = [
    "InWorkspace",
    "Rates",
    "Settings",
    "UserOnly",
    "hide_secrets_of",
    "read_section",
    "section_of",
]

_COMMON: Final = ("workspace", "cache")  # passed to every toolset
_SECRET: Final = "is a secret, so it "
_OUTSIDE: Final = "leads out of the workspace, so it "
_PLACE: Final = "is for you alone to decide, so it "
_LISTS: Final = frozenset({"list_type", "set_type", "frozen_set_type", "tuple_type"})  # pydantic's words
_TABLES: Final = frozenset({"dict_type", "model_type", "dataclass_type", "named_tuple_type"})
Section = TypeVar("Section", bound="BaseModel")


class Rates(NamedTuple):
    """Calls per minute: all of them, those that change nothing, and those that may; and per day.

    None: no limit.
    """

    calls: int | None = None
    reads: int | None = None
    writes: int | None = None
    reads_a_day: int | None = None
    writes_a_day: int | None = None


@dataclass(frozen=True)
class Settings:
    """How an endpoint behaves, whichever toolsets it serves."""

    output: Output = "text"
    read_only: bool = False
    dotted_names: bool = False
    prefixes: Mapping[str, str] = field(default_factory=dict)
    deadline: float = 60.0
    rate: int | None = None  # calls per minute per caller
    read_rate: int | None = None  # of these, calls that change nothing
    write_rate: int | None = None  # … and those that may change something
    read_day: int | None = None  # calls per day per caller that change nothing
    write_day: int | None = None  # … and those that may change something
    concurrency: int = 32  # concurrent calls per caller
    attempts: int = 3  # for a read whose upstream is down
    image_bytes: int = 1_500_000  # the largest image in an answer: larger ones are scaled down
    block_bytes: int = 1_500_000  # the largest sound or document in an answer, and the largest resource
    answer_bytes: int = 6_000_000  # images, sounds and documents of an answer together
    repeats: float | None = None  # seconds in which an equal create needs confirmation
    long_list: bool = False  # list only pinned tools, and the tools that find and call all others
    pinned: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()  # tools that may be served, by names or patterns; empty: all
    deny: tuple[str, ...] = ()  # … and those that may not
    tools: Mapping[str, str] = field(default_factory=dict)  # the profile of each toolset that has profiles
    budget: int = 25_000  # characters of an answer before the rest is kept aside; 0: no limit
    kept_for: float = 30 * 60.0  # seconds for which kept answers can be read
    list_page: int = 200  # tools, prompts or resources per page of a list
    steps: Sequence[Step] = ()
    version: str | None = None  # the version it gives to clients; None: its toolset's
    metadata: bool = False  # repeat the data of an answer under `metadata`, as earlier servers did
    sections: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # configuration by toolset
    database: str = ""  # the address of the user's library; empty: a file in the user's data folder
    database_copies: int = 0  # daily copies of the library to keep, if it is a file
    sandbox: bool | Path = False  # work on practice data: in memory, or in a folder
    from_workspace: Mapping[str, Collection[str]] = field(default_factory=dict)  # keys that strangers may set

    @property
    def rates(self) -> Rates:
        """How many calls per minute a caller may make."""
        return Rates(self.rate, self.read_rate, self.write_rate, self.read_day, self.write_day)


@dataclass(frozen=True)
class UserOnly:
    """Marks a field of a toolset's settings that only the user may set, never a file in the workspace.

    Such as an address that gets the user's password: the workspace may be a repository of strangers.
    """


@dataclass(frozen=True)
class InWorkspace:
    """Marks a path in a toolset's settings: the workspace's file cannot lead it out of the workspace.

    The user may set it to any path.
    """


def section_of(name: str, model: type[BaseModel] | None, settings: Settings) -> Any:
    """Return the section of a toolset, as the model that the toolset declares for it if it declares one."""
    given, strange = settings.sections.get(name, {}), settings.from_workspace.get(name, ())
    if settings.sandbox:  # nothing that belongs to a real account
        hidden = given if model is None else fields_with(model, _is_users_own)
        given = {key: value for key, value in given.items() if key not in hidden or key in _COMMON}
    for key in _COMMON:
        if key in strange:
            raise _not_from_workspace(name, key)
    return given if model is None else read_section(name, given, model, strange)


def hide_secrets_of(sections: Mapping[str, Mapping[str, Any]], secret: Mapping[str, Iterable[str]]) -> None:
    """Hide the values of these keys from now on wherever this process writes errors or a log."""
    given = ((sections.get(name, {}), keys) for name, keys in secret.items())
    learn_secrets(texts_in([section.get(key) for section, keys in given for key in keys]))


def read_section(
    name: str, given: Mapping[str, Any], model: type[Section], from_workspace: Collection[str] = ()
) -> Section:
    """Read a toolset's section of the configuration as the model that the toolset declares for it.

    Its `SecretStr` fields are hidden from now on wherever this process writes errors or a log.

    Raises:
        BadConfiguration: an unknown key, with the nearest, a value that does not fit, or a key that the
            file of a workspace must not set.
    """
    from pydantic import ValidationError

    known = list(model.model_fields)
    for key in given:
        if key not in known and key not in _COMMON:
            hint = did_you_mean(
                nearest(key, known), quote="'", otherwise=f"Known keys: {', '.join(known) or 'none'}."
            )
            raise BadConfiguration(f"Unknown key '{key}' in [{name}].{hint}")
    secret = secret_fields(model)
    learn_secrets(texts_in([given.get(key) for key in secret]))
    for key in from_workspace:
        if key in fields_with(model, _is_users_own):
            raise _not_from_workspace(name, key, _SECRET if key in secret else _PLACE)
    try:
        section = _validated(name, given, model, from_workspace)
    except ValidationError as error:
        read = _read_texts(given, error)
        learn_secrets(texts_in([read.get(key) for key in secret]))
        try:
            section = _validated(name, {**given, **read}, model, from_workspace)
        except ValidationError as still:
            raise _unfit(name, still) from None
    learn_secrets(secrets_in(section))  # also those that are not in the file, such as a factory's default
    return section


def _validated(
    name: str, given: Mapping[str, Any], model: type[Section], from_workspace: Collection[str]
) -> Section:
    for key in fields_with(model, _is_path) if from_workspace else ():
        if key in from_workspace and not _is_inside(given.get("workspace"), texts_in(given[key])):
            raise _not_from_workspace(name, key, _OUTSIDE)
    return model.model_validate({key: value for key, value in given.items() if key in model.model_fields})


def _read_texts(given: Mapping[str, Any], error: ValidationError) -> dict[str, Any]:
    """Return values that a variable gave as text and that must be a list or a table: JSON, or `a,b`."""
    read: dict[str, Any] = {}
    for one in error.errors(include_url=False):
        key, kind = str(one["loc"][0]) if one["loc"] else "", one["type"]
        value = given.get(key)
        if not isinstance(value, str) or kind not in _LISTS | _TABLES:
            continue
        if value.lstrip().startswith(("[", "{")):
            with suppress(ValueError, RecursionError):
                read[key] = json.loads(value)
        elif kind in _LISTS:
            read[key] = [word.strip() for word in value.split(",") if word.strip()]
    return read


def _unfit(name: str, error: ValidationError) -> BadConfiguration:
    first = error.errors(include_url=False)[0]
    where = ".".join(str(step) for step in first["loc"])
    said = first["msg"].removeprefix("Value error, ").rstrip(".")
    is_text = first["type"] in _TABLES and isinstance(first["input"], str)
    how = " In a variable, write it as JSON." if is_text else ""
    return BadConfiguration(f"[{name}] {where}: {said}.{how}")


def _is_users_own(part: Any) -> bool:
    return is_secret(part) or isinstance(part, UserOnly) or part is UserOnly


def _is_path(part: Any) -> bool:
    return isinstance(part, InWorkspace) or part is InWorkspace


def _is_inside(workspace: Any, paths: Iterable[str]) -> bool:
    """True if paths stay in the workspace, links followed."""
    root = os.path.realpath(workspace or ".")
    try:
        real = [Path(os.path.realpath(Path(root, Path(path).expanduser()))) for path in paths]
    except (ValueError, RuntimeError):  # a zero byte, or the home of nobody
        return False
    return all(one.is_relative_to(root) for one in real)


def _not_from_workspace(name: str, key: str, reason: str = "") -> BadConfiguration:
    variable = f"LACONIC_{name}_{key}".upper().replace("-", "_")
    return BadConfiguration(
        f"[{name}] {key} {reason}is not read from laconic.toml in the workspace.",
        advice=f"Remove it there. Set {variable}, or {key} under [{name}] in your own config.toml "
        "('laconic doctor' says where that is).",
    )
