"""What a prompt is, and what is answered about it. Import from here."""

from laconic.servers.prompts.models.answers import Edited, PromptComparison, PromptVersion, Saved
from laconic.servers.prompts.models.names import Address, Name, at_most
from laconic.servers.prompts.models.prompts import Argument, Edit, Prompt, Tag

__all__ = [
    "Address",
    "Argument",
    "Edit",
    "Edited",
    "Name",
    "Prompt",
    "PromptComparison",
    "PromptVersion",
    "Saved",
    "Tag",
    "at_most",
]
