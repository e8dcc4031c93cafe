"""The requests of a batch: each changes a presentation, and returns its reply."""

from collections.abc import Callable
from typing import Any

from laconic.sandbox.google.decks.objects import Editing

SlideRequest = Callable[[Editing, dict[str, Any]], dict[str, Any]]
