"""One exchange: a request is sent once, and its answer read within the limits of time and size."""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final
from urllib.request import getproxies, proxy_bypass

import httpx2

from laconic.upstream.addresses import host_of, is_local
from laconic.upstream.decoding import Damaged, gathered
from laconic.upstream.errors import BadAddress, BadReply, Unreachable, UpstreamError

__all__ = ["Limits", "Received", "exchanged", "proxy_for", "transport_to"]

_CONNECTING: Final = 5.0  # seconds: who does not take the connection by then is not there
_BODILESS: Final = frozenset({204, 304})
_NOT_SENT: Final = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.ProxyError)


@dataclass(frozen=True)
class Limits:
    """How long an exchange may take, and how long its answer may be."""

    seconds: float
    most: int  # bytes, unpacked
    is_cut: bool = False  # a longer answer is cut, not refused


@dataclass(frozen=True)
class Received:
    """An answer, whatever its status."""

    status: int
    headers: Mapping[str, str]
    content: bytes
    is_cut: bool = False


def transport_to(url: httpx2.URL, connections: int) -> httpx2.AsyncBaseTransport:
    """Open the way to a host, through the proxy that the environment names for it.

    Raises:
        Unreachable: that proxy cannot be used.
    """
    limits = httpx2.Limits(max_connections=connections)
    try:
        trusted = _trusted(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))
        return httpx2.AsyncHTTPTransport(verify=trusted, proxy=proxy_for(url), limits=limits)
    except (ValueError, ImportError, httpx2.InvalidURL):  # no address, or a kind that nobody here speaks
        words = "The proxy that the environment names cannot be used."
        raise Unreachable(words, changed=False) from None  # the cause repeats its password


@cache
def _trusted(file: str | None, folder: str | None) -> ssl.SSLContext:
    """Whom to trust, by what the environment says of it; read once, since it takes 20 ms."""
    return httpx2.create_ssl_context()


def proxy_for(url: httpx2.URL) -> str | None:
    """Return the proxy for a host; this machine is never asked through one, which would get the token."""
    if is_local(url) or proxy_bypass(host_of(url)) or proxy_bypass(url.host):
        return None
    proxies = getproxies()
    return proxies.get(url.scheme) or proxies.get("all")


async def exchanged(
    transport: httpx2.AsyncBaseTransport,
    request: httpx2.Request,
    limits: Limits,
    *,
    changes: bool,
    host: str = "",
) -> Received:
    """Send a request once and read its answer; no redirect is followed, and no cookie is kept.

    Raises:
        Unreachable: no complete answer came.
        BadReply: the answer is no HTTP, cannot be unpacked, or is too long.
        BadAddress: the request itself cannot be sent.
    """
    exchange = _Exchange(host or host_of(request.url), limits, changes)
    connecting = min(_CONNECTING, limits.seconds * 0.9)
    request.extensions["timeout"] = {"connect": connecting, "pool": connecting, "read": None, "write": None}
    try:
        async with asyncio.timeout(limits.seconds):
            return await exchange.run(transport, request)
    except TimeoutError as error:
        raise exchange.too_slow() from error
    except httpx2.LocalProtocolError as error:
        raise exchange.failed(error) from None  # it repeats the header, which may be the token
    except httpx2.TransportError as error:
        raise exchange.failed(error) from error


class _Exchange:
    """One exchange under way, and what its failure means."""

    def __init__(self, host: str, limits: Limits, changes: bool) -> None:
        self._host, self._limits = host, limits
        self._changed = None if changes else False
        self._is_answered = False

    async def run(self, transport: httpx2.AsyncBaseTransport, request: httpx2.Request) -> Received:
        response = await transport.handle_async_request(request)
        self._is_answered = True
        try:
            has_body = request.method != "HEAD" and response.status_code not in _BODILESS
            content, is_cut = await (self._body(response) if has_body else self._end(response))
        finally:
            await response.aclose()
        return Received(response.status_code, response.headers, content, is_cut)

    async def _body(self, response: httpx2.Response) -> tuple[bytes, bool]:
        most, headers = self._limits.most, response.headers
        is_refusal = response.status_code >= 400  # then the status counts, whatever is wrong with its body
        may_be_cut = self._limits.is_cut or is_refusal
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length) > most and not may_be_cut:
            raise self._too_long()
        try:
            content, is_cut = await gathered(
                _stream(response), headers.get("content-encoding", "").lower(), most
            )
        except Damaged as error:
            if is_refusal:
                return b"", False
            raise BadReply(
                f"The answer of {self._host} is damaged: {error}.", changed=self._changed
            ) from error
        if is_cut and not may_be_cut:
            raise self._too_long()
        return content, is_cut

    async def _end(self, response: httpx2.Response) -> tuple[bytes, bool]:
        """Read an answer without a body to its end, or its connection could not be used again."""
        await gathered(_stream(response), "", self._limits.most)  # its headers may be those of a body
        return b"", False

    def _too_long(self) -> BadReply:
        size = f"{self._limits.most:,} bytes"
        return BadReply(f"The answer of {self._host} is longer than {size}.", changed=self._changed)

    def too_slow(self) -> Unreachable:
        what = "finish its answer" if self._is_answered else "answer"
        words = f"{self._host} did not {what} within {self._limits.seconds:g} s."
        return Unreachable(words, changed=self._changed)

    def failed(self, error: httpx2.TransportError) -> UpstreamError:
        if isinstance(error, _NOT_SENT):
            return Unreachable(f"{self._host} cannot be reached: {_reason(error)}.", changed=False)
        if isinstance(error, httpx2.LocalProtocolError | httpx2.UnsupportedProtocol):
            return BadAddress(f"The request to {self._host} cannot be sent: its headers are not valid.")
        if isinstance(error, httpx2.RemoteProtocolError) and not self._is_answered and _is_malformed(error):
            return BadReply(f"The answer of {self._host} is not valid HTTP.", changed=self._changed)
        where = "in the middle of its answer" if self._is_answered else "without an answer"
        return Unreachable(f"{self._host} broke off the connection {where}.", changed=self._changed)


def _stream(response: httpx2.Response) -> httpx2.AsyncByteStream:
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    return response.stream


def _is_malformed(error: BaseException) -> bool:
    """True if the parser complained; otherwise the connection just ended."""
    return any(type(one).__module__.partition(".")[0] == "h11" for one in _causes(error))


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _reason(failure: BaseException) -> str:
    """Return in words why there is no connection, from whatever is underneath."""
    for error in _causes(failure):
        if isinstance(error, ssl.SSLCertVerificationError):
            return f"its certificate is not valid ({error.verify_message})"
        if isinstance(error, ssl.SSLError):
            return "it does not speak TLS as expected"
        if isinstance(error, socket.gaierror):
            return "there is no host of that name"
        if isinstance(error, ConnectionRefusedError):
            return "the connection was refused"
        if isinstance(error, TimeoutError | httpx2.TimeoutException):
            return "the connection took too long"
        if isinstance(error, httpx2.ProxyError):
            return "the proxy refused"
    return "the connection failed"
