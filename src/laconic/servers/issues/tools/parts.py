"""Parts of arguments that several tools take."""

import re
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints

from laconic.kit import COMMAS

Id = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Text = Annotated[str, Field(min_length=1)]


def _distinct(labels: list[str]) -> list[str]:
    """Return each label once, on one line."""
    return list(dict.fromkeys(words for label in labels if (words := " ".join(label.split()))))


def _in_utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment


def _whole_day(given: Any) -> Any:
    is_day = isinstance(given, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", given.strip())
    return f"{given.strip()}T23:59:59.999999Z" if is_day else given


Labels = Annotated[list[str], COMMAS, AfterValidator(_distinct)]
Since = Annotated[datetime, AfterValidator(_in_utc)]
Until = Annotated[datetime, BeforeValidator(_whole_day), AfterValidator(_in_utc)]
