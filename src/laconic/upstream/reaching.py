"""Fetching a stranger's page: only from public addresses, checked after DNS and again at every redirect."""

from __future__ import annotations

import asyncio
import codecs
import re
import socket
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final

import httpx2

from laconic.upstream.addresses import host_of, parsed
from laconic.upstream.errors import BadAddress, BadReply, Unreachable
from laconic.upstream.exchange import Limits, Received, exchanged
from laconic.upstream.messages import ApiRequest
from laconic.upstream.policy import Policy
from laconic.upstream.replies import rejected

__all__ = ["FetchedPage", "Reach", "is_public"]

Address = IPv4Address | IPv6Address
Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
"""Returns the addresses of a host."""

_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_PAGES: Final = ("text/html", "application/xhtml+xml", "text/plain")
_PORTS: Final = frozenset({80, 443})
_NEVER: Final = (  # public by their numbers, but not by what answers there
    ip_network("168.63.129.16/32"),  # a cloud's own services
    ip_network("192.88.99.0/24"),  # relays into other networks
    ip_network("64:ff9b:1::/48"),  # a translation whose targets cannot be seen
    ip_network("2002::/16"),
    ip_network("192.0.0.0/24"),  # from here on: not public, which older Pythons do not all know
    ip_network("100::/64"),
    ip_network("2001::/23"),
    ip_network("3fff::/20"),
    ip_network("5f00::/16"),
)
_CHARSETS: Final = frozenset(  # as Python calls them, with hyphens
    {
        *("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "ascii", "koi8-r", "koi8-u"),
        *("big5", "big5hkscs", "gb2312", "gbk", "gb18030", "euc-jp", "shift-jis", "cp932", "iso2022-jp"),
        *("euc-kr", "cp949", "tis-620", "cp866", "cp874", "mac-roman", "mac-cyrillic"),
        *(f"iso8859-{number}" for number in range(1, 17) if number != 12),  # there is no 12
        *(f"cp{number}" for number in range(1250, 1259)),
    }
)
_TRIES: Final = 3  # addresses of one host
_TRANSLATED: Final = ip_network("64:ff9b::/96")


@dataclass(frozen=True)
class FetchedPage:
    """A page, or its beginning."""

    url: str  # after redirects
    media: str  # such as text/html
    content: bytes
    is_cut: bool  # it is longer than the limit
    charset: str = ""

    @property
    def text(self) -> str:
        """The content as text, in the encoding that its header or its first lines name."""
        named = re.search(rb"<meta[^>]{0,200}charset=[\"']?([\w-]{1,40})", self.content[:2000], re.IGNORECASE)
        for charset in filter(None, (self.charset, named and named[1].decode())):
            if _is_of_pages(charset):
                return self.content.decode(charset, "replace")
        return self.content.decode(errors="replace")


def _is_of_pages(charset: str) -> bool:
    """True if it is an encoding of web pages; others raise, take very long, or are none."""
    with suppress(LookupError, ValueError):  # nobody knows that encoding
        return codecs.lookup(charset).name.replace("_", "-") in _CHARSETS
    return False


async def _resolved(host: str, port: int) -> Sequence[str]:
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(one[4][0]) for one in found]


