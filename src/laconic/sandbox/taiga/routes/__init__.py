"""What the application answers, by path."""

from laconic.sandbox.taiga.answering import handler_of
from laconic.sandbox.taiga.routes import epic_links, looking_up, projects, sprints, talk, work

__all__ = ["handler_of"]

# importing a module registers its routes
REGISTERED = (epic_links, looking_up, projects, sprints, talk, work)
