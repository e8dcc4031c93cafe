"""The listing: what clients see of a server, as plain data that can be saved to a file."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, field
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from laconic.data import dataclass
from laconic.kit.compact import compact
from laconic.kit.errors import BadConfiguration
from laconic.kit.redaction import secret_fields

if TYPE_CHECKING:
    from laconic.kit.catalogue import Catalogue
    from laconic.kit.declaring.spec import PromptSpec, ResourceSpec, ToolSpec
    from laconic.kit.settings import Settings
    from laconic.kit.toolset import Toolset

__all__ = ["Listing", "secret_keys"]


@dataclass(frozen=True)
class Listing:
    """Tools, resources, templates and prompts as the protocol spells them, and the instructions."""

    tools: list[dict[str, Any]] = field(default_factory=list)
    resources: list[dict[str, Any]] = field(default_factory=list)
    templates: list[dict[str, Any]] = field(default_factory=list)
    prompts: list[dict[str, Any]] = field(default_factory=list)
    instructions: str = ""
    has_prompts: bool = False
    prompt_lists: dict[str, str] = field(default_factory=dict)  # of each source, what may know its first page
    has_resources: bool = False  # besides those of the kit
    toolsets: dict[str, str] = field(default_factory=dict)  # name and description
    version: str = "0"  # of the first toolset that has one
    roots: dict[str, str] = field(default_factory=dict)  # toolsets that use the services of another
    owners: dict[str, str] = field(default_factory=dict)  # the toolset of each tool, if there are several
    cached: dict[str, float] = field(default_factory=dict)  # the longest time a read is cached, by toolset
    profiles: dict[str, dict[str, Any]] = field(default_factory=dict)  # of toolsets that have some
    secrets: dict[str, list[str]] = field(default_factory=dict)  # which keys of a section are secrets

    @property
    def changing(self) -> frozenset[str]:
        """The kinds of change that its clients may subscribe to, apart from those of the tools themselves."""
        resources = ("resources", "resource") if self.resources or self.templates else ()
        return frozenset((*resources, *(("prompts",) if self.has_prompts else ())))

    @property
    def name(self) -> str:
        """The name of a server with these toolsets."""
        return "-".join(self.toolsets) or "empty"

    @classmethod
    def of(cls, catalogue: Catalogue, settings: Settings) -> Listing:
        """Return the listing of a catalogue."""
        toolsets = catalogue.toolsets.values()
        served = [toolset for toolset in toolsets if not toolset.is_kit]
        tools = [
            entry
            for name, spec in catalogue.listed(settings.pinned)
            if _is_listed(name, spec, catalogue, settings)
            for entry in _tools(name, spec, catalogue, settings)
        ]
        return cls(
            tools=tools,
            resources=[_resource(spec) for spec in catalogue.resources if not spec.is_template],
            templates=[_resource(spec) for spec in catalogue.resources if spec.is_template],
            prompts=[_prompt(spec) for spec in catalogue.prompts.values()],
            instructions=_instructions([*toolsets], settings),
            has_prompts=bool(catalogue.prompts) or any(toolset.prompt_source for toolset in toolsets),
            prompt_lists={one.name: one.prompt_list for one in served if one.prompt_source is not None},
            has_resources=any(toolset.resources for toolset in served),
            toolsets={toolset.name: toolset.description for toolset in served},
            version=next((toolset.version for toolset in toolsets if toolset.version), "0"),
            roots={one.name: one.root.name for one in served if one.root is not one},
            owners=catalogue.owners if len(toolsets) > 1 else {},
            cached=catalogue.cached,
            profiles={
                name: {"profile": one.profile, "known": list(one.known), "aside": len(one.aside)}
                for name, one in catalogue.selected.items()
                if one.known
            },
            secrets=secret_keys(served),
        )

    @cached_property
    def reads(self) -> list[dict[str, Any]]:
        """The tools that change nothing, for callers that may only read."""
        return [tool for tool in self.tools if tool["annotations"]["readOnlyHint"]]

    def save(self, path: Path) -> None:
        """Save the listing to a file; ignore a folder that cannot be written to."""
        import tempfile

        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=path.parent)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(asdict(self), file, ensure_ascii=False, separators=(",", ":"))
            Path(name).replace(path)

    @classmethod
    def load(cls, path: Path) -> Listing | None:
        """Return the listing saved in a file; None if the file is missing or damaged."""
        try:
            return cls(**json.loads(path.read_bytes()))
        except (OSError, ValueError, TypeError):
            return None


def secret_keys(toolsets: Iterable[Toolset]) -> dict[str, list[str]]:
    """Return by section which of its keys are secrets."""
    models = {one.root.name: one.root.settings for one in toolsets}
    found = {name: secret_fields(model) for name, model in models.items() if model is not None}
    return {name: keys for name, keys in found.items() if keys}


def _instructions(toolsets: Sequence[Toolset], settings: Settings) -> str:
    """Return what clients are told about the toolsets, and that it is practice data if it is.

    Raises:
        BadConfiguration: practice data is asked for, and no toolset has any.
    """
    told = (toolset.instructions_of(settings.tools.get(toolset.name, "")) for toolset in toolsets)
    parts = [words for words in told if words]
    if settings.sandbox:
        practised = [toolset.name for toolset in toolsets if toolset.root.sandbox]
        if not practised:
            served = ", ".join(toolset.name for toolset in toolsets if not toolset.is_kit)
            raise BadConfiguration(f"There is no sandbox for {served}.", advice="Leave --sandbox out.")
        parts.append(f"{', '.join(practised)}: practice data in a sandbox. Nothing in it is real.")
    return "\n\n".join(parts)


def _is_listed(name: str, spec: ToolSpec, catalogue: Catalogue, settings: Settings) -> bool:
    if not settings.long_list:
        return True
    return name in settings.pinned or catalogue.toolsets[spec.toolset].is_kit


def _tools(name: str, spec: ToolSpec, catalogue: Catalogue, settings: Settings) -> Iterable[dict[str, Any]]:
    from laconic.kit.arguments.known import arguments_of
    from laconic.kit.catalogue import dotted
    from laconic.kit.present.schemas import output_schema

    toolset = catalogue.toolsets[spec.toolset]
    name = dotted(name, toolset) if settings.dotted_names else name
    entry: dict[str, Any] = {
        "name": name,
        "description": spec.description,
        "inputSchema": arguments_of(spec).schema,
    }
    entry["annotations"] = spec.hints.wire()
    if spec.title:
        entry["title"] = spec.title
    if settings.output != "text":
        described = output_schema(spec, toolset.envelope)
        if described:
            entry["outputSchema"] = described
    if spec.meta:
        entry["_meta"] = dict(spec.meta)
    yield entry
    if spec.listed:
        for former in spec.formers:
            yield {**entry, "name": former.name, "description": f"[DEPRECATED] Use {name} instead."}


def _resource(spec: ResourceSpec) -> dict[str, Any]:
    address = "uriTemplate" if spec.is_template else "uri"
    return {"name": spec.name, address: spec.uri, "description": spec.description, "mimeType": spec.mime}


def _prompt(spec: PromptSpec) -> dict[str, Any]:
    arguments = [
        {"name": parameter.wire, "description": parameter.description, "required": parameter.is_required}
        for parameter in spec.signature.parameters
    ]
    return {"name": spec.name, "description": spec.description, "arguments": arguments}


def model_text(tool: Mapping[str, Any]) -> str:
    """Return what a model sees of a tool and pays for: name, description and input schema as compact JSON."""
    seen = {key: tool[key] for key in ("name", "description", "inputSchema") if key in tool}
    return compact(seen)


def key_of(modules: Iterable[str], configuration: Mapping[str, Any]) -> str:
    """Return a digest of all that the listing of these modules depends on: files and configuration.

    A file is known by its size and its times, which any change sets: this is done at every start, and to
    read three hundred files takes four times as long.
    """
    digest = hashlib.blake2b(digest_size=16)
    digest.update(json.dumps(configuration, sort_keys=True, default=str).encode())
    digest.update(sys.version.encode())
    pydantic = find_spec("pydantic")
    if pydantic is not None and pydantic.origin:
        digest.update(str(Path(pydantic.origin).with_name("version.py").stat().st_mtime_ns).encode())
    own = Path(__file__).parent.parent
    places = {str(own / "kit"), str(own / "text")}
    places.update(place for module in modules for place in places_of(module.partition(":")[0]))
    for place in sorted(places):
        digest.update(repr(sorted(_stamps(place))).encode(errors="surrogatepass"))
    return digest.hexdigest()


def places_of(module: str) -> list[str]:
    """Return the folders of the package that a module belongs to: a server of ours, or a whole package."""
    parts = module.split(".")
    package = ".".join(parts[:3] if parts[:2] == ["laconic", "servers"] else parts[:1])
    found = find_spec(package)
    if found is None:
        return []
    return list(found.submodule_search_locations or filter(None, [found.origin]))


_SOURCES: Final = (".py", ".md", ".json", ".toml", ".gz")
_Stamped = tuple[str, int, int, int]


def _stamps(place: str) -> Iterator[_Stamped]:
    """Return the Python files of a folder, its markdown files (instructions) and data, or one file itself."""
    if place.endswith(".py"):
        yield _stamped(place, os.stat(place))  # noqa: PTH116  # not yet worth a Path
        return
    with suppress(OSError), os.scandir(place) as found:
        for one in found:
            if one.name.endswith(_SOURCES):
                yield _stamped(one.path, one.stat())
            elif one.name != "__pycache__" and one.is_dir():
                yield from _stamps(one.path)


def _stamped(path: str, found: os.stat_result) -> _Stamped:
    return path, found.st_size, found.st_mtime_ns, found.st_ctime_ns