@dataclass(frozen=True)
class Reach:
    """How strangers' pages are fetched; a page is asked for without credentials, cookies or a proxy."""

    seconds: float = 10.0  # for everything, redirects included
    most: int = 1_000_000  # bytes; a longer page is cut
    redirects: int = 5
    media: Collection[str] = _PAGES
    ports: Collection[int] = _PORTS
    agent: str = "laconic"
    resolve: Resolver = field(default=_resolved, repr=False)
    allowed: Callable[[Address], bool] = field(default_factory=lambda: is_public, repr=False)

    async def fetch(self, url: str) -> FetchedPage:
        """Fetch a page.

        Raises:
            BadAddress: it is no address of a public page.
            Unreachable: no complete answer came in time.
            BadReply: it is no page, or redirects too often.
            Rejected: the status is no success.
        """
        try:
            async with asyncio.timeout(self.seconds):
                return await self._fetched(url)
        except TimeoutError as error:
            raise Unreachable(f"The page did not arrive within {self.seconds:g} s.", changed=False) from error

    async def _fetched(self, address: str) -> FetchedPage:
        for _ in range(self.redirects + 1):
            url = parsed(address)
            received = await self._asked(url)
            if received.status not in _REDIRECTS or "location" not in received.headers:
                return self._page(url, received)
            address = _next(url, received.headers["location"])
        raise BadReply("The page redirects too often.", changed=False)

    async def _asked(self, url: httpx2.URL) -> Received:
        """Ask the addresses of a host in turn, until one takes the connection."""
        addresses = await self._addresses(url)
        for address in addresses[:_TRIES]:
            try:
                return await self._asked_at(url, address)
            except Unreachable as error:
                if address == addresses[:_TRIES][-1]:
                    raise error
        raise Unreachable(f"There is no host {url.host[:80]}.", changed=False)

    async def _asked_at(self, url: httpx2.URL, address: Address) -> Received:
        headers = {"Host": url.netloc.decode(), "Accept": ", ".join(self.media), "Accept-Encoding": "gzip"}
        request = httpx2.Request(
            "GET",
            url.copy_with(host=str(address), fragment=None),
            headers=headers | {"User-Agent": self.agent},
            extensions={"sni_hostname": url.raw_host.decode()},  # whose certificate it must be
        )
        limits = Limits(self.seconds, self.most, is_cut=True)
        async with httpx2.AsyncHTTPTransport() as transport:
            return await exchanged(transport, request, limits, changes=False, host=host_of(url))

    async def _addresses(self, url: httpx2.URL) -> list[Address]:
        """Return the addresses of a host; all must be public, so that none is asked by luck."""
        port = url.port or (443 if url.scheme == "https" else 80)
        if port not in self.ports:
            raise BadAddress(f"Port {port} is not one of web pages.")
        try:
            named = await self.resolve(url.raw_host.decode(), port)
            found = [ip_address(one.partition("%")[0]) for one in named]
        except (OSError, ValueError) as error:
            raise Unreachable(f"There is no host {url.host[:80]}.", changed=False) from error
        if not all(map(self.allowed, found)):
            raise BadAddress(f"{host_of(url)} is not on the public internet.")
        return sorted(dict.fromkeys(found), key=lambda address: address.version)

    def _page(self, url: httpx2.URL, received: Received) -> FetchedPage:
        host, kind = host_of(url), received.headers.get("content-type", "")
        if not 200 <= received.status < 300:
            raise rejected(received, ApiRequest(path=""), host, Policy(), time.time(), ())
        media = kind.partition(";")[0].strip().lower()
        if media not in self.media:
            raise BadReply(f"{host} sent {media[:60] or 'something'}, not a page.", changed=False)
        charset = re.search(r"charset=[\"']?([\w-]{1,40})", kind, re.IGNORECASE)
        address = str(url.copy_with(fragment=None))
        return FetchedPage(address, media, received.content, received.is_cut, charset[1] if charset else "")


def _next(url: httpx2.URL, location: str) -> str:
    try:
        return str(url.join(location))
    except (httpx2.InvalidURL, ValueError) as error:
        words = f"{host_of(url)} redirects to an address that is not valid."
        raise BadReply(words, changed=False) from error


def is_public(address: Address) -> bool:
    """True if an address is on the public internet, also if one kind of address is written as another."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        if address in _TRANSLATED:
            return is_public(IPv4Address(int(address) & 0xFFFF_FFFF))
        if address.is_site_local:
            return False
    is_special = address.is_multicast or address.is_reserved or address.is_unspecified or address.is_private
    return address.is_global and not is_special and not any(address in network for network in _NEVER)
