"""The section [prompts] of the configuration."""

from typing import Annotated

from pydantic import BaseModel, Field

from laconic.kit import UserOnly
from laconic.servers.prompts.templates.limits import RenderLimits


class PromptsSettings(BaseModel):
    """What rendering a template may cost, and how long the trash is kept; a repository must not change it."""

    output_characters: Annotated[int, Field(ge=1, le=10_000_000), UserOnly()] = RenderLimits.output
    render_seconds: Annotated[float, Field(gt=0, le=60), UserOnly()] = RenderLimits.seconds
    render_megabytes: Annotated[int, Field(ge=64, le=8192), UserOnly()] = RenderLimits.megabytes

    trash_days: Annotated[float | None, Field(ge=0), UserOnly()] = None  # None: until a person empties it

    @property
    def limits(self) -> RenderLimits:
        """The limits of one rendering."""
        return RenderLimits(
            output=self.output_characters, seconds=self.render_seconds, megabytes=self.render_megabytes
        )
