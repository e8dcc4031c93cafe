"""Templates: prompts filled in, saved or not, and what is wrong with one that is being written."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field

from laconic.servers.prompts.models import Argument
from laconic.web.collections.prompts import PromptItems, which
from laconic.web.models.replies import RenderedPrompt
from laconic.web.models.values import CONTENTS, WHOLE, ArgumentList
from laconic.web.operations import Operation, Visit, WebReply
from laconic.web.routes.declaring import declare

__all__ = ["TemplateRoutes"]

_Template = Annotated[str, Field(max_length=CONTENTS["prompt"]), WHOLE]


class PromptValues(BaseModel):
    """Values for the arguments of a prompt, by name."""

    arguments: dict[str, Any] = Field(default_factory=dict)


class DraftValues(PromptValues):
    """A template that is not saved, and values for its arguments."""

    content: _Template


class DraftTemplate(BaseModel):
    """A template that is not saved; arguments that are not given come from it."""

    content: _Template
    arguments: ArgumentList | None = None


class CheckedDraft(BaseModel):
    """A template that could be saved, with the arguments that it needs and the prompts that it includes."""

    valid: bool = True
    arguments: list[Argument]
    includes: list[str]


class TemplateRoutes:
    """The routes that fill in and check templates; nothing is changed by them."""

    def operations(self) -> list[Operation]:
        """Return its operations."""
        of = PromptItems()
        read: dict[str, Any] = {"effect_is": "read"}
        filled = {"gives": RenderedPrompt, "body": PromptValues, "fails": (400, 404), **read}
        return [
            declare(of, "POST", "/check", "check_template", self.check, **read, **_checked),
            declare(of, "POST", "/render", "render_template", self.render_draft, **read, **_drafted),
            declare(of, "POST", "/name/{name}/render", "render_{item}_by_name", self.render, **filled),
            declare(of, "POST", "/{id}/render", "render_{item}", self.render, **filled),
        ]

    async def render(self, visit: Visit) -> WebReply:
        """Fill in an item's template, and note that it was used."""
        templates = (await visit.opened.library()).templates
        text = await templates.render(which(visit.path), visit.body.arguments)
        return WebReply(RenderedPrompt(rendered_content=text))

    async def check(self, visit: Visit) -> WebReply:
        """Check a template that is not saved, as it would be checked if it were."""
        draft: DraftTemplate = visit.body
        templates = (await visit.opened.library()).templates
        made = await templates.check("", draft.content, given=draft.arguments)
        return WebReply(CheckedDraft(arguments=made.arguments, includes=made.includes))

    async def render_draft(self, visit: Visit) -> WebReply:
        """Fill in a template that is not saved; what it needs is taken from the template."""
        draft: DraftValues = visit.body
        templates = (await visit.opened.library()).templates
        made = await templates.check("", draft.content)
        text = await templates.preview(made.content, made.arguments, draft.arguments)
        return WebReply(RenderedPrompt(rendered_content=text))


_checked: dict[str, Any] = {"gives": CheckedDraft, "body": DraftTemplate, "fails": (400, 404)}
_drafted: dict[str, Any] = {"gives": RenderedPrompt, "body": DraftValues, "fails": (400, 404)}
