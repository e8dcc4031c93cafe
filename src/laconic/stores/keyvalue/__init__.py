"""Key-value stores: bytes under a name, each with an optional time to live, in memory, SQLite or Redis.

`KeyValue` is the protocol they share; `opening` chooses a store by its address.
"""

from typing import TYPE_CHECKING

from laconic.lazily import lazily as _lazily

if TYPE_CHECKING:
    from laconic.stores.keyvalue.protocol import Counted, KeyValue

__all__ = ["Counted", "KeyValue"]

__getattr__ = _lazily("laconic.stores.keyvalue", {"protocol": ("Counted", "KeyValue")})
