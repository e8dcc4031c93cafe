"""Checking an instance for `laconic doctor`: its address, the sign-in and the clock."""

from collections.abc import Callable
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Final

from laconic.kit import Diagnosis, Failure
from laconic.servers.taiga.service.access.accounts import is_exposed
from laconic.servers.taiga.service.failures import told
from laconic.servers.taiga.service.taiga import Taiga
from laconic.upstream import UpstreamError

_APART: Final = 60.0  # seconds that two clocks may differ: tokens are renewed this early


async def examined(taiga: Taiga, now: Callable[[], float]) -> list[Diagnosis]:
    """Return what is right and wrong about an instance."""
    found = [_address(taiga.instance)]
    try:
        reply = await taiga.client.reply("users", "me")
    except UpstreamError as error:
        return [*found, Diagnosis("sign-in", told(error).words, ok=False)]
    except Failure as failure:
        return [*found, Diagnosis("sign-in", failure.words, ok=False)]
    name = reply.data.get("username") if isinstance(reply.data, dict) else None
    found.append(Diagnosis("sign-in", f"as {name}" if name else "nobody is signed in.", ok=bool(name)))
    return [*found, *_clock(reply.headers.get("date", ""), now())]


def _address(root: str) -> Diagnosis:
    if is_exposed(root):
        words = f"{root} is not encrypted: others on the way can read your password. Use https."
        return Diagnosis("url", words, ok=False)
    return Diagnosis("url", root)


def _clock(date: str, now: float) -> list[Diagnosis]:
    try:
        theirs: datetime = parsedate_to_datetime(date)
    except ValueError:  # it does not say
        return []
    apart = now - theirs.timestamp()
    if abs(apart) <= _APART:
        return [Diagnosis("clock", "agrees with Taiga's")]
    words = (
        f"this machine is {abs(apart):.0f} s {'ahead of' if apart > 0 else 'behind'} Taiga: set its clock."
    )
    return [Diagnosis("clock", words, ok=False)]
