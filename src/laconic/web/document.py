"""The document of the API, in OpenAPI 3.1."""

from __future__ import annotations

import json
from typing import Any

from fastapi import FastAPI

from laconic.kit import Endpoint, Toolset
from laconic.web.app import application
from laconic.web.opened import SERVED, OpenLibrary

__all__ = ["document_text", "whole_application"]


def whole_application() -> FastAPI:
    """Return the application as it is when the whole library is served; nothing is opened for it."""
    return application(OpenLibrary(Endpoint([Toolset(name) for name in SERVED])))


def document_text() -> str:
    """Return the document as it is kept in a file, without the version of the program."""
    found: dict[str, Any] = whole_application().openapi()
    found["info"] = {name: value for name, value in found["info"].items() if name != "version"}
    return json.dumps(found, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
