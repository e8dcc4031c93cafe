"""Failing: names that are taken and templates that are wrong, as failures in words."""

from __future__ import annotations

from laconic.kit import BadArguments, Conflict, Problem, TooLarge
from laconic.kit.errors import Failure
from laconic.servers.prompts.models.names import is_name
from laconic.servers.prompts.templates.limits import TemplateFault
from laconic.stores import Taken

__all__ = ["name_taken", "refuse_bad_name", "refuse_blank", "template_failure"]


def name_taken(name: str, taken: Taken, advice: str | None = None) -> Conflict:
    """Return the failure for a name that another prompt has, with who has it and how to free it."""
    existing = dict(taken.existing or {})
    is_archived = existing.get("state") == "archived"
    advice = advice or (
        "The archived prompt keeps its name: choose another, or ask a person to restore or rename it."
        if is_archived
        else "Use edit_prompt_template to change it, or choose another name."
    )
    which = "An archived prompt" if is_archived else "A prompt"
    return Conflict(f"{which} called {name} already exists.", advice=advice, details={"existing": existing})


def template_failure(fault: TemplateFault, field: str) -> Failure:
    """Return the failure for a template that cannot be saved or rendered."""
    details = {"line": fault.line} if fault.line else None
    if fault.kind == "too large":
        return TooLarge(str(fault), field=field, details=details)
    return BadArguments([Problem(field, str(fault))], details=details, advice=fault.advice or None)


def refuse_blank(content: str) -> None:
    """Refuse a template without a letter.

    Raises:
        BadArguments: it is blank.
    """
    if not content.strip():
        raise BadArguments("Invalid content. Expected: a template that is not blank.", field="content")


def refuse_bad_name(name: str | None) -> None:
    """Refuse a name that no prompt can have; tools have done so before.

    Raises:
        BadArguments: it is none.
    """
    if name is not None and not is_name(name):
        said = "Expected: lower-case words joined by hyphens, at most 100 characters, such as code-review."
        raise BadArguments(f"Invalid name {name[:80]!r}. {said}", field="name", given=name)
