"""Settings: which Taiga, as whom, and how patiently."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field, SecretStr

from laconic.kit import UserOnly


class TaigaSettings(BaseModel):
    """The section [taiga] of the configuration; a workspace can set neither address nor account."""

    url: Annotated[str, UserOnly()] = ""  # with or without /api/v1
    username: Annotated[str, UserOnly()] = ""  # or an e-mail address
    password: SecretStr = SecretStr("")
    token: SecretStr = SecretStr("")  # in place of a password; ends after a day unless `refresh` is set
    refresh: SecretStr = SecretStr("")
    shared: Annotated[bool, UserOnly()] = False  # over HTTP, every caller may use this account
    patience: Annotated[float, Field(ge=0, le=300)] = 20.0  # seconds that a read waits when throttled
    timeout: Annotated[float, Field(gt=0, le=300)] = 15.0  # seconds for one answer
    requests_per_minute: Annotated[int | None, Field(ge=1)] = None  # a limit of our own
    priorities: Literal["tag", "refuse"] = "tag"  # of epics, stories and tasks, which have none in Taiga
