"""The kit: declare a tool once, and get a production-grade one.

Names are looked up on first use, so that a server that only lists its tools imports no more than it needs.
"""

from importlib import import_module
from typing import Any

_HOMES = {
    "compose": ("Parts", "settle"),
    "content": ("Audio", "Image", "Link", "Message", "Resource", "Text"),
    "dress": ("META", "PAGINATION", "TABLE", "Dress"),
    "endpoint": ("Endpoint",),
    "errors": (
        "BadArguments",
        "BadConfiguration",
        "BadCursor",
        "Bug",
        "Conflict",
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
        "Unknown",
        "UpstreamDown",
    ),
    "pages": ("Batch", "Page", "Position", "Window"),
    "peer": ("Caller", "Changes", "Guard", "NotSupported", "Peer", "Progress", "Shown"),
    "pipeline": ("Answer", "Call", "Inner", "Step"),
    "rules": ("Rule", "at_least_one", "exactly_one", "ordered"),
    "serving": ("serve",),
    "settings": ("Settings",),
    "signature": ("Complete", "Inline", "UNSET", "Unset", "Was"),
    "spec": ("Effect", "ToolSpec"),
    "toolset": ("PromptEntry", "PromptSource", "Toolset"),
    "views": ("Record",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = list(_HOME)  # made of the table; __init__.pyi says the same for type checkers


def __getattr__(name: str) -> Any:
    """Find a name in the module it lives in."""
    if name not in _HOME:
        raise AttributeError(f"module 'laconic.kit' has no attribute '{name}'")
    value = getattr(import_module(f"laconic.kit.{_HOME[name]}"), name)
    globals()[name] = value
    return value
