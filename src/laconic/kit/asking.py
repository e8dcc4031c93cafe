"""Asking the user: a question with a form, and the answer as the form's model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from laconic.kit.errors import Declined

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = ["Ask"]

Form = TypeVar("Form", bound="BaseModel")
_METHOD = "elicitation/create"


class _Client(Protocol):
    """The part of a peer that is needed here."""

    async def ask(self, requests: Mapping[str, tuple[str, dict[str, Any]]]) -> Mapping[str, Any]: ...

    def supports(self, method: str, params: Mapping[str, Any]) -> bool: ...


class Ask:
    """Supplied to a tool that may have to ask the user: `size = await ask("Which size?", Size)`."""

    def __init__(self, peer: _Client) -> None:
        self._peer = peer

    @property
    def is_possible(self) -> bool:
        """True if the client can ask its user."""
        return self._peer.supports(_METHOD, {})

    async def __call__(
        self, question: str, form: type[Form], *, key: str | None = None, changed: bool | None = None
    ) -> Form:
        """Ask the user, and return the form as it was filled in.

        A modern client calls again with the reply, and the tool runs from its start: write nothing before the
        last question, and give each question of a call its own key. The key is the form's name by default.
        `changed=False` asserts that nothing was written yet, so that a no can say so.

        Raises:
            Declined: the user said no, closed the form, or filled it in wrongly.
            NotSupported: the client cannot ask.
        """
        from pydantic import ValidationError

        name = key or form.__name__
        params = {"mode": "form", "message": question, "requestedSchema": _schema(form)}
        reply = (await self._peer.ask({name: (_METHOD, params)})).get(name) or {}
        if reply.get("action") != "accept":
            raise Declined(**_said(changed))
        try:
            return form.model_validate(reply.get("content") or {})
        except ValidationError as error:
            wrong = ", ".join(sorted({str(one["loc"][0]) for one in error.errors() if one["loc"]}))
            raise Declined(
                f"The answer to the question does not fit its form: {wrong or 'it'}.",
                advice="Ask the user in your own words.",
                **_said(changed),
            ) from None


def _said(changed: bool | None) -> dict[str, Any]:
    return {} if changed is None else {"changed": changed}


def _schema(form: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of a form, whose fields are text, numbers, yes or no, or a choice."""
    described = form.model_json_schema()
    described.pop("title", None)
    described.pop("description", None)
    return described
