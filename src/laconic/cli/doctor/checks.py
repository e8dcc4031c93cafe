"""The checks of `laconic doctor`; each returns its result, and none raises."""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from typing import Any, Final

from laconic.cli import toolsets
from laconic.cli.assemble import assemble, listed, references
from laconic.cli.configuration import secret_file
from laconic.cli.configuration.files import FILE_NAME, SECRETS, ConfigFile
from laconic.cli.configuration.options import ServerOptions
from laconic.cli.configuration.values import Address
from laconic.cli.configuration.workspace import Places, find_workspace
from laconic.cli.cost import meter
from laconic.cli.tools import profiles_of
from laconic.kit.checkups import diagnoses
from laconic.kit.errors import BadConfiguration, Failure
from laconic.kit.listing import model_text
from laconic.kit.peer import Caller
from laconic.kit.redaction import secret_fields, without_secrets
from laconic.stores import Journal, StoreError, open_keyvalue

_OLDEST: Final = (3, 11)
_NAME: Final = re.compile(r"[A-Za-z0-9_]{1,40}")  # what every host accepts
_PATIENCE: Final = 5.0  # seconds


@dataclass(frozen=True)
class CheckResult:
    """The result of one check: fine, or wrong with the remedy."""

    ok: bool
    what: str
    detail: str

    @property
    def line(self) -> str:
        """The line to print."""
        return without_secrets(f"{'ok   ' if self.ok else 'WRONG'} {self.what}: {self.detail}".rstrip())


def failed(what: str, error: Failure) -> CheckResult:
    """Return a failure as the result of a check."""
    return CheckResult(False, what, error.words)


def python() -> CheckResult:
    """Check that this Python is new enough."""
    running = ".".join(map(str, sys.version_info[:3]))
    ok = sys.version_info >= _OLDEST
    return CheckResult(ok, "Python", running if ok else f"{running} is too old. Install 3.11 or newer.")


def packages() -> CheckResult:
    """Check that every package we import is installed."""
    required = _required()
    missing = [name for name in required if not _is_installed(name)]
    if missing:
        return CheckResult(
            False, "packages", f"{', '.join(missing)} missing. Reinstall laconic, or pip install them."
        )
    return CheckResult(True, "packages", f"all {len(required)} installed, mcp {version('mcp')}")


def _is_installed(package: str) -> bool:
    try:
        return bool(version(package))
    except PackageNotFoundError:
        return False


def _required() -> list[str]:
    """Return the packages that everyone installs, without those of the extras."""
    found = [line for line in requires("laconic") or () if "extra ==" not in line]
    return [re.split(r"[^\w.-]", line, maxsplit=1)[0] for line in found]


def configuration(options: ServerOptions) -> CheckResult:
    """Report where the configuration comes from; it has been read before."""
    files = (ConfigFile.of_user(), ConfigFile.of_workspace(options.workspace or find_workspace()))
    found = [str(file.path) if file.path.exists() else f"no {file.name}" for file in files]
    variables = sorted(name for name in os.environ if name.startswith("LACONIC_"))
    return CheckResult(True, "configuration", ", ".join([*found, *variables]))


def own_file(options: ServerOptions) -> list[CheckResult]:
    """Check that only the user can read their own file if it contains a secret."""
    file = ConfigFile.of_user()
    if os.name != "posix" or not file.path.exists() or not file.path.stat().st_mode & 0o077:
        return []
    set_there, sections = file.read()
    if not any(name in set_there for name in SECRETS) and not _has_secret(options, sections):
        return []
    return [CheckResult(False, file.name, f"other users can read its secrets. Run: chmod 600 '{file.path}'")]


def _has_secret(options: ServerOptions, sections: Mapping[str, Mapping[str, Any]]) -> bool:
    try:
        served = [toolsets.load(reference).root for reference in references(options)]
    except Failure:
        return False  # the servers check reports it
    models = {toolset.name: toolset.settings for toolset in served if toolset.settings is not None}
    return any(set(secret_fields(models[name])) & set(sections[name]) for name in models.keys() & sections)


def workspace(options: ServerOptions) -> CheckResult:
    """Check that the workspace exists and is writable."""
    folder = options.workspace or find_workspace()
    if not folder.is_dir():
        return CheckResult(False, "workspace", f"{folder} is not a folder. Pass another with --workspace.")
    if not options.read_only and not os.access(folder, os.W_OK):
        return CheckResult(
            False, "workspace", f"{folder} is not writable. Change its permissions, or serve --read-only."
        )
    return CheckResult(True, "workspace", str(folder))


