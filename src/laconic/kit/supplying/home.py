"""Home: what a factory is told about where its services run and what they may use."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from laconic.data import dataclass

if TYPE_CHECKING:
    from laconic.kit.peer import Caller, Changes
    from laconic.stores.keyvalue import KeyValue
    from laconic.upstream import KeptCredential

__all__ = ["LOCAL", "Home", "HomeFolders", "private"]

LOCAL: Final = "local"  # the caller on this machine
_PRIVATE: Final = 0o700


@dataclass(frozen=True)
class HomeFolders:
    """The folders of an endpoint; none of them is in the workspace."""

    state: Path  # of this workspace
    cache: Path  # of the user, and may be deleted at any time
    data: Path  # of the user, shared by all workspaces

    @classmethod
    def below(cls, folder: Path) -> HomeFolders:
        """Return folders that are all in one."""
        return cls(folder / "state", folder / "cache", folder / "data")


def private(folder: Path) -> Path:
    """Return a folder that only its owner can enter; it is created, or closed to others."""
    folder.mkdir(parents=True, exist_ok=True, mode=_PRIVATE)
    if folder.stat().st_mode & 0o077:
        folder.chmod(_PRIVATE)
    return folder


@dataclass(frozen=True, kw_only=True)
class Home:
    """The second parameter of a factory: folders, the state store, and how the toolset is served."""

    toolset: str
    workspace: Path
    folders: HomeFolders
    store: KeyValue  # the toolset's own part of the state store
    changes: Changes  # tells clients that a list or a resource changed
    caller: Caller | None = None  # whose services these are, if each caller has its own
    database: str = ""  # the address of the user's library, which all toolsets share
    database_copies: int = 0  # how many daily copies of its file to keep
    sandbox: Any = None  # the practice instance to work on, an ASGI application; None: the real one
    is_http: bool = False
    read_only: bool = False  # nothing may be changed, so that no more than reading need be asked for
    profile: str = ""  # the tools that are served, so that advice names no others; empty: the usual ones
    now: Callable[[], float] = time.time

    @property
    def state(self) -> Path:
        """A folder for this toolset and workspace that only the user can enter."""
        return private(self.folders.state / self.toolset)

    @property
    def cache(self) -> Path:
        """A folder for what can be made again."""
        return private(self.folders.cache / self.toolset)

    @property
    def data(self) -> Path:
        """The user's data folder, shared by all toolsets and workspaces."""
        return private(self.folders.data)

    @property
    def credentials(self) -> Path:
        """The folder for the credentials of this toolset, shared by all workspaces.

        If each caller has its own services, callers other than the user of this machine have folders of
        their own.
        """
        folder = private(private(self.data / "credentials") / self.toolset)
        if self.caller is None or self.caller.name == LOCAL:
            return folder
        return private(folder / blake2b(self.caller.name.encode(), digest_size=12).hexdigest())

    def credential(self, address: str, account: str = "", others: Collection[str] = ()) -> KeptCredential:
        """Return the place of an account's credential, which is read again for this host only.

        An API may have several hosts: then `others` are the addresses that see its token, too.

        All processes of the user share it; what is read from it is hidden in errors and in the log.
        """
        from laconic.kit.supplying.credentials import HiddenCredential
        from laconic.stores import SharedFile
        from laconic.upstream import credential_name

        file = SharedFile(self.credentials / credential_name(address, account))
        return HiddenCredential(file, [address, *others])

    async def lease(self, name: str, seconds: float) -> bool:
        """Take a job that one of several processes should do; False if it was taken in the last `seconds`."""
        return await self.store.put_new(f"lease:{name}", b"", seconds)
