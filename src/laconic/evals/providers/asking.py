"""What the APIs of models have in common: one POST, its failures, and arguments that may be no object."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from laconic.evals.model import ModelFailed, Wanted
from laconic.upstream import ApiSession, BadAddress, BadReply, Policy, Retrying, UpstreamError

__all__ = ["ModelApi", "wanted"]

_PATIENCE: Final = 60.0  # seconds to wait for a busy provider


class ModelApi:
    """One address of a provider; replies are asked for again if it is busy, since asking changes nothing.

    Raises:
        BadAddress: the root is no address.
    """

    def __init__(self, root: str, headers: Mapping[str, str], timeout: float) -> None:
        retrying = Retrying(attempts=4, patience=_PATIENCE)
        policy = Policy(timeout=timeout, concurrency=64, headers=headers, retrying=retrying)
        self._session = ApiSession(root, policy=policy)

    async def ask(self, path: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the answer of the provider.

        Raises:
            ModelFailed: there is none, or it is no object.
        """
        try:
            answer = await self._session.post(path, body=body, resending="read")
        except UpstreamError as error:
            is_odd = isinstance(error, BadReply) and not isinstance(error, BadAddress)
            raise ModelFailed("malformed" if is_odd else "unreachable", str(error)) from None
        if not isinstance(answer.data, Mapping):
            raise ModelFailed("malformed", "The reply of the model is not an object.")
        return answer.data

    async def close(self) -> None:
        """Close the connections."""
        await self._session.close()


def wanted(id: Any, tool: Any, arguments: Any) -> Wanted:
    """Return a call that a model asked for; arguments that are no object are a problem that it is told."""
    given, problem = arguments, ""
    if isinstance(arguments, str):
        try:
            given = json.loads(arguments or "{}")
        except ValueError as error:
            given, problem = {}, f"The arguments are not JSON: {error}."
    if not isinstance(given, Mapping):
        given, problem = {}, "The arguments are not an object."
    return Wanted(str(id), str(tool), dict(given), problem)
