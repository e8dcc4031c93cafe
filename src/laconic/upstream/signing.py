"""Signing requests: the present token, and its renewal by one task of one process at a time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import Final, Protocol

from laconic.upstream.clock import Clock
from laconic.upstream.errors import Unauthorised, Unreachable
from laconic.upstream.keeping import Credential, KeptCredential
from laconic.upstream.sharing import held

__all__ = ["Auth", "OnceAtATime", "Renewal"]

Renewal = Callable[[Credential | None], Awaitable[Credential]]
"""Makes a credential from the last one, or signs in if there is none; raises Unauthorised if refused."""

_EARLY: Final = 60.0  # seconds before its end that a token is renewed
_LOOK: Final = 2.0  # seconds after which a person who signed out is noticed
_HOLD_OFF: Final = 30.0  # seconds after a refusal without another try: failed sign-ins are counted
log = logging.getLogger("laconic.upstream")


class Auth(Protocol):
    """Whoever has tokens for a session."""

    @property
    def origins(self) -> frozenset[str]:
        """The hosts that may see a token."""
        ...

    async def token(self) -> str:
        """Return the present token; empty to send none."""
        ...

    async def renew(self, stale: str) -> str:
        """Return another token in place of one that was refused."""
        ...


class OnceAtATime:
    """Tokens from a kept credential; of all tasks and processes that find it stale, one renews it.

    Some systems accept a refresh token once. Therefore the lock of the record is held during a renewal, what
    another process wrote meanwhile is used, the new credential is written before anyone uses it, and a task
    that is cancelled does not stop a renewal under way.
    """

    def __init__(
        self,
        kept: KeptCredential,
        renewal: Renewal,
        *,
        clock: Clock | None = None,
        patience: float = 30.0,
        learn: Callable[[Iterable[str]], object] | None = None,
    ) -> None:
        """Take where the credential is kept and how it is renewed.

        Args:
            kept: the kept credential.
            renewal: makes a new credential.
            clock: the time that expiry is measured by.
            patience: seconds to wait for another process that is renewing.
            learn: told every secret, so that logs and errors can hide it.
        """
        self._kept, self._renewal = kept, renewal
        self._clock = clock or Clock()
        self._patience = patience
        self._learn = learn or (lambda secrets: None)
        self._present: Credential | None = None
        self._is_kept = False  # the present one is in the record
        self._looked = 0.0  # when the record was read last
        self._running: asyncio.Task[Credential] | None = None
        self._refusal: tuple[float, Unauthorised] | None = None

    @property
    def origins(self) -> frozenset[str]:
        """The hosts that the credential was made for."""
        return self._kept.origins

    async def token(self) -> str:
        """Return the present token, renewed if it is about to expire."""
        present = self._still_good() if self._present else self._adopted(self._kept.read())
        if present is None or not present.token:  # none must never be sent: lists would look empty
            return await self.renew("")
        return await self.renew(present.token) if self._is_over(present) else present.token

    async def renew(self, stale: str) -> str:
        """Return a token other than the stale one: what another task or process made, or a new one.

        Raises:
            Unauthorised: the renewal was refused.
        """
        present = self._present
        if present is not None and present.token != stale and not self._is_over(present):
            return present.token
        self._hold_off()
        if self._running is None:
            self._running = asyncio.create_task(self._renewed(stale))
            self._running.add_done_callback(self._done)
        return (await asyncio.shield(self._running)).token

    def _done(self, task: asyncio.Task[Credential]) -> None:
        self._running = None
        if not task.cancelled() and isinstance(error := task.exception(), Unauthorised):
            self._refusal = (self._clock.now(), error)

    def _hold_off(self) -> None:
        if self._refusal is None:
            return
        at, error = self._refusal
        if 0 <= self._clock.now() - at < _HOLD_OFF:
            raise Unauthorised(str(error), status=error.status, body=error.body, attempts=0)
        self._refusal = None

    async def _renewed(self, stale: str) -> Credential:
        async with held(self._kept.record, self._patience) as is_ours:
            found = self._kept.read()
            if found is not None and found.token != stale and not self._is_over(found):
                self._adopted(found)
                return found  # another process was faster
            if not is_ours:
                raise Unreachable(
                    f"Another process has been signing in for {self._patience:g} s.",
                    changed=False,
                    attempts=0,
                )
            new = await self._renewal(found if self._is_kept else self._present or found)
            self._keep(new)
            self._present = new
            return new

    def _keep(self, new: Credential) -> None:
        self._learn(new.secrets)
        try:
            self._kept.write(new)
            self._is_kept = True
        except Exception as error:  # this process can go on; the next one has to sign in again
            self._is_kept = False
            log.warning("The new credential could not be kept: %s", error)

    def _adopted(self, credential: Credential | None) -> Credential | None:
        self._looked = self._clock.now()
        if credential is not None:
            self._is_kept = True
            self._learn(credential.secrets)
            self._present = credential
        return credential

    def _still_good(self) -> Credential | None:
        """Return the present credential; now and then, look whether a person has taken it back."""
        if not self._is_kept or 0 <= self._clock.now() - self._looked < _LOOK:
            return self._present
        try:
            found = self._kept.read()
        except Exception as error:  # this process can go on with what it has
            log.warning("The kept credential could not be read: %s", error)
            found = self._present
        if found is None:
            self._present = None
        elif found != self._present:
            self._adopted(found)
        self._looked = self._clock.now()
        return self._present

    def _is_over(self, credential: Credential) -> bool:
        return credential.expires is not None and credential.expires - _EARLY <= self._clock.now()
