"""The tools of the issues server, by subject."""

from laconic.servers.issues.tools import issues as _issues
from laconic.servers.issues.tools import sessions as _sessions
from laconic.servers.issues.tools.toolset import issues

__all__ = ["issues"]

_ = (_issues, _sessions)  # importing them declares their tools
