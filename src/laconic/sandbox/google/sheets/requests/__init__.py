"""The requests of a batch: each changes a spreadsheet, and returns its reply."""

from collections.abc import Callable
from typing import Any

Request = Callable[[dict[str, Any], dict[str, Any]], dict[str, Any]]
