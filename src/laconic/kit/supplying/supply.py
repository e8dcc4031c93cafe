"""What the server supplies to a function: a toolset's services, and what the kit knows about the call."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property, partial
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

from laconic.kit.asking import Ask
from laconic.kit.errors import Bug
from laconic.kit.memory import Memory
from laconic.kit.peer import About, Caller, Changed, Changes, Guard, Peer, Progress, Shown
from laconic.kit.pipeline import Call, PatientPeer
from laconic.kit.present.asked import view_of
from laconic.kit.redaction import redacted_log
from laconic.kit.running import run
from laconic.kit.settings import section_of
from laconic.kit.supplying.home import Home, HomeFolders, private
from laconic.kit.supplying.services import Services
from laconic.kit.toolset import Toolset
from laconic.stores.keyvalue import KeyValue
from laconic.text import folder_name

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

    from laconic.kit.settings import Settings

__all__ = ["Supplies"]

log = redacted_log("laconic.supply")


def _shown(call: Call) -> Shown:
    record = call.spec.signature.record
    return Shown(view_of(call, record).columns if record else ())


def _guard(call: Call) -> Guard:
    return Guard(call.spec.guard or "version", call.checked.guard if call.checked else None)


_OF_CALL: dict[type, Callable[[Call], Any]] = {
    About: lambda call: call.about,
    Progress: lambda call: Progress(call.peer),
    Caller: lambda call: call.peer.caller,
    Changed: lambda call: Changed(lambda: call.effects),
    Shown: _shown,
    Guard: _guard,
    Ask: lambda call: Ask(PatientPeer(call)),
    Peer: PatientPeer,
}


class Supplies:
    """Everything that functions are supplied with."""

    def __init__(
        self,
        toolsets: Mapping[str, Toolset],
        settings: Settings,
        state: KeyValue,
        changes: Changes | None = None,
        folders: HomeFolders | None = None,
        *,
        is_http: bool = False,
    ) -> None:
        self._toolsets = toolsets
        self._settings = settings
        self._state = state
        self._changes = changes or Changes()
        self._given = folders
        self._is_http = is_http
        self._opened: dict[str, Services] = {}  # by the toolset whose they are
        self._by_toolset: dict[str, Services] = {}  # by every toolset that uses them
        self._sections: dict[str, Any] = {}
        self._sandboxes: dict[str, Any] = {}
        self._stores: dict[str, KeyValue] = {}

    async def arguments(self, call: Call) -> Mapping[str, Any]:
        """Return the arguments of a call's function: what the caller sent, and what is supplied."""
        signature, checked = call.spec.signature, call.checked
        assert checked is not None
        values = dict(checked.values)
        if signature.window is not None:
            name, window = signature.window
            within = call.within  # a page that was too long is asked for again as it was
            values[name] = window.at(
                position=call.position,
                limit=within.limit if within else checked.limit,
                start=within.start if within else checked.offset,
                form=checked.format,
                tool=call.spec.name,
            )
        if signature.supplied:
            services = await self._services(call.spec.toolset).of(call.peer.caller)
            for name, kind in signature.supplied.items():
                values[name] = services[kind] if kind in services else self._of_call(kind, call)
        return values

    async def make(self, call: Call) -> None:
        """Make what the toolset makes for each call, and bind the call to what that depends on.

        Raises:
            Bug: something is pinned that no caller could send.
        """
        checked = call.checked
        assert checked is not None
        services = await self._services(call.spec.toolset).of(call.peer.caller)
        for each in call.spec.signature.each:
            names = {one.wire: one.name for one in each.signature.parameters}
            sent = {name: checked.wire[wire] for wire, name in names.items() if wire in checked.wire}
            supplied = {
                name: services[kind] if kind in services else self._of_call(kind, call)
                for name, kind in each.signature.supplied.items()
            }
            made = call.made[each.makes] = await run(each.function, {**sent, **supplied})
            for wire, value in getattr(made, "pins", {}).items():
                if wire not in names:
                    raise Bug(f"{each.makes.__name__} pins {wire}, no parameter of {each.function.__name__}.")
                if call.arguments.get(wire) is None:
                    call.arguments[wire] = call.query[wire] = checked.wire[wire] = value

    async def given(
        self, toolset: str, function: Callable[..., Any], caller: Caller | None = None
    ) -> dict[str, Any]:
        """Return the services that a function takes, by the names of its parameters."""
        things, hints = await self.of(toolset, caller), get_type_hints(function)
        names = signature(function).parameters
        return {name: things[hints[name]] for name in names if hints.get(name) in things}

    def _of_call(self, kind: type, call: Call) -> Any:
        if kind in call.made:
            return call.made[kind]
        if kind is Changes:
            return self._changes
        if kind is Memory:
            return Memory(self._store(call.spec.service), call.peer.caller.name)
        return _OF_CALL[kind](call)

    async def of(self, toolset: str, caller: Caller | None = None) -> dict[type, Any]:
        """Return the services of a toolset by type, for a caller if each has its own; opens them once."""
        return await self._services(toolset).of(caller)

    def serves(self, toolset: str) -> bool:
        """Return whether a toolset is served itself, not only through another that uses its services."""
        return toolset in self._toolsets

    def _services(self, toolset: str) -> Services:
        """Return the services that a toolset uses, which may be those of another."""
        found = self._by_toolset.get(toolset)
        if found is None:
            root = self._toolsets[toolset].root
            if root.name not in self._opened:
                told = partial(self._section, root), partial(self._home, root)
                self._opened[root.name] = Services(root, *told)
            found = self._by_toolset[toolset] = self._opened[root.name]
        return found

    def section(self, toolset: str) -> Any:
        """Return a toolset's section of the configuration, as the model that the toolset declared for it."""
        return self._section(self._toolsets[toolset].root)

    def _section(self, root: Toolset) -> Any:
        if root.name not in self._sections:
            self._sections[root.name] = section_of(root.name, root.settings, self._settings)
        return self._sections[root.name]

    def home(self, toolset: str, caller: Caller | None = None) -> Home:
        """Return what the factory of a toolset is told, for a caller if each has its own services."""
        return self._home(self._toolsets[toolset].root, caller)

    def _home(self, root: Toolset, caller: Caller | None) -> Home:
        return replace(self.outside(root.name), caller=caller, sandbox=self._sandbox(root))

    def outside(self, toolset: str) -> Home:
        """Return what is known of a toolset's place without loading it: for no caller, and no sandbox."""
        return Home(
            toolset=toolset,
            workspace=self._workspace(toolset),
            folders=self._folders,
            store=self._store(toolset),
            changes=self._changes,
            database=self._database,
            database_copies=0 if self._settings.sandbox else self._settings.database_copies,
            is_http=self._is_http,
            read_only=self._settings.read_only,
            profile=self._settings.tools.get(toolset, ""),
        )

    @property
    def _database(self) -> str:
        """The address of the user's library; practice data has its own."""
        chosen = "" if self._settings.sandbox else self._settings.database
        return chosen or str(self._folders.data / "library.db")

    def _sandbox(self, root: Toolset) -> Any:
        """Return the practice instance of a toolset, made once; None if the toolset works on the real one."""
        chosen = self._settings.sandbox
        if not root.sandbox or not chosen:
            return None
        if root.name not in self._sandboxes:
            module, _, function = root.sandbox.partition(":")
            folder = private(chosen / "sandbox" / root.name) if isinstance(chosen, Path) else None
            self._sandboxes[root.name] = getattr(import_module(module), function)(folder)
        return self._sandboxes[root.name]

    def _workspace(self, toolset: str) -> Path:
        return Path(self._settings.sections.get(toolset, {}).get("workspace") or Path.cwd())

    def _store(self, toolset: str) -> KeyValue:
        """Return a toolset's part of the state store; several workspaces may share one store."""
        from laconic.stores.keyvalue.prefixed import PrefixedStore

        if toolset not in self._stores:
            prefix = f"of:{folder_name(self._workspace(toolset))}:{toolset}:"
            self._stores[toolset] = PrefixedStore(self._state, prefix)
        return self._stores[toolset]

    @cached_property
    def _folders(self) -> HomeFolders:
        return self._given or HomeFolders.below(Path(self._temporary.name))

    @cached_property
    def _temporary(self) -> TemporaryDirectory[str]:
        from tempfile import TemporaryDirectory

        return TemporaryDirectory(prefix="laconic-", ignore_cleanup_errors=True)

    async def open(self) -> None:
        """Open the services of every toolset now; one that fails is logged, and opened again later."""
        opening = [name for name, one in self._toolsets.items() if not one.root.is_per_caller]
        results = await asyncio.gather(*map(self.of, opening), return_exceptions=True)
        for name, result in zip(opening, results, strict=True):
            if isinstance(result, BaseException):
                log.error("%s does not open: %s", name, getattr(result, "words", result))

    async def close(self) -> None:
        """Let every factory clean up."""
        await asyncio.gather(*(services.close() for services in self._opened.values()))
        if "_temporary" in self.__dict__:
            self._temporary.cleanup()
