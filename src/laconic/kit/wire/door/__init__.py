"""The door: what is checked before a request reaches the web routes beside `/mcp`.

Another site's page can make a browser send requests here, so a request must name this server as its host and,
if it changes something, come from a page of this server or from no page at all.
"""

from __future__ import annotations

from laconic.kit.wire.door.admission import Admission, caller_of
from laconic.kit.wire.door.doors import Door, Names
from laconic.kit.wire.door.failed import answer_of, answer_to, status_of
from laconic.kit.wire.door.guarded import Guarded
from laconic.kit.wire.door.sharing import Shared
from laconic.kit.wire.door.translated import Translated

__all__ = [
    "Admission",
    "Door",
    "Guarded",
    "Names",
    "Shared",
    "Translated",
    "answer_of",
    "answer_to",
    "caller_of",
]
__all__ += ["status_of"]
