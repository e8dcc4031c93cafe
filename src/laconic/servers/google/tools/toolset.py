"""The toolset: its services, and the account of each call."""

from collections.abc import AsyncIterator, Callable
from importlib.resources import files
from typing import Annotated, Final

from laconic.kit import PAGINATION, Diagnosis, Home, Profile, Toolset, ToolSpec
from laconic.servers.google.api.access import Access
from laconic.servers.google.catalogue.phrases import phrases
from laconic.servers.google.service import Google
from laconic.servers.google.service.examining import examined
from laconic.servers.google.settings import GoogleSettings

OPERATION: Final = "operation"  # the tag of tools that are made from the catalogue
LONG: Final = "long"  # … of tools of our own that read what may be long: with operations alone nothing does
TRANSFER: Final = 3600.0  # seconds for bytes of any number; each request of a call has its own, shorter time
SEARCH: Final = 600.0  # … for a word in a file or a sheet of any size
CLASSIC: Final = "classic"  # … of tools with the names and parameters of an earlier server
_ALWAYS: Final = "Ids are those in a file's address. With several accounts, pass account."
SHARED: Final = "shared"  # … of tools of our own that the profile `classic` has as well


def is_operation(spec: ToolSpec) -> bool:
    """True for a tool that is one operation of an API."""
    return OPERATION in spec.tags


def is_own(spec: ToolSpec) -> bool:
    """True for a tool of our own design."""
    return not {OPERATION, CLASSIC}.intersection(spec.tags)


def _tools_of(start: str) -> Callable[[ToolSpec], bool]:
    """Return what is true of the tools for one API, and of the one that finds files."""
    wanted = (start, "drive_listFiles", "server_")
    return lambda spec: is_own(spec) and spec.name.startswith(wanted)


def _operations_of(start: str) -> Callable[[ToolSpec], bool]:
    return lambda spec: is_operation(spec) and spec.name.startswith(start)


def _told(first: str) -> str:
    """Return instructions that begin with what only one profile has."""
    return f"{first} {_ALWAYS}"


def _one_api(name: str) -> Profile:
    """Return the profile with the tools of one API."""
    others = "is found with tools_find, shown with tools_describe and called with tools_read, tools_write or "
    first = f"Google: {name}_ tools do the common things; every other operation of {name.title()} {others}"
    words = _told(f"{first}tools_delete.")
    return Profile(_tools_of(f"{name}_"), _operations_of(f"{name}_"), instructions=words)


google = Toolset(
    "google",
    "Drive, Docs, Sheets and Slides.",
    provides=(Google,),
    case="camel",
    envelope=PAGINATION,
    open_world=True,
    settings=GoogleSettings,
    profiles={
        "lean": Profile(is_own, aside=is_operation),
        "classic": Profile(
            lambda spec: bool({CLASSIC, SHARED}.intersection(spec.tags)),
            instructions=_told("Google: Drive, Docs, Sheets and Slides."),
        ),
        "full": Profile(
            lambda spec: bool({OPERATION, LONG}.intersection(spec.tags)),
            instructions=_told("Google: a tool for each operation of Drive, Docs, Sheets and Slides."),
        ),
        **{api: _one_api(api) for api in ("drive", "sheets", "docs", "slides")},
    },
    default="lean",
    phrases=phrases(),
    sandbox="laconic.sandbox.google:practice_google",
    instructions=files("laconic.servers.google").joinpath("instructions.md").read_text(encoding="utf-8"),
)


@google.factory(per_caller=True)
async def open_google(section: GoogleSettings, home: Home) -> AsyncIterator[Google]:
    """Open the accounts of a caller."""
    service = Google(section, home)
    try:
        yield service
    finally:
        await service.close()


@google.checkup
async def accounts(google: Google) -> list[Diagnosis]:
    """Check that each account can sign in, and that its clock and its client are right."""
    return await examined(google)


@google.each_call(listed=lambda section: len({*section.accounts, *section.logins}) > 1)
async def access_of_call(
    google: Google, account: Annotated[str | None, "The account's alias."] = None
) -> Access:
    """Return the APIs as the account that a call names, or the default one."""
    return google.access(account)
