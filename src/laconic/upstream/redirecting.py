"""Redirects: which of them a session follows."""

from __future__ import annotations

from typing import Final

import httpx2

from laconic.upstream.addresses import host_of, origin_of, parsed
from laconic.upstream.errors import BadAddress, BadReply
from laconic.upstream.exchange import Received

__all__ = ["is_redirect", "redirected"]

_SAME_METHOD: Final = frozenset({307, 308})
_STATUSES: Final = _SAME_METHOD | {301, 302, 303}


def is_redirect(received: Received) -> bool:
    """True if an answer says to ask elsewhere."""
    return received.status in _STATUSES and "location" in received.headers


def redirected(received: Received, request: httpx2.Request, *, changes: bool) -> str:
    """Return where a request goes next: the same host, so that no token and no body reaches another one.

    Raises:
        BadReply: it leads to another host, or would turn a write into a read.
    """
    status, url = received.status, request.url
    is_executed = changes and status not in _SAME_METHOD  # then it may be the answer to a finished write
    changed = None if is_executed else False
    try:
        target = parsed(str(url.join(received.headers["location"])))
    except (BadAddress, httpx2.InvalidURL, ValueError) as error:
        raise BadReply(
            f"{host_of(url)} redirects to an address that is not valid.", changed=changed
        ) from error
    if is_executed or not _is_same(url, target):
        words = f"{host_of(url)} redirects to {host_of(target)} instead of answering (status {status})."
        raise BadReply(words, changed=changed)
    return str(target)


def _is_same(url: httpx2.URL, target: httpx2.URL) -> bool:
    """True for the same origin, and for the same host on its encrypted port."""
    is_upgrade = (url.scheme, target.scheme) == ("http", "https") and url.host == target.host
    return origin_of(url) == origin_of(target) or (is_upgrade and url.port is None and target.port is None)
