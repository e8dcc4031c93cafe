"""What can be done with issues, and the rules."""

from laconic.servers.issues.service.categories import Categories
from laconic.servers.issues.service.tracker import Tracker

__all__ = ["Categories", "Tracker"]
