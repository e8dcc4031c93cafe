"""What can be done with prompts: tools, commands, REST and pages all come here. Import from here."""

from laconic.servers.prompts.service.changing import PromptChanges
from laconic.servers.prompts.service.library import Library
from laconic.servers.prompts.service.reading import PromptQuery

__all__ = ["Library", "PromptChanges", "PromptQuery"]
