"""Ways to keep things: values with a time to live, and folders of text."""

from laconic.stores import frontmatter
from laconic.stores.errors import (
    Missing,
    OutsideFolder,
    StoreDown,
    StoreError,
    Taken,
    TooLarge,
    Unreadable,
)
from laconic.stores.folder import Folder, Stamp
from laconic.stores.keyvalue import KeyValue
from laconic.stores.memory import MemoryStore
from laconic.stores.opening import open_keyvalue
from laconic.stores.redis import RedisStore
from laconic.stores.sqlite import SqliteStore

__all__ = [
    "Folder",
    "KeyValue",
    "MemoryStore",
    "Missing",
    "OutsideFolder",
    "RedisStore",
    "SqliteStore",
    "Stamp",
    "StoreDown",
    "StoreError",
    "Taken",
    "TooLarge",
    "Unreadable",
    "frontmatter",
    "open_keyvalue",
]
