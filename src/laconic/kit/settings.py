"""Settings of an endpoint, and reading a toolset's section of the configuration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeVar

from laconic.kit.errors import BadConfiguration
from laconic.kit.redaction import learn_secrets, secret_fields, secrets_in, texts_in
from laconic.text import did_you_mean, nearest

if TYPE_CHECKING:
    from pydantic import BaseModel

    from laconic.kit.pipeline import Output, Step

__all__ = ["Settings", "read_section"]

_COMMON: Final = ("workspace", "cache")  # passed to every toolset
Section = TypeVar("Section", bound="BaseModel")


@dataclass(frozen=True)
class Settings:
    """How an endpoint behaves, whichever toolsets it serves."""

    output: Output = "text"
    read_only: bool = False
    dotted_names: bool = False
    prefixes: Mapping[str, str] = field(default_factory=dict)
    deadline: float = 60.0
    rate: int | None = None  # calls per minute per caller
    concurrency: int = 32  # concurrent calls per caller
    attempts: int = 3  # for a read whose upstream is down
    image_bytes: int = 1_500_000  # the largest image in an answer: larger ones are scaled down
    block_bytes: int = 1_500_000  # the largest sound or document in an answer, and the largest resource
    answer_bytes: int = 6_000_000  # images, sounds and documents of an answer together
    repeats: float | None = None  # seconds in which an equal create needs confirmation
    long_list: bool = False  # list only pinned tools, and the tools that find and call all others
    pinned: tuple[str, ...] = ()
    tools: Mapping[str, str] = field(default_factory=dict)  # the profile of each toolset that has profiles
    budget: int = 25_000  # characters of an answer before the rest is kept aside; 0: no limit
    kept_for: float = 30 * 60.0  # seconds for which kept answers can be read
    list_page: int = 200  # tools, prompts or resources per page of a list
    steps: Sequence[Step] = ()
    version: str | None = None  # the version it gives to clients; None: its toolset's
    metadata: bool = False  # repeat the data of an answer under `metadata`, as earlier servers did
    sections: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # configuration by toolset


def read_section(name: str, given: Mapping[str, Any], model: type[Section]) -> Section:
    """Read a toolset's section of the configuration as the model that the toolset declares for it.

    Its `SecretStr` fields are hidden from now on wherever this process writes errors or a log.

    Raises:
        BadConfiguration: an unknown key, with the nearest, or a value that does not fit.
    """
    from pydantic import ValidationError

    known = list(model.model_fields)
    for key in given:
        if key not in known and key not in _COMMON:
            hint = did_you_mean(
                nearest(key, known), quote="'", otherwise=f"Known keys: {', '.join(known) or 'none'}."
            )
            raise BadConfiguration(f"Unknown key '{key}' in [{name}].{hint}")
    learn_secrets(texts_in([given.get(name) for name in secret_fields(model)]))
    try:
        section = model.model_validate({key: value for key, value in given.items() if key in known})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(step) for step in first["loc"])
        raise BadConfiguration(f"[{name}] {where}: {first['msg']}.") from None
    learn_secrets(secrets_in(section))  # also those that are not in the file, such as a factory's default
    return section
