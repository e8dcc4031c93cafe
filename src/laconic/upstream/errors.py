"""What can go wrong when another system is asked.

UpstreamError
├── BadAddress          an address that must not be asked, or is none
├── Unreachable         no complete answer: the port is closed, it took too long, the connection broke
├── BadReply            an answer that is not what was asked for: a login page, cut JSON, too large
└── Rejected            it answered with a status that is no success
    ├── Unauthorised    401: the credentials are missing, expired or refused
    ├── Forbidden       403, 451: the account may not do this
    ├── Absent          404, 410: there is no such thing, or it is hidden from the account
    ├── Clash           409, 412, 428: another change prevents this one
    ├── Invalid         any other 4xx: the request does not fit
    ├── Throttled       429: too many requests; `wait` says for how long
    └── Faulty          5xx: it failed by itself; below 400: neither a success nor a refusal

Each says what is known about effects: `changed` is False if the request certainly changed nothing, and None
if that is not known, as after a POST whose answer was lost. Messages name a host, never a token, a query or a
path.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Self

_NO_HEADERS: Final[Mapping[str, str]] = MappingProxyType({})


class UpstreamError(Exception):
    """Another system did not do what it was asked for."""

    def __init__(self, message: str, *, changed: bool | None = None, attempts: int = 1) -> None:
        super().__init__(message)
        self.changed = changed  # False: certainly not; None: not known
        self.attempts = attempts  # how many times the request was sent; 0: never

    @property
    def harmless(self) -> bool:
        """True if certainly nothing was changed."""
        return self.changed is False

    def own(self) -> Self:
        """Return it for one of several who get the same error: each knows its own attempts and effects."""
        twin = type(self).__new__(type(self), *self.args)
        twin.__dict__.update(self.__dict__)
        return twin


class BadAddress(UpstreamError):
    """The address must not be asked, or is none; nothing was sent to it."""

    def __init__(self, message: str, *, changed: bool | None = False, attempts: int = 0) -> None:
        super().__init__(message, changed=changed, attempts=attempts)


class Unreachable(UpstreamError):
    """No complete answer came: the port is closed, it took too long, or the connection broke."""


class BadReply(UpstreamError):
    """An answer came that is not what was asked for."""


class Rejected(UpstreamError):
    """It answered with a status that is no success."""

    def __init__(
        self,
        message: str,
        *,
        status: int,
        body: Any = None,
        headers: Mapping[str, str] = _NO_HEADERS,
        changed: bool | None = False,
        attempts: int = 1,
    ) -> None:
        """Take the status and the body: parsed if it is JSON, else text; known secrets are hidden in it."""
        super().__init__(message, changed=changed, attempts=attempts)
        self.status = status
        self.body = body
        self.headers = headers
        self.method = ""  # of the request, if it is known


class Unauthorised(Rejected):
    """The credentials are missing, expired or refused."""


class Forbidden(Rejected):
    """The account may not do this."""


class Absent(Rejected):
    """There is no such thing, or it is hidden from the account."""


class Clash(Rejected):
    """Another change prevents this one, or the thing exists already."""


class Invalid(Rejected):
    """The request does not fit what the other system expects."""


class Throttled(Rejected):
    """Too many requests; `wait` is the number of seconds after which another one makes sense."""

    def __init__(self, message: str, *, wait: float, status: int = 429, **more: Any) -> None:
        super().__init__(message, status=status, **more)
        self.wait = wait


class Faulty(Rejected):
    """The other system failed by itself; after a write it is not known what it did."""


_KINDS: Final[Mapping[int, type[Rejected]]] = {
    401: Unauthorised,
    403: Forbidden,
    404: Absent,
    409: Clash,
    410: Absent,
    412: Clash,
    428: Clash,
    429: Throttled,
    451: Forbidden,
}


def rejection(status: int) -> type[Rejected]:
    """Return the kind of error that a status is."""
    if not 400 <= status < 500:
        return Faulty
    return _KINDS.get(status, Invalid)
