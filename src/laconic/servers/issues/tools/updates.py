"""One change of a batch: if it is invalid, it carries the problem and affects no other change."""

from typing import Any

from pydantic import PrivateAttr, ValidationError, ValidatorFunctionWrapHandler, model_validator

from laconic.kit import CamelPart
from laconic.kit.arguments.problems import problems_of
from laconic.servers.issues.models import Priority, Status
from laconic.servers.issues.tools.parts import Id, Labels


class Update(CamelPart):
    """One change of a batch."""

    id: Id
    status: Status | None = None
    priority: Priority | None = None
    labels: Labels | None = None
    assignee: str | None = None
    project: str | None = None
    _problem: str = PrivateAttr("")

    @model_validator(mode="wrap")
    @classmethod
    def _or_why_not(cls, given: Any, inner: ValidatorFunctionWrapHandler) -> Any:
        try:
            return inner(given)
        except ValidationError as error:
            id = given.get("id") if isinstance(given, dict) else None
            update = cls.model_construct({"id"}, id=id.strip() if isinstance(id, str) else "")
            found = problems_of(error, cls.model_json_schema())
            update._problem = " ".join(problem.message for problem in found)
            return update

    def values(self) -> dict[str, Any]:
        """Return what to change, or why the change is invalid."""
        return self.model_dump(exclude_unset=True) | ({"problem": self._problem} if self._problem else {})
