"""The requests of a batch: each changes a draft of a document, and returns its reply."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from laconic.sandbox.google.docs.draft import Draft

__all__ = ["DocRequest"]

DocRequest = Callable[[Draft, dict[str, Any]], dict[str, Any]]
