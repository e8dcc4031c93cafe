"""Find toolsets by name; nothing is imported before it is needed."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from laconic.data import dataclass
from laconic.kit.errors import BadConfiguration
from laconic.kit.errors.words import listing
from laconic.kit.redaction import redacted_log
from laconic.text import did_you_mean, nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from laconic.kit.toolset import Toolset

__all__ = ["DEFAULT", "OWN", "Reference", "find", "installed", "load", "placed"]

log = redacted_log("laconic.toolsets")

GROUP: Final = "laconic.toolsets"
DEFAULT: Final = ("issues", "prompts")

# The same as our entry points in pyproject.toml (a test compares them): finding these scans no distribution.
OWN: Final[Mapping[str, str]] = {
    "example": "laconic.servers.example.tools:example",
    "google": "laconic.servers.google.tools:google",
    "issues": "laconic.servers.issues.tools:issues",
    "notes": "laconic.servers.notes.tools:notes",
    "prompts": "laconic.servers.prompts.tools:prompts",
    "taiga": "laconic.servers.taiga.tools:taiga",
    "taiga_more": "laconic.servers.taiga.tools.more:taiga_more",
}


@dataclass(frozen=True)
class Reference:
    """Where a toolset is declared."""

    module: str
    attribute: str
    folder: str = ""  # where the module is looked up, besides the installed ones


def find(name: str) -> Reference:
    """Find a toolset by its name, or by `package.module:toolset`, also in the current or a named folder.

    Raises:
        BadConfiguration: no toolset has that name.
    """
    if ":" in name:
        reference = _reference(name)
        _make_importable(Path(reference.folder))
        return reference
    known = OWN if name in OWN else {**installed(), **OWN}
    if name not in known:
        hint = did_you_mean(nearest(name, known))
        raise BadConfiguration(
            f"There is no server '{name[:80]}'.{hint} Known: {listing(sorted(known))}.",
            advice="Serve one that is not installed as package.module:toolset.",
        )
    module, _, attribute = known[name].partition(":")
    return Reference(module, attribute)


@cache
def installed() -> Mapping[str, str]:
    """Return every toolset that an installed distribution registers."""
    from importlib.metadata import entry_points

    return {entry.name: entry.value for entry in entry_points(group=GROUP)}


def load(reference: Reference) -> Toolset:
    """Import a toolset.

    Raises:
        BadConfiguration: its module cannot be imported, or has no such toolset.
    """
    from laconic.kit.toolset import Toolset

    try:
        module = import_module(reference.module)
    except BadConfiguration as error:  # a mistake in a declaration
        raise BadConfiguration(f"{reference.module}: {error.message}", advice="") from error
    except Exception as error:  # a foreign module may raise anything
        log.info("importing %s failed", reference.module, exc_info=error)
        if isinstance(error, ModuleNotFoundError) and error.name == reference.module.partition(".")[0]:
            raise BadConfiguration(
                f"{reference.module} is neither installed nor in {reference.folder}.",
                advice="Name a module in another folder as folder/module:toolset.",
            ) from error
        raise BadConfiguration(
            f"{reference.module} cannot be imported: {type(error).__name__}: {error}.",
            advice="Run with --verbose to see where.",
        ) from error
    found: Any = getattr(module, reference.attribute, None)
    if isinstance(found, Toolset):
        return found
    others = [name for name, value in vars(module).items() if isinstance(value, Toolset)]
    raise BadConfiguration(
        f"{reference.module} has no toolset '{reference.attribute}'.{_others(reference, others)}", advice=""
    )


def _others(reference: Reference, names: Iterable[str]) -> str:
    near = nearest(reference.attribute, names) or list(names)[:1]
    return did_you_mean(f"{reference.module}:{name}" for name in near)


def placed(name: str, start: Path | None) -> str:
    """Return a toolset's name that means the same in another folder: in `start`, or anywhere if None."""
    if ":" not in name:
        return name
    reference = _reference(name)
    folder = Path(reference.folder)
    if not _is_module(folder / reference.module.partition(".")[0]):
        return name  # installed
    if start is not None and folder.is_relative_to(start):
        inside = folder.relative_to(start).as_posix()
        before = "" if inside == "." else f"{inside}/"
    else:
        before = f"{folder.as_posix()}/"
    return f"{before}{reference.module}:{reference.attribute}"


def _is_module(path: Path) -> bool:
    return path.with_name(f"{path.name}.py").is_file() or path.is_dir()


def _reference(value: str) -> Reference:
    place, _, attribute = value.rpartition(":")
    folder, slash, module = place.rpartition("/")
    module = module.removesuffix(".py")
    if not module or not attribute:
        raise BadConfiguration(
            f"'{value[:80]}' does not name a toolset. Expected: package.module:toolset.", advice=""
        )
    return Reference(module, attribute, str((Path.cwd() / (folder + slash)).resolve()))


def _make_importable(folder: Path) -> None:
    """Append the folder to the path, so a file in it never shadows an installed module."""
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
