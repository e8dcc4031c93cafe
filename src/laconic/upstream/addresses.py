"""Addresses: the origin of one, a path made of parts, and what is never asked."""

from __future__ import annotations

from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
from socket import inet_aton
from typing import Final
from urllib.parse import quote, unquote

import httpx2

from laconic.upstream.errors import BadAddress

__all__ = ["host_of", "is_local", "origin_of", "parsed", "path_of", "root_of", "within"]

_LOCAL: Final = frozenset({"localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback"})
_PORTS: Final = {"http": 80, "https": 443}


def parsed(address: str) -> httpx2.URL:
    """Read an address with the parser that also sends it, so that no other reading of it counts.

    Raises:
        BadAddress: it is none, is not for HTTP, or contains credentials.
    """
    try:
        url = httpx2.URL(address)
        is_web = url.scheme in _PORTS and bool(url.host) and "%" not in url.host
    except (httpx2.InvalidURL, ValueError, TypeError) as error:
        raise BadAddress("That is not a valid address.") from error
    if not is_web:
        raise BadAddress("The address must start with http:// or https:// and name a host.")
    if url.userinfo:
        raise BadAddress("The address contains a user name or a password; leave them out.")
    return url


def origin_of(url: httpx2.URL | str) -> str:
    """Return scheme, host and port: what a credential is bound to."""
    url = parsed(url) if isinstance(url, str) else url
    return f"{url.scheme}://{host_of(url)}"


def host_of(url: httpx2.URL) -> str:
    """Return the host as people write it, with the port unless it is the usual one."""
    host = f"[{url.host}]" if ":" in url.host else url.host
    return host if url.port in (None, _PORTS.get(url.scheme)) else f"{host}:{url.port}"


def is_local(url: httpx2.URL) -> bool:
    """True if a host is this machine by its name or its address, however that is written."""
    name = url.host.lower().rstrip(".")
    address = _address(name)
    if address is None:
        return name in _LOCAL or name.endswith(".localhost")
    inner = getattr(address, "ipv4_mapped", None) or address
    return inner.is_loopback or inner.is_unspecified


def _address(name: str) -> IPv4Address | IPv6Address | None:
    """Return the address that a host is written as; systems also read 127.1, 0x7f.1 and 2130706433 as one."""
    for read in (ip_address, lambda word: ip_address(inet_aton(word))):
        with suppress(ValueError, OSError):
            return read(name)
    return None


def root_of(address: str) -> str:
    """Return the root of an API without a slash at its end.

    Raises:
        BadAddress: it is no address of a root.
    """
    url = parsed(address)
    if url.query or url.fragment:
        raise BadAddress("The address of an API has neither a query nor a fragment.")
    return str(url).rstrip("/")


def path_of(*parts: str | int) -> str:
    """Return a path below the root; each part is quoted, so that an id cannot lead elsewhere.

    Raises:
        BadAddress: a part is empty, or it or a piece of it between slashes is only dots.
    """
    for part in parts:
        if not str(part) or _has_dots(str(part)):
            raise BadAddress("A part of the path is empty or only dots.")
    return "".join(f"/{quote(str(part), safe='')}" for part in parts)


def _has_dots(path: str) -> bool:
    """True if a path leads upwards for a server that reads quoted slashes, or backslashes, as slashes."""
    return any(piece in (".", "..") for piece in path.replace("\\", "/").split("/"))


def within(root: str, path: str) -> str:
    """Return the address of a path below the root, or the address itself if it has the root's origin.

    Raises:
        BadAddress: it leads to another host or above the root.
    """
    if "://" in path:
        if origin_of(path) != origin_of(root):
            raise BadAddress("That address is on another host.")
        return path
    if "?" in path or "#" in path or _has_dots(unquote(path)):
        raise BadAddress("The path leads above the root, or contains a query.")
    return f"{root}/{path.lstrip('/')}"
