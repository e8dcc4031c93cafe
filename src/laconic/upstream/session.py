"""One session with one API: signed, paced, tried again where that is safe, and limited in time and size."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import defaultdict
from types import TracebackType
from typing import Any, Final, Self

import httpx2

from laconic.effects import note_effect
from laconic.upstream.addresses import host_of, origin_of, parsed, root_of, within
from laconic.upstream.clock import Clock
from laconic.upstream.effort import Effort
from laconic.upstream.errors import BadAddress, BadReply, Throttled, UpstreamError
from laconic.upstream.exchange import Limits, Received, exchanged, transport_to
from laconic.upstream.hiding import sent_secrets
from laconic.upstream.messages import ApiReply, ApiRequest
from laconic.upstream.pacing import Pace
from laconic.upstream.policy import Policy
from laconic.upstream.quotas import Outlook
from laconic.upstream.redirecting import is_redirect, redirected
from laconic.upstream.replies import body_of, is_success, rejected
from laconic.upstream.signing import Auth

__all__ = ["ApiSession"]

_OWN_HEADERS: Final = {"accept-encoding": "gzip", "user-agent": "laconic"}
log = logging.getLogger("laconic.upstream")


class ApiSession:
    """Requests to one API, each answered with a reply or one of the few errors."""

    def __init__(
        self,
        root: str,
        auth: Auth | None = None,
        policy: Policy | None = None,
        *,
        pace: Pace | None = None,
        clock: Clock | None = None,
        transport: httpx2.AsyncBaseTransport | None = None,
        app: Any = None,
    ) -> None:
        """Take the root that paths are below, and who signs; connects when the first request is sent.

        With an `app`, an ASGI application, requests go to it in this process and not over the network.

        Raises:
            BadAddress: the root is no address, or the tokens were made for other hosts.
        """
        self._root = root_of(root)
        self._host = host_of(parsed(root))
        if auth is not None and origin_of(self._root) not in auth.origins:
            raise BadAddress(f"The credential was not made for {self._host}.")
        self._auth = auth
        self._policy = policy or Policy()
        self._clock = clock or Clock()
        self._pace = pace or Pace(clock=self._clock)
        self._slots = asyncio.Semaphore(self._policy.concurrency)
        self._turns: defaultdict[str, asyncio.Semaphore] = defaultdict(
            lambda: asyncio.Semaphore(self._policy.concurrency)
        )
        self._unsigned = {path.strip("/") for path in self._policy.unsigned}
        self._transport = transport if app is None else httpx2.ASGITransport(app=app)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def outlook(self, group: str) -> Outlook:
        """Return what the next request of a group can expect."""
        return self._pace.outlook(group)

    async def close(self) -> None:
        """Close the connections."""
        if self._transport is not None:
            await self._transport.aclose()

    async def get(self, path: str, **more: Any) -> ApiReply:
        """Send a GET; `more` is what an ApiRequest takes."""
        return await self.send(ApiRequest(method="GET", path=path, **more))

    async def post(self, path: str, **more: Any) -> ApiReply:
        """Send a POST, once, unless `resending` says that it may be sent twice."""
        return await self.send(ApiRequest(method="POST", path=path, **more))

    async def put(self, path: str, **more: Any) -> ApiReply:
        """Send a PUT."""
        return await self.send(ApiRequest(method="PUT", path=path, **more))

    async def patch(self, path: str, **more: Any) -> ApiReply:
        """Send a PATCH, once, unless `resending` says that it may be sent twice."""
        return await self.send(ApiRequest(method="PATCH", path=path, **more))

    async def delete(self, path: str, **more: Any) -> ApiReply:
        """Send a DELETE; that a thing is gone after a lost answer is a success."""
        return await self.send(ApiRequest(method="DELETE", path=path, **more))

    async def send(self, request: ApiRequest) -> ApiReply:
        """Send a request until it is answered or another attempt makes no sense.

        That it changed something, or may have, is noted for the call that it is a part of.

        Raises:
            UpstreamError: one of its kinds; each says whether anything can have changed.
        """
        is_harmless = not request.changes or self._signs_in(request)
        try:
            return await self._sent(request)
        except UpstreamError as error:
            is_harmless = is_harmless or error.harmless
            raise
        finally:
            if not is_harmless:
                note_effect()

    async def _sent(self, request: ApiRequest) -> ApiReply:
        effort = Effort(request, self._policy)
        while True:
            try:
                return await self._tried(request, effort)
            except UpstreamError as error:
                effort.failed(error)
                if effort.is_done(error):
                    return effort.done(error)
                await self._pause(error, effort)

    async def _pause(self, error: UpstreamError, effort: Effort) -> None:
        """Wait before another attempt; raise the error if there is none."""
        pause = effort.pause(error, self._clock.now())
        if isinstance(error, Throttled) and error.attempts:
            await self._pace.close(effort.request.group, error.wait or pause or 1.0)
        if pause is None:
            raise error
        log.info("%s: attempt %d failed, the next one in %.1f s", self._host, error.attempts, pause)
        if not isinstance(error, Throttled):  # for that everyone waits, see above
            await self._clock.sleep(pause)
            effort.waited += pause

    async def _tried(self, request: ApiRequest, effort: Effort) -> ApiReply:
        token = await self._token(request, effort, "")
        received = await self._exchanged(request, effort, token)
        if received.status == 401 and token and not effort.is_renewed:
            effort.is_renewed = True
            token = await self._token(request, effort, token)
            received = await self._exchanged(request, effort, token)
        if is_success(received, request):
            data = body_of(received, request, self._host)
            return ApiReply(received.status, received.headers, data, effort.attempts, effort.waited)
        sent = sent_secrets(request, self._policy.headers, signs_in=self._signs_in(request))
        secrets = [token, *sent]
        raise rejected(received, request, self._host, self._policy, self._clock.now(), secrets)

    async def _token(self, request: ApiRequest, effort: Effort, stale: str) -> str:
        if self._auth is None or self._signs_in(request):
            return ""
        try:
            return await (self._auth.renew(stale) if stale else self._auth.token())
        except UpstreamError as error:
            effort.is_over = True  # whoever signs has tried what can be tried
            own = error.own()  # all who waited for this token get the same error
            own.changed = False  # the request itself was not accepted, or not sent
            raise own from error

    def _signs_in(self, request: ApiRequest) -> bool:
        path = request.path
        if "://" in path:  # a whole address
            path = str(parsed(path).copy_with(query=None, fragment=None)).removeprefix(self._root)
        return path.strip("/") in self._unsigned

    async def _exchanged(self, request: ApiRequest, effort: Effort, token: str) -> Received:
        """Send a request when it is its turn; who waits for one quota holds up nobody who needs another."""
        made = self._made(request, token)
        async with self._turns[request.group]:  # no more have a turn than are sent, so that none gets old
            effort.waited += await self._pace.turn(request.group, request.cost, effort.patience())
            async with self._slots:
                effort.attempts += 1
                return await self._followed(request, made)

    async def _followed(self, request: ApiRequest, made: httpx2.Request) -> Received:
        """Send a request, and again to where the same host redirects it."""
        if self._transport is None:
            self._transport = transport_to(made.url, self._policy.concurrency)
        limits = Limits(request.timeout or self._policy.timeout, request.most or self._policy.most)
        for _ in range(self._policy.redirects + 1):
            received = await exchanged(self._transport, made, limits, changes=request.changes)
            if received.status in request.accepts or not is_redirect(received):
                return received
            target = redirected(received, made, changes=request.changes)
            made = httpx2.Request(made.method, target, headers=_moved(made), content=made.content)
        raise BadReply(f"{self._host} redirects again and again.", changed=False)

    def _made(self, request: ApiRequest, token: str) -> httpx2.Request:
        given = {**self._policy.headers, **request.headers}
        headers = _OWN_HEADERS | {name.lower(): value for name, value in given.items()}
        content = request.content
        try:
            if request.body is not None:
                content = json.dumps(request.body, allow_nan=False, ensure_ascii=False).encode()
                headers.setdefault("content-type", "application/json")
            if request.reads == "json":
                headers.setdefault("accept", "application/json")
            if token:
                headers["authorization"] = f"{self._policy.scheme} {token}"
            url = within(self._root, request.path)
            query = {name: value for name, value in request.query.items() if value is not None}
            if query and "?" not in url:  # read once as a whole, which is quicker than adding it
                url, query = f"{url}?{httpx2.QueryParams(query)}", {}
            return httpx2.Request(request.method, url, params=query or None, headers=headers, content=content)
        except (ValueError, TypeError, httpx2.InvalidURL) as error:
            raise BadAddress(
                f"The request to {self._host} cannot be sent: {type(error).__name__}."
            ) from error


def _moved(made: httpx2.Request) -> dict[str, str]:
    return {name: value for name, value in made.headers.items() if name not in ("host", "content-length")}
