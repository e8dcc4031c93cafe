"""What may be done on a Taiga instance: the rules, and what Taiga's answers mean."""

from laconic.servers.taiga.service.projects import ActiveProject
from laconic.servers.taiga.service.taiga import Taiga

__all__ = ["ActiveProject", "Taiga"]
