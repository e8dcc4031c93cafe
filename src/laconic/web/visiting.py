"""Visiting: a request through the outer steps of a tool's call, and what it is answered with."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace
from typing import Any, Final

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from laconic.kit import Problem, RouteSpec, caller_of, failure_of
from laconic.text import NoLines, NotReplaced
from laconic.web.advising import ignored_header, unknown_fields
from laconic.web.etags import etag_of, is_known
from laconic.web.failing import failed_answer, invalid, refused_by_web
from laconic.web.opened import OpenLibrary
from laconic.web.operations import Operation, Visit, WebReply
from laconic.web.people import peer_of
from laconic.web.rates import rate_headers
from laconic.web.reading import JsonRequest
from laconic.web.replacing import refused_edit

__all__ = ["handler_of", "route_class"]

_PRIVATE: Final = {"cache-control": "private, no-cache", "vary": "Authorization"}

_LINE_DIGITS: Final = 10  # of the last line that can be asked for

Handle = Callable[[Request], Coroutine[Any, Any, Response]]


def handler_of(operation: Operation, opened: OpenLibrary) -> Callable[..., Awaitable[Response]]:
    """Return the function of a route, with the signature that its operation declares."""

    async def handle(**given: Any) -> Response:
        request: Request = given["request"]
        path = {name: given[name] for name in operation.in_path}
        visit = Visit(opened, request, path, given.get("query"), given.get("body"), given.get("if_match"))
        response = _response(operation, await operation.run(visit))
        if operation.body is not None or request.scope["query_string"]:
            body = await request.json() if operation.body is not None else {}
            response.headers.update(ignored_header(_unknown(operation, request, body)))
        return response

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
        mark = await opened.answers.mark() if operation.is_kept else None
        try:
            response = await inner(request)
        except RequestValidationError as error:
            raise invalid(error, _unknown(operation, request, error.body), operation.path) from None
        except HTTPException as error:
            raise refused_by_web(error) from None
        except (NotReplaced, NoLines) as error:
            given = await _given(request)
            failure = failure_of(error, given=lambda: given)
            raise refused_edit(failure, error) from None
        opened.answers.keep(mark, request.scope, again, response)
        return response

    spec = RouteSpec(
        name=f"{operation.method} {operation.path}",
        toolset=operation.toolset,
        function=run,
        effect=operation.effect,
        subject=operation.subject,
        described=operation.says,
        is_counted=operation.counted,
    )
    visit, tools = opened.endpoint.route(spec), opened.endpoint.listing.owners
    again = opened.endpoint.route(replace(spec, function=_nothing))

    async def handle(request: Request) -> Response:
        if operation.body is not None:
            request = JsonRequest(request.scope, request.receive)
        answer = await visit({"request": request}, request.path_params, peer_of(caller_of(request.scope)))
        response: Response = answer.value if answer.failure is None else failed_answer(answer, tools)
        response = _unless_known(response, request)
        if answer.counts:
            response.headers.update(rate_headers(answer.counts))
        return response

    return handle


def _unknown(operation: Operation, request: Request, body: Any) -> list[Problem]:
    """Return the fields of a request that its operation does not know."""
    taken = operation.query.model_fields if operation.query is not None else ()
    fields = operation.body.model_fields if operation.body is not None else ()
    return [*unknown_fields(request.query_params, taken), *(unknown_fields(body, fields) if fields else ())]


async def _nothing() -> None:
    """Do nothing: the answer is there already."""


def _unless_known(response: Response, request: Request) -> Response:
    """Return an answer without its body if the client has it already."""
    etag = response.headers.get("etag")
    if request.method != "GET" or etag is None or not is_known(request.headers.get("if-none-match"), etag):
        return response
    headers = {name: value for name, value in response.headers.items() if not name.startswith("content-")}
    return Response(status_code=304, headers=headers)


async def _given(request: Request) -> dict[str, Any]:
    """Return what the caller sent by name, with numbers of lines as numbers."""
    query = {name: int(value) if _is_line(value) else value for name, value in request.query_params.items()}
    body = await request.json() if request.method != "GET" else {}
    return {**query, **body} if isinstance(body, dict) else query


def _is_line(text: str) -> bool:
    return len(text) <= _LINE_DIGITS and text.isdecimal()


def _response(operation: Operation, reply: WebReply) -> Response:
    if reply.response is not None:
        return reply.response
    headers, status = {**_PRIVATE, **reply.headers}, reply.status or operation.status
    if reply.value is None:
        return Response(status_code=status, headers=headers)
    body = _bytes(reply.value)
    if status < 300 and (operation.method == "GET" or reply.version is not None):
        headers["etag"] = etag_of(body, reply.version)
    return Response(body, status, headers, media_type=reply.media)


def _bytes(value: BaseModel | bytes) -> bytes:
    return value if isinstance(value, bytes) else value.__pydantic_serializer__.to_json(value, by_alias=True)
