"""What the application answers, by path."""

from laconic.sandbox.taiga.answering import handler_of
from laconic.sandbox.taiga.routes import around, projects, work

__all__ = ["handler_of"]

REGISTERED = (around, projects, work)  # importing a module registers its routes
