"""The section [prompts] of the configuration."""

from typing import Annotated

from pydantic import Field

from laconic.kit import UserOnly
from laconic.library.trash import TrashSettings
from laconic.servers.prompts.templates.limits import RenderLimits


class PromptsSettings(TrashSettings):
    """What rendering a template may cost; a repository must not change it."""

    output_characters: Annotated[int, Field(ge=1, le=10_000_000), UserOnly()] = RenderLimits.output
    render_seconds: Annotated[float, Field(gt=0, le=60), UserOnly()] = RenderLimits.seconds
    render_megabytes: Annotated[int, Field(ge=64, le=8192), UserOnly()] = RenderLimits.megabytes

    @property
    def limits(self) -> RenderLimits:
        """The limits of one rendering."""
        return RenderLimits(
            output=self.output_characters, seconds=self.render_seconds, megabytes=self.render_megabytes
        )
