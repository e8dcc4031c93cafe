# Written by scripts/docs from _HOMES in __init__.py.

from laconic.stores.errors import Missing as Missing
from laconic.stores.errors import OutsideFolder as OutsideFolder
from laconic.stores.errors import StoreDown as StoreDown
from laconic.stores.errors import StoreError as StoreError
from laconic.stores.errors import Taken as Taken
from laconic.stores.errors import Unreadable as Unreadable
from laconic.stores.errors import ValueTooLarge as ValueTooLarge
from laconic.stores.folder import Folder as Folder
from laconic.stores.folder import Stamp as Stamp
from laconic.stores.header.header import Header as Header
from laconic.stores.keyvalue.memory import MemoryStore as MemoryStore
from laconic.stores.keyvalue.opening import open_keyvalue as open_keyvalue
from laconic.stores.keyvalue.protocol import KeyValue as KeyValue
from laconic.stores.keyvalue.redis import RedisStore as RedisStore
from laconic.stores.keyvalue.sqlite import SqliteStore as SqliteStore
from laconic.stores.sharedfile import SharedFile as SharedFile

__all__ = [
    "Folder",
    "Header",
    "KeyValue",
    "MemoryStore",
    "Missing",
    "OutsideFolder",
    "RedisStore",
    "SharedFile",
    "SqliteStore",
    "Stamp",
    "StoreDown",
    "StoreError",
    "Taken",
    "Unreadable",
    "ValueTooLarge",
    "open_keyvalue",
]
