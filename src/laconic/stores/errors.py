"""What can go wrong when things are kept or looked up.

StoreError
├── StoreDown       the backend cannot be reached, opened or written
│   ├── Locked      others have held it for too long
│   ├── Full        there is no space left for what was to be written
│   ├── ReadOnly    it can be read, but not written
│   ├── Gone        its file or its server is not there any more, or not yet
│   └── Unusable    it stays so until somebody moves its file away
│       └── Newer   a newer version of Laconic has written it
├── Taken           something of that name already exists
├── Missing         nothing of that name exists
├── Stale           it was changed since the caller read it
├── BadValue        a value that cannot be kept: the wrong form, or too many of them
├── OutsideFolder   the name leads out of the folder, or is one the folder would never list
├── Unreadable      it exists, but is not text or not in its format
└── ValueTooLarge   one value is larger than the whole store may be

Messages name a file or a host, never an absolute path or a password: they may reach a model.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager


class StoreError(Exception):
    """Something could not be kept or found."""

    harmless: bool = False  # found before anything was written


class StoreDown(StoreError):
    """The backend cannot be reached, opened or written."""


class Locked(StoreDown):
    """Others have held it for too long."""


class Full(StoreDown):
    """There is no space left for what was to be written."""


class ReadOnly(StoreDown):
    """It can be read, but not written."""


class Gone(StoreDown):
    """Its file or its server is not there any more, or not yet."""


class Unusable(StoreDown):
    """Its file is damaged or of another version; the message says what to do."""


class Newer(Unusable):
    """A newer version of Laconic has written it."""

    harmless = True


class Taken(StoreError):
    """Something of that name already exists; `existing` tells what, if more than its name is known."""

    harmless = True

    def __init__(self, message: str, existing: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.existing = existing


class Missing(StoreError):
    """Nothing of that name exists."""

    harmless = True


class Stale(StoreError):
    """It was changed since the caller read it; `version` is the present one."""

    harmless = True

    def __init__(self, message: str, version: int) -> None:
        super().__init__(message)
        self.version = version


class BadValue(StoreError):
    """A value that cannot be kept; `field` names it."""

    harmless = True

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class OutsideFolder(StoreError):
    """The name leads out of the folder, or is one the folder would never list."""

    harmless = True


class Unreadable(StoreError):
    """It exists, but is not text or not in its format."""


class ValueTooLarge(StoreError):
    """One value is larger than the whole store may be."""


@contextmanager
def nothing_written() -> Iterator[None]:
    """Assert that whatever fails inside has written nothing: a tool may then say that nothing was changed."""
    try:
        yield
    except StoreError as error:
        error.harmless = True
        raise
