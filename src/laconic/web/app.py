"""The application: every operation as a route, with its document."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Match, Mount

from laconic import __version__
from laconic.kit import Door
from laconic.web.catalogue import open_paths, operations, reading_paths
from laconic.web.described.describing import described
from laconic.web.described.responses import responses_of
from laconic.web.failing import ENVELOPE, refused_by_web
from laconic.web.heading import HeadAnswered
from laconic.web.kept.layer import FromKept
from laconic.web.opened import OpenLibrary
from laconic.web.operations import Operation
from laconic.web.visiting import handler_of, route_class

__all__ = ["application", "door", "layers", "routes"]

_YEAR: Final = 31_536_000  # seconds
_ABOUT: Final = (
    "Prompts, notes and bookmarks over HTTP: the library that the tools beside `/mcp` use. "
    "Every failure has the same body; `docs/rest.md` explains it."
)


def door(public_url: str | None = None) -> Door:
    """Return how the routes are protected; over https, browsers are told to stay with it."""
    always = {"strict-transport-security": f"max-age={_YEAR}"} if _is_https(public_url) else {}
    unguarded = open_paths()
    reads = reading_paths()
    return Door(envelope=ENVELOPE, headers=always, open=unguarded, probes=unguarded, reads=reads)


def _is_https(url: str | None) -> bool:
    return url is not None and url.startswith("https:")


def routes(opened: OpenLibrary) -> list[BaseRoute]:
    """Return what is served beside `/mcp`."""
    return [Mount("/", application(opened))]


def layers(opened: OpenLibrary) -> list[Middleware]:
    """Return what a request passes before a route is looked for."""
    return [Middleware(FromKept, opened.answers, opened.endpoint.listing.owners)]


def application(opened: OpenLibrary) -> FastAPI:
    """Return the application of a library."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        await opened.close()

    app = FastAPI(
        title="Laconic",
        version=__version__,
        description=_ABOUT,
        openapi_url=None,  # an operation answers with it, through the same steps as all others
        docs_url=None,  # it would load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        exception_handlers={HTTPException: _refused},
    )
    app.router.route_class = route_class(opened)
    app.add_middleware(HeadAnswered)
    for operation in operations(opened.toolsets):
        _add(app, operation, opened)
    app.openapi = _documented(app, operations(opened.toolsets))  # type: ignore[method-assign]  # as FastAPI's own docs do it
    return app


def _documented(app: FastAPI, known: Sequence[Operation]) -> Callable[[], dict[str, Any]]:
    plain = app.openapi

    def made() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = described(plain(), known)
        return app.openapi_schema

    return made


def _add(app: FastAPI, operation: Operation, opened: OpenLibrary) -> None:
    options: dict[str, Any] = {
        "methods": [operation.method],
        "status_code": operation.status,
        "response_model": operation.gives,
        "summary": operation.says.partition(".")[0].partition(";")[0],
        "description": operation.says,
        "responses": responses_of(operation),
    }
    handler = handler_of(operation, opened)
    app.add_api_route(
        operation.path,
        handler,
        operation_id=operation.name,
        include_in_schema=operation.is_documented,
        **options,
    )
    if operation.path.endswith("/") and operation.path != "/":  # answered without a redirect
        app.add_api_route(operation.path[:-1], handler, include_in_schema=False, **options)


async def _refused(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    if error.status_code == 405:
        error.headers = {"Allow": ", ".join(_methods(request.app.routes, request))}
    refusal = refused_by_web(error)
    return JSONResponse(ENVELOPE.failure(refusal.record()), error.status_code, error.headers)


def _methods(known: Sequence[BaseRoute], request: Request) -> list[str]:
    """Return the methods that an address takes, of all routes that have it."""
    found = (route for route in known if route.matches(request.scope)[0] is not Match.NONE)
    taken = {method for route in found for method in getattr(route, "methods", None) or ()}
    return sorted(taken | ({"HEAD"} if "GET" in taken else set()))
