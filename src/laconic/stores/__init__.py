"""Ways to keep things: values with a time to live, databases, folders of text files and their YAML headers.

Names are looked up on first use: a server that only lists its tools does not need them yet.
"""

from laconic.lazily import lazily as _lazily

_HOMES = {
    "database.database": ("Database",),
    "database.schema": ("Schema",),
    "errors": (
        "BadValue",
        "Full",
        "Gone",
        "Locked",
        "Missing",
        "Newer",
        "OutsideFolder",
        "ReadOnly",
        "Stale",
        "StoreDown",
        "StoreError",
        "Taken",
        "Unreadable",
        "Unusable",
        "ValueTooLarge",
    ),
    "folder": ("Folder", "Stamp"),
    "header.header": ("Header",),
    "journal.reading": ("Reader",),
    "journal.writing": ("Journal",),
    "keyvalue.memory": ("MemoryStore",),
    "keyvalue.opening": ("open_keyvalue",),
    "keyvalue.protocol": ("KeyValue",),
    "keyvalue.redis": ("RedisStore",),
    "keyvalue.sqlite": ("SqliteStore",),
    "sharedfile": ("SharedFile",),
    "shelf.models": (
        "By",
        "Draft",
        "Item",
        "ItemEdit",
        "ItemKind",
        "ItemLink",
        "ItemPage",
        "ItemQuery",
        "ItemVersion",
        "TagCount",
        "preview_of",
    ),
    "shelf.shelf": ("Shelf",),
}

# from the table above; scripts/docs writes __init__.pyi from it for type checkers
__all__ = sorted(name for names in _HOMES.values() for name in names)

__getattr__ = _lazily("laconic.stores", _HOMES)
