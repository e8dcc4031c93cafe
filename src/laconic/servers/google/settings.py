"""Settings: which accounts, which APIs, and where they are."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from laconic.kit import UserOnly

Api = Literal["drive", "docs", "sheets", "slides"]


class AccountSettings(BaseModel, extra="forbid"):
    """A table [google.accounts.ALIAS]: a service account, or who may use an account that signed in."""

    key: str = ""  # the file with a service account's key
    subject: str = ""  # whom the service account acts for, with domain-wide delegation
    callers: list[str] = Field(default_factory=list)  # over HTTP, who may use it besides this machine


class GoogleSettings(BaseModel):
    """The section [google] of the configuration; a workspace can set neither addresses nor accounts."""

    client: Annotated[str, UserOnly()] = ""  # the file of the OAuth client, a desktop app
    account: Annotated[str, UserOnly()] = ""  # the alias that is used when a call names none
    accounts: Annotated[dict[str, AccountSettings], UserOnly()] = Field(default_factory=dict)
    logins: Annotated[dict[str, str], UserOnly()] = Field(default_factory=dict)  # who signed in, by alias
    services: list[Api] = ["drive", "docs", "sheets", "slides"]
    scopes: Annotated[list[str], UserOnly()] = []  # to ask for besides, such as drive.apps.readonly
    drive: Annotated[str, UserOnly()] = "https://www.googleapis.com"
    docs: Annotated[str, UserOnly()] = "https://docs.googleapis.com"
    sheets: Annotated[str, UserOnly()] = "https://sheets.googleapis.com"
    slides: Annotated[str, UserOnly()] = "https://slides.googleapis.com"
    oauth: Annotated[str, UserOnly()] = "https://oauth2.googleapis.com"  # makes and ends tokens
    consent: Annotated[str, UserOnly()] = "https://accounts.google.com"  # where a person says yes
    patience: Annotated[float, Field(ge=0, le=300)] = 32.0  # seconds that a request waits when throttled
    timeout: Annotated[float, Field(gt=0, le=600)] = 60.0  # seconds for one answer

    def root_of(self, api: str) -> str:
        """Return where an API is."""
        return str(getattr(self, api))
