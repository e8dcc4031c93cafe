"""Faults on demand: what goes wrong between a client and a real site, for the next requests of a path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Fault", "Faults", "What"]

What = Literal[
    "throttle",
    "bad_gateway",
    "unavailable",
    "hang",
    "cut",
    "html",
    "empty",
    "expire",
    "unpaged",
    "incomplete",
]


@dataclass
class Fault:
    """One kind of fault, for so many requests."""

    what: What
    method: str = ""  # empty: any
    path: str = ""  # how it begins, such as `userstories`; empty: any
    times: int = 1
    seconds: float = 0.0  # to hang, or to ask to wait
    after: bool = False  # the request is carried out first, and only its answer is lost


class Faults:
    """The faults that are still to come."""

    def __init__(self) -> None:
        self.coming: list[Fault] = []

    def add(self, what: What, **more: object) -> None:
        """Let something go wrong."""
        self.coming.append(Fault(what, **more))  # type: ignore[arg-type]  # the fields of a Fault

    def take(self, method: str, path: str) -> Fault | None:
        """Return the fault of a request, if it has one."""
        for fault in self.coming:
            if fault.method in ("", method) and path.startswith(fault.path):
                fault.times -= 1
                if fault.times <= 0:
                    self.coming.remove(fault)
                return fault
        return None
