# Written by scripts/docs from _HOMES in __init__.py.

from laconic.stores.database.database import Database as Database
from laconic.stores.database.schema import Schema as Schema
from laconic.stores.errors import BadValue as BadValue
from laconic.stores.errors import Full as Full
from laconic.stores.errors import Gone as Gone
from laconic.stores.errors import Locked as Locked
from laconic.stores.errors import Missing as Missing
from laconic.stores.errors import Newer as Newer
from laconic.stores.errors import OutsideFolder as OutsideFolder
from laconic.stores.errors import ReadOnly as ReadOnly
from laconic.stores.errors import Stale as Stale
from laconic.stores.errors import StoreDown as StoreDown
from laconic.stores.errors import StoreError as StoreError
from laconic.stores.errors import Taken as Taken
from laconic.stores.errors import Unreadable as Unreadable
from laconic.stores.errors import Unusable as Unusable
from laconic.stores.errors import ValueTooLarge as ValueTooLarge
from laconic.stores.folder import Folder as Folder
from laconic.stores.folder import Stamp as Stamp
from laconic.stores.header.header import Header as Header
from laconic.stores.journal.reading import Reader as Reader
from laconic.stores.journal.writing import Journal as Journal
from laconic.stores.keyvalue.memory import MemoryStore as MemoryStore
from laconic.stores.keyvalue.opening import open_keyvalue as open_keyvalue
from laconic.stores.keyvalue.protocol import KeyValue as KeyValue
from laconic.stores.keyvalue.redis import RedisStore as RedisStore
from laconic.stores.keyvalue.sqlite import SqliteStore as SqliteStore
from laconic.stores.sharedfile import SharedFile as SharedFile
from laconic.stores.shelf.models import By as By
from laconic.stores.shelf.models import Draft as Draft
from laconic.stores.shelf.models import Item as Item
from laconic.stores.shelf.models import ItemEdit as ItemEdit
from laconic.stores.shelf.models import ItemKind as ItemKind
from laconic.stores.shelf.models import ItemLink as ItemLink
from laconic.stores.shelf.models import ItemPage as ItemPage
from laconic.stores.shelf.models import ItemQuery as ItemQuery
from laconic.stores.shelf.models import ItemVersion as ItemVersion
from laconic.stores.shelf.models import TagCount as TagCount
from laconic.stores.shelf.models import preview_of as preview_of
from laconic.stores.shelf.shelf import Shelf as Shelf

__all__ = [
    "BadValue",
    "By",
    "Database",
    "Draft",
    "Folder",
    "Full",
    "Gone",
    "Header",
    "Item",
    "ItemEdit",
    "ItemKind",
    "ItemLink",
    "ItemPage",
    "ItemQuery",
    "ItemVersion",
    "Journal",
    "KeyValue",
    "Locked",
    "MemoryStore",
    "Missing",
    "Newer",
    "OutsideFolder",
    "ReadOnly",
    "Reader",
    "RedisStore",
    "Schema",
    "SharedFile",
    "Shelf",
    "SqliteStore",
    "Stale",
    "Stamp",
    "StoreDown",
    "StoreError",
    "TagCount",
    "Taken",
    "Unreadable",
    "Unusable",
    "ValueTooLarge",
    "open_keyvalue",
    "preview_of",
]
