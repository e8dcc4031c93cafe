"""The section [prompts] of the configuration."""

from typing import Annotated

from pydantic import BaseModel, Field

from laconic.kit import UserOnly
from laconic.servers.prompts.templates.limits import Limits


class PromptsSettings(BaseModel):
    """What rendering a template may cost; a repository must not raise it."""

    output_characters: Annotated[int, Field(ge=1, le=10_000_000), UserOnly()] = Limits.output
    render_seconds: Annotated[float, Field(gt=0, le=60), UserOnly()] = Limits.seconds
    render_megabytes: Annotated[int, Field(ge=64, le=8192), UserOnly()] = Limits.megabytes

    @property
    def limits(self) -> Limits:
        """The limits of one rendering."""
        return Limits(
            output=self.output_characters, seconds=self.render_seconds, megabytes=self.render_megabytes
        )
