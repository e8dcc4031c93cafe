"""Ways to keep things: values with a time to live, and folders of text.

Names are looked up on first use: a server that only lists its tools keeps nothing yet.
"""

from importlib import import_module
from typing import Any

_HOMES = {
    "errors": ("Missing", "OutsideFolder", "StoreDown", "StoreError", "Taken", "TooLarge", "Unreadable"),
    "folder": ("Folder", "Stamp"),
    "keyvalue": ("KeyValue",),
    "memory": ("MemoryStore",),
    "opening": ("open_keyvalue",),
    "redis": ("RedisStore",),
    "sqlite": ("SqliteStore",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [*_HOME, "frontmatter"]  # made of the table; __init__.pyi says the same for type checkers


def __getattr__(name: str) -> Any:
    """Find a name in the module it lives in."""
    if name == "frontmatter":
        return import_module("laconic.stores.frontmatter")
    if name not in _HOME:
        raise AttributeError(f"module 'laconic.stores' has no attribute '{name}'")
    value = getattr(import_module(f"laconic.stores.{_HOME[name]}"), name)
    globals()[name] = value
    return value
