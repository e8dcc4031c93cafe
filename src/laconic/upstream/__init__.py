"""HTTP to other systems: one session with sign-in, retry and rate limits.

A status becomes one of a few errors, which the kit puts into words. Names are looked up on first use.
"""

from laconic.lazily import lazily as _lazily

_HOMES = {
    "addresses": ("path_of", "root_of"),
    "clock": ("Clock",),
    "errors": (
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
        "rejection",
    ),
    "keeping": ("Credential", "KeptCredential", "credential_name"),
    "messages": ("ApiReply", "ApiRequest"),
    "pacing": ("Pace",),
    "policy": ("Policy",),
    "quotas": ("Outlook", "Quota"),
    "reaching": ("FetchedPage", "Reach"),
    "retrying": ("Retrying",),
    "session": ("ApiSession",),
    "sharing": ("SharedRecord", "held"),
    "signing": ("Auth", "OnceAtATime"),
}

# from the table above; scripts/docs writes __init__.pyi from it for type checkers
__all__ = sorted(name for names in _HOMES.values() for name in names)

__getattr__ = _lazily("laconic.upstream", _HOMES)
