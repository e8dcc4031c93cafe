"""What can go wrong with keeping things.

StoreError
├── StoreDown       the backend cannot be reached, opened or written
│   └── Unusable    it stays so until somebody moves its file away
├── Taken           a thing of that name exists already
├── Missing         there is no thing of that name
├── OutsideFolder   a name that leaves the folder, or that the folder would never list
├── Unreadable      it is there, but not as text or not in its format
└── ValueTooLarge   one value is larger than the whole store may be

Messages name a file or a host, never an absolute path or a password: they may reach a model.
"""


class StoreError(Exception):
    """Something could not be kept or found."""


class StoreDown(StoreError):
    """The backend cannot be reached, opened or written."""


class Unusable(StoreDown):
    """Its file is damaged or of another version; the message says what to do."""


class Taken(StoreError):
    """A thing of that name exists already."""


class Missing(StoreError):
    """There is no thing of that name."""


class OutsideFolder(StoreError):
    """The name leaves the folder, or is one the folder would never list."""


class Unreadable(StoreError):
    """It is there, but not as text or not in its format."""


class ValueTooLarge(StoreError):
    """One value is larger than the whole store may be."""
