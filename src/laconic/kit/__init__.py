"""The kit: declare a tool once, and get a production-grade one.

A name is imported on first use, so a server that only lists its tools starts fast. For the same reason a
function imports the modules that the tool list, or most calls, do not need. An import inside a function has
this reason unless its line names another.
"""

from laconic.lazily import lazily as _lazily

_HOMES = {
    "arguments.described": ("Described",),
    "arguments.separate": ("SeparatePart",),
    "asking": ("Ask",),
    "checkups": ("Diagnosis",),
    "compose": ("Parts", "settle"),
    "answers.content": ("Audio", "Image", "Link", "Message", "Resource", "Text", "Verbatim"),
    "answers.cells": ("line_start", "one_line"),
    "answers.envelope": (
        "META",
        "PAGINATION",
        "TABLE",
        "Envelope",
        "Items",
        "Meta",
        "PageFacts",
        "Pagination",
    ),
    "endpoint": ("Endpoint",),
    "errors": (
        "BadArguments",
        "BadConfiguration",
        "BadCursor",
        "Bug",
        "Conflict",
        "Declined",
        "Failure",
        "Moved",
        "NeedsConfirm",
        "NotFound",
        "OutsideWorkspace",
        "Problem",
        "RateLimited",
        "Refused",
        "TimedOut",
        "TooLarge",
        "Unavailable",
        "Unknown",
        "UpstreamDown",
    ),
    "supplying.home": ("HomeFolders", "Home"),
    "idle": ("later",),
    "memory": ("Memory",),
    "journal.calls": ("CallJournal",),
    "answers.pages": ("Batch", "Page", "Position", "Window"),
    "peer": (
        "Peer",
        "SilentPeer",
        "Caller",
        "About",
        "Changed",
        "Changes",
        "Guard",
        "NotSupported",
        "Progress",
        "Shown",
    ),
    "pipeline": ("Answer", "Call", "Inner", "Step", "only_for", "time_left"),
    "declaring.rules": ("Rule", "at_least_one", "exactly_one", "ordered", "together"),
    "redaction": ("learn_secrets",),
    "serving": ("serve",),
    "settings": ("InWorkspace", "Settings", "UserOnly"),
    "declaring.signature": ("Complete", "Inline", "Raw", "UNSET", "Unset", "Was"),
    "declaring.options": ("Versioned",),
    "declaring.parts": ("COMMAS", "CamelPart", "Part", "UNLISTED"),
    "declaring.profiles": ("Profile",),
    "declaring.spec": ("Effect", "RouteSpec", "ToolSpec"),
    "translation": ("failure_of",),
    "declaring.takes": ("Takes",),
    "toolset": ("PromptEntry", "PromptSource", "Toolset"),
    "answers.records": ("Record",),
    "wire.door": ("Door", "caller_of", "status_of"),
    "wire.http": ("http_app",),
    "wire.listening": ("serve_http",),
    "wire.tokens": ("Holder", "Tokens", "Verifier"),
}

# from the table above; scripts/docs writes __init__.pyi from it for type checkers
__all__ = sorted(name for names in _HOMES.values() for name in names)

__getattr__ = _lazily("laconic.kit", _HOMES)
