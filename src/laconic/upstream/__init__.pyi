# Written by scripts/docs from _HOMES in __init__.py.

from laconic.upstream.addresses import path_of as path_of
from laconic.upstream.addresses import root_of as root_of
from laconic.upstream.clock import Clock as Clock
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
from laconic.upstream.errors import rejection as rejection
from laconic.upstream.keeping import Credential as Credential
from laconic.upstream.keeping import KeptCredential as KeptCredential
from laconic.upstream.keeping import credential_name as credential_name
from laconic.upstream.messages import ApiReply as ApiReply
from laconic.upstream.messages import ApiRequest as ApiRequest
from laconic.upstream.pacing import Pace as Pace
from laconic.upstream.policy import Policy as Policy
from laconic.upstream.quotas import Outlook as Outlook
from laconic.upstream.quotas import Quota as Quota
from laconic.upstream.reaching import FetchedPage as FetchedPage
from laconic.upstream.reaching import Reach as Reach
from laconic.upstream.retrying import Retrying as Retrying
from laconic.upstream.session import ApiSession as ApiSession
from laconic.upstream.sharing import SharedRecord as SharedRecord
from laconic.upstream.sharing import held as held
from laconic.upstream.signing import Auth as Auth
from laconic.upstream.signing import OnceAtATime as OnceAtATime

__all__ = [
    "Absent",
    "ApiReply",
    "ApiRequest",
    "ApiSession",
    "Auth",
    "BadAddress",
    "BadReply",
    "Clash",
    "Clock",
    "Credential",
    "Faulty",
    "FetchedPage",
    "Forbidden",
    "Invalid",
    "KeptCredential",
    "OnceAtATime",
    "Outlook",
    "Pace",
    "Policy",
    "Quota",
    "Reach",
    "Rejected",
    "Retrying",
    "SharedRecord",
    "Throttled",
    "Unauthorised",
    "Unreachable",
    "UpstreamError",
    "credential_name",
    "held",
    "path_of",
    "rejection",
    "root_of",
]