def state_folder(options: ServerOptions) -> CheckResult:
    """Check that state can be stored."""
    folder = Places.of(options).state
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=folder):
            return CheckResult(True, "state", str(folder))
    except OSError as error:
        reason = f"{folder} is not writable ({error.strerror})."
        return CheckResult(False, "state", f"{reason} Set LACONIC_STATE to a folder that is.")


def journal(options: ServerOptions) -> CheckResult:
    """Report the size of the journal, and check that it can be written."""
    places = Places.of(options)
    if options.journal == "off" or not places.is_lasting:
        why = "" if options.journal == "off" else ", because the state is memory:"
        return CheckResult(True, "journal", f"off{why}")
    folder = places.journal
    if folder.exists() and not (folder.is_dir() and os.access(folder, os.W_OK)):
        return CheckResult(False, "journal", f"{folder} is not a writable folder. Calls are not recorded.")
    return CheckResult(True, "journal", f"{Journal(folder).size() / 1024:,.0f} kB in {folder}")


def secret(options: ServerOptions) -> CheckResult:
    """Check that the secret exists and that only its owner can read it."""
    places = Places.of(options)
    path = places.state / secret_file.FILE_NAME
    try:
        keys = secret_file.keys(places.state, options.secret, lasting=places.is_lasting)
    except BadConfiguration as error:
        return failed("secret", error)
    if options.secret or not places.is_lasting:
        where = "LACONIC_SECRET" if options.secret else "new at each start, because the state is memory:"
        return CheckResult(True, "secret", where)
    if os.name == "posix" and path.stat().st_mode & 0o077:
        return CheckResult(False, "secret", f"other users can read it. Run: chmod 600 '{path}'")
    return CheckResult(True, "secret", f"readable only by you, {len(keys)} in use")


async def store(options: ServerOptions) -> CheckResult:
    """Check that the state store answers."""
    places = Places.of(options)
    kind = places.store.partition(":")[0] if "://" in places.store else "store"
    try:
        kept = open_keyvalue(places.store)
        async with asyncio.timeout(_PATIENCE):
            await kept.put("doctor", b"ok", ttl=60)
            await kept.delete("doctor")
            await kept.close()
    except TimeoutError:
        return CheckResult(False, kind, f"no answer in {_PATIENCE:g} s. Check LACONIC_STATE.")
    except StoreError as error:
        return CheckResult(False, kind, f"{error} Check LACONIC_STATE.")
    return CheckResult(True, kind, "answers")


async def servers(options: ServerOptions) -> list[CheckResult]:
    """Check that every toolset opens."""
    try:
        loaded = [toolsets.load(reference) for reference in references(options)]
        endpoint = assemble(options)
    except Failure as error:
        return [failed("servers", error)]
    results = []
    for toolset in loaded:
        try:
            async with asyncio.timeout(_PATIENCE):
                await endpoint.supplies.of(toolset.name, Caller())
            results.append(CheckResult(True, toolset.name, f"opens, {len(toolset.tools)} tools"))
            async for one in diagnoses(toolset, endpoint.supplies):
                results.append(CheckResult(one.ok, f"{toolset.name} {one.what}", one.detail))
        except TimeoutError:
            results.append(CheckResult(False, toolset.name, f"does not open within {_PATIENCE:g} s."))
        except Exception as error:  # a factory may raise anything; the other toolsets are still checked
            remedy = f"Fix [{toolset.name}] in {FILE_NAME}."
            if isinstance(error, Failure):
                problem = error.words if error.advice else f"{error.words} {remedy}"
            else:
                problem = f"{error} {remedy}"
            results.append(CheckResult(False, toolset.name, problem))
    await endpoint.close()
    return results


def tool_list(options: ServerOptions) -> list[CheckResult]:
    """Check that hosts will accept the tool list."""
    try:
        listing = listed(options)
    except Failure:
        return []  # the servers check reports it
    scale = meter()
    cost = sum(scale.count(model_text(tool)) for tool in listing.tools)
    results = [CheckResult(True, "tool list", f"{len(listing.tools)} tools, {scale.describe(cost)}")]
    results += [CheckResult(True, "profile", line) for line in profiles_of(listing)]
    for name in (tool["name"] for tool in listing.tools):
        if not _NAME.fullmatch(name):
            remedy = "Some hosts then refuse the whole list: use at most 40 letters, digits and _."
            results.append(CheckResult(False, "name", f"{name}. {remedy}"))
    return results


def port(address: Address) -> CheckResult:
    """Check that the port is free."""
    from laconic.cli.serve.listen import free

    try:
        free(address)
    except BadConfiguration as error:
        return failed("HTTP", error)
    return CheckResult(True, "HTTP", f"{address} is free")
