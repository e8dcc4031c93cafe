"""The door: what is checked before a request reaches the web routes beside `/mcp`.

Another site's page can make a browser send requests here, so a request must name this server as its host and,
if it changes something, come from a page of this server or from no page at all.
"""

from __future__ import annotations

from laconic.kit.wire.door.admission import Admission, caller_of
from laconic.kit.wire.door.doors import Door, Names
from laconic.kit.wire.door.failed import answer_of, status_of
from laconic.kit.wire.door.guarded import Guarded

__all__ = ["Admission", "Door", "Guarded", "Names", "answer_of", "caller_of", "status_of"]
