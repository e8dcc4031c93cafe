"""Asking the client: at once in the legacy era, where a request can be sent; else with the next call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laconic.kit.errors import Refused
from laconic.kit.peer import AskLater, Caller, NotSupported
from laconic.kit.wire.protocol import CLIENT_KEY, LEVEL_KEY, LEVELS, client_name
from laconic.kit.wire.questions import check, declares, fits, needs
from laconic.kit.wire.sealing import Seal, bound_of

_MOST_TIMES = 10  # a retried read asks again; a tool that waits for another reply would never end

Question = tuple[str, dict[str, Any]]


class Asking:
    """What one request may ask and tell its client; each wire adds how questions and notices are sent."""

    def __init__(
        self, method: str, params: Mapping[str, Any], caller: Caller, seal: Seal, *, is_modern: bool
    ) -> None:
        self.caller = caller
        self.state: str | None = None
        self.is_modern = is_modern
        self._params = params
        self._seal = seal
        self._method = method
        self._questions: dict[str, Question] = {}
        self._times: dict[str, int] = {}
        self._earlier: dict[str, Any] = {}  # replies so far, including those of earlier rounds
        sealed = params.get("requestState")
        self._is_verified = is_modern and sealed is not None
        if self._is_verified:
            kept = seal.open(str(sealed), self._bound)
            self._earlier, self.state = dict(kept["replies"]), kept["state"]

    @property
    def _bound(self) -> list[Any]:
        return bound_of(self.caller.name, self._method, self._params)

    @property
    def client(self) -> str:
        """The name that the client gave to itself."""
        return client_name((self._params.get("_meta") or {}).get(CLIENT_KEY))

    @property
    def capabilities(self) -> Mapping[str, Any] | None:
        """The capabilities that the client declared."""
        raise NotImplementedError

    async def _send(self, method: str, params: dict[str, Any]) -> Any:
        """Send a question to a legacy client and wait for its reply."""
        raise NotImplementedError

    async def _tell(self, method: str, params: dict[str, Any]) -> None:
        """Send a notice that belongs to this request."""
        raise NotImplementedError

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        """Report how far the work is, if the client gave a token for it."""
        token = (self._params.get("_meta") or {}).get("progressToken")
        if token is None:
            return
        given = {"progressToken": token, "progress": done, "total": total, "message": message}
        await self._tell(
            "notifications/progress", {name: value for name, value in given.items() if value is not None}
        )

    async def close_stream(self) -> None:
        """Drop the connection on purpose, if the client can come back for the answer."""

    @property
    def _level(self) -> str:
        """The lowest level of log lines that a legacy client wants."""
        raise NotImplementedError

    def supports(self, method: str, params: Mapping[str, Any]) -> bool:
        """True if the client declared that it answers this question."""
        return declares(self.capabilities, needs(method, params))

    async def ask(self, requests: Mapping[str, Question], state: str | None = None) -> Mapping[str, Any]:
        """Ask the client questions.

        Raises:
            NotSupported: the client cannot be asked this.
            Refused: legacy era; the client gave an error instead of a reply.
            AskLater: modern era; the replies come with the next call.
        """
        for key, question in requests.items():
            self._note(key, question)
        for method, params in requests.values():
            if not self.supports(method, params):
                raise NotSupported(needs(method, params))
        for method, params in requests.values():
            check(method, params)
        if self.is_modern:
            return self._replies(requests, state)
        for key, (method, params) in requests.items():
            if key not in self._earlier:
                reply = await self._send(method, params)
                if not fits(method, reply):
                    raise Refused("The client's answer does not fit the question.")
                self._earlier[key] = reply
        return {key: self._earlier[key] for key in requests}

    def _note(self, key: str, question: Question) -> None:
        """Allow one question per key: its reply counts for the whole call."""
        if self._questions.setdefault(key, question) != question:
            raise ValueError(f"Two questions of one call have the key '{key}'.")
        self._times[key] = self._times.get(key, 0) + 1
        if self._times[key] > _MOST_TIMES:
            raise ValueError(f"The question '{key}' was asked too often; use another key to ask again.")

    def _replies(self, requests: Mapping[str, Question], state: str | None) -> Mapping[str, Any]:
        fresh = self._params.get("inputResponses") or {}
        if state is not None and not self._is_verified:
            fresh = {}  # a reply to a question with a state counts only with that state
        replies: dict[str, Any] = {}
        for key, (method, _) in requests.items():
            raw = fresh.get(key, self._earlier.get(key))
            if raw is not None and fits(method, raw):
                replies[key] = self._earlier[key] = raw
        if len(replies) == len(requests):
            return replies
        missing = {key: question for key, question in requests.items() if key not in replies}
        raise AskLater(missing, state)

    def asked(self, later: AskLater) -> dict[str, Any]:
        """Return the question as the answer; the client returns the tool's state and the replies so far."""
        result: dict[str, Any] = {
            "resultType": "input_required",
            "inputRequests": {
                key: {"method": method, "params": params} for key, (method, params) in later.requests.items()
            },
        }
        if later.state is not None or self._earlier:
            kept = {"state": later.state, "replies": self._earlier}
            result["requestState"] = self._seal.close(kept, self._bound)
        return result

    async def log(self, level: str, data: Any, logger: str | None = None) -> None:
        """Send a log line at or above the level the client asked for."""
        floor = self._floor()
        if floor is None or LEVELS.index(level) < LEVELS.index(floor):
            return
        line = {"level": level, "data": data} | ({"logger": logger} if logger else {})
        await self._tell("notifications/message", line)

    def _floor(self) -> str | None:
        if not self.is_modern:
            return self._level
        floor = (self._params.get("_meta") or {}).get(LEVEL_KEY)
        return floor if floor in LEVELS else None  # modern: none unless this request asks for them
