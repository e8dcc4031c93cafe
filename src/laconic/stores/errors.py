"""What can go wrong when things are kept or looked up.

StoreError
├── StoreDown       the backend cannot be reached, opened or written
│   └── Unusable    it stays so until somebody moves its file away
├── Taken           something of that name already exists
├── Missing         nothing of that name exists
├── OutsideFolder   the name leads out of the folder, or is one the folder would never list
├── Unreadable      it exists, but is not text or not in its format
└── ValueTooLarge   one value is larger than the whole store may be

Messages name a file or a host, never an absolute path or a password: they may reach a model.
"""

from collections.abc import Iterator
from contextlib import contextmanager


class StoreError(Exception):
    """Something could not be kept or found."""

    harmless: bool = False  # found before anything was written


class StoreDown(StoreError):
    """The backend cannot be reached, opened or written."""


class Unusable(StoreDown):
    """Its file is damaged or of another version; the message says what to do."""


class Taken(StoreError):
    """Something of that name already exists."""

    harmless = True


class Missing(StoreError):
    """Nothing of that name exists."""

    harmless = True


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
