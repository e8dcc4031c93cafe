"""Parts of arguments that several tools take."""

import re
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints

Id = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Text = Annotated[str, Field(min_length=1)]


def _single(labels: list[str]) -> list[str]:
    """Split labels at commas: models write several labels as one."""
    return [word for label in labels for word in map(str.strip, label.split(",")) if word]


def _in_utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment


def _whole_day(given: Any) -> Any:
    is_day = isinstance(given, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", given.strip())
    return f"{given.strip()}T23:59:59.999999Z" if is_day else given


Labels = Annotated[list[str], AfterValidator(_single)]
Since = Annotated[datetime, AfterValidator(_in_utc)]
Until = Annotated[datetime, BeforeValidator(_whole_day), AfterValidator(_in_utc)]
