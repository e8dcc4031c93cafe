# Written by scripts/docs from _HOMES in __init__.py.

from laconic.upstream.errors import Absent as Absent
from laconic.upstream.errors import BadAddress as BadAddress
from laconic.upstream.errors import BadReply as BadReply
from laconic.upstream.errors import Clash as Clash
from laconic.upstream.errors import Faulty as Faulty
from laconic.upstream.errors import Forbidden as Forbidden
from laconic.upstream.errors import Invalid as Invalid
from laconic.upstream.errors import Rejected as Rejected
from laconic.upstream.errors import Throttled as Throttled
from laconic.upstream.errors import Unauthorised as Unauthorised
from laconic.upstream.errors import Unreachable as Unreachable
from laconic.upstream.errors import UpstreamError as UpstreamError

__all__ = [
    "Absent",
    "BadAddress",
    "BadReply",
    "Clash",
    "Faulty",
    "Forbidden",
    "Invalid",
    "Rejected",
    "Throttled",
    "Unauthorised",
    "Unreachable",
    "UpstreamError",
]
