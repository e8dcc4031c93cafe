"""Visiting: a request through the outer steps of a tool's call, and what it is answered with."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from laconic.kit import RouteSpec, caller_of, failure_of
from laconic.kit.peer import SilentPeer
from laconic.text import NoLines, NotReplaced
from laconic.web.etags import etag_of, is_known
from laconic.web.failing import failed_answer, invalid, refused_by_web
from laconic.web.opened import OpenLibrary
from laconic.web.operations import Operation, Visit, WebReply
from laconic.web.people import author_of
from laconic.web.rates import rate_headers
from laconic.web.replacing import refused_edit

__all__ = ["handler_of", "route_class"]

_PRIVATE: Final = {"cache-control": "private, no-cache", "vary": "Authorization"}

Handle = Callable[[Request], Coroutine[Any, Any, Response]]


def handler_of(operation: Operation, opened: OpenLibrary) -> Callable[..., Awaitable[Response]]:
    """Return the function of a route, with the signature that its operation declares."""

    async def handle(**given: Any) -> Response:
        request: Request = given["request"]
        path = {name: given[name] for name in operation.in_path}
        visit = Visit(opened, request, path, given.get("query"), given.get("body"), given.get("if_match"))
        return _response(operation, request, await operation.run(visit))

    handle.__signature__ = operation.signature  # type: ignore[attr-defined]  # what FastAPI reads
    handle.operation = operation  # type: ignore[attr-defined]
    return handle


def route_class(opened: OpenLibrary) -> type[APIRoute]:
    """Return the kind of routes whose requests go through the steps of the kit."""

    class SteppedRoute(APIRoute):
        """A route behind the outer steps."""

        def get_route_handler(self) -> Handle:
            """Return what answers a request."""
            return _stepped(self.endpoint.operation, super().get_route_handler(), opened)  # type: ignore[attr-defined]

    return SteppedRoute


def _stepped(operation: Operation, inner: Handle, opened: OpenLibrary) -> Handle:
    async def run(request: Request) -> Response:
        try:
            return await inner(request)
        except RequestValidationError as error:
            raise invalid(error) from None
        except HTTPException as error:
            raise refused_by_web(error) from None
        except (NotReplaced, NoLines) as error:
            given = await _given(request)
            failure = failure_of(error, given=lambda: given)
            raise refused_edit(failure, error) from None

    spec = RouteSpec(
        name=f"{operation.method} {operation.path}",
        toolset=operation.toolset,
        function=run,
        effect=operation.effect,
        subject=operation.subject,
        described=operation.says,
        is_counted=operation.counted,
    )
    visit = opened.endpoint.route(spec)

    async def handle(request: Request) -> Response:
        caller = caller_of(request.scope)
        peer = SilentPeer(caller)
        peer.client = author_of(request.scope).source
        answer = await visit({"request": request}, request.path_params, peer)
        response: Response = answer.value if answer.failure is None else failed_answer(answer)
        if answer.counts:
            response.headers.update(rate_headers(answer.counts))
        return response

    return handle


async def _given(request: Request) -> dict[str, Any]:
    """Return what the caller sent by name, with numbers as numbers."""
    query = {name: int(value) if value.isdecimal() else value for name, value in request.query_params.items()}
    body = await request.json() if request.method != "GET" else {}
    return {**query, **body} if isinstance(body, dict) else query


def _response(operation: Operation, request: Request, reply: WebReply) -> Response:
    if reply.response is not None:
        return reply.response
    headers, status = {**_PRIVATE, **reply.headers}, reply.status or operation.status
    if reply.value is None:
        return Response(status_code=status, headers=headers)
    body = _bytes(reply.value)
    if status < 300 and (operation.method == "GET" or reply.version is not None):
        headers["etag"] = etag_of(body, reply.version)
        if operation.method == "GET" and is_known(request.headers.get("if-none-match"), headers["etag"]):
            return Response(status_code=304, headers=headers)
    return Response(body, status, headers, media_type=reply.media)


def _bytes(value: BaseModel | bytes) -> bytes:
    return value if isinstance(value, bytes) else value.__pydantic_serializer__.to_json(value, by_alias=True)
