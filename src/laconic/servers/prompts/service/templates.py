"""Templates: checked with their arguments and all that they include, and filled in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from laconic.kit.redaction import redacted_log
from laconic.library.uses import Uses
from laconic.servers.prompts import declared
from laconic.servers.prompts.models import Argument
from laconic.servers.prompts.service.failing import refuse_blank, template_failure
from laconic.servers.prompts.service.including import Including
from laconic.servers.prompts.store import Entry, Which, find, terms_of
from laconic.servers.prompts.templates.judge import Judge
from laconic.servers.prompts.templates.limits import TemplateFault
from laconic.stores import Shelf

__all__ = ["CheckedTemplate", "Templates"]

log = redacted_log("laconic.prompts")


@dataclass(frozen=True)
class CheckedTemplate:
    """A template that can be saved, with its arguments and the prompts it includes."""

    content: str
    arguments: list[Argument]
    includes: list[str]

    def values(self) -> dict[str, Any]:
        """Return it as fields of an item."""
        kept = [argument.kept() for argument in self.arguments]
        extra = {"arguments": kept} | ({"includes": self.includes} if self.includes else {})
        return {"body": self.content, "extra": extra, "terms": terms_of(self.arguments, self.includes)}


class Templates:
    """The one judge of templates: whoever saves or renders one asks here."""

    def __init__(self, shelf: Shelf, judge: Judge, uses: Uses) -> None:
        self._shelf = shelf
        self._judge = judge
        self._uses = uses

    async def check(
        self,
        name: str,
        content: str,
        known: Sequence[Argument] = (),
        given: Sequence[Argument] | None = None,
        merge: bool = False,
        drafts: Mapping[str, str] | None = None,
    ) -> CheckedTemplate:
        """Check a template and its arguments; those that are not given come from the template.

        It may include `drafts`, by their names, as if they were saved.

        Raises:
            Failure: it cannot be saved; each problem has its line.
        """
        refuse_blank(content)
        including = Including(self._shelf, self._judge, drafts)
        try:
            needs = await self._judge.inspect(content)
            variables = await including.variables(needs, (name,))
        except TemplateFault as fault:
            raise template_failure(fault, "content") from None
        if given is None:
            arguments = declared.derived(variables, known)
        else:
            arguments = declared.merged(variables, known, given) if merge else list(given)
        bases = sorted({address.partition("@")[0] for address in needs.includes})
        return CheckedTemplate(content, declared.checked(arguments, variables), bases)

    async def render(self, which: Which, given: Mapping[str, Any]) -> str:
        """Fill in the template of a prompt."""
        return await self.fill(await self._shelf.read(lambda desk: find(desk, which)), given)

    async def fill(self, entry: Entry, given: Mapping[str, Any]) -> str:
        """Fill in the template of a prompt that was found, and note that it was used."""
        text = await self._rendered(entry.body, entry.arguments, given, entry.name, bool(entry.includes))
        self._uses.note(entry.item.id)
        return text

    async def included(self, content: str) -> dict[str, str]:
        """Return the templates that a template includes, however deep, by the names it uses.

        Raises:
            Failure: one of them is not there.
        """
        if "include" not in content:  # no worker is needed
            return {}
        try:
            return await Including(self._shelf, self._judge).sources(content)
        except TemplateFault as fault:
            raise template_failure(fault, "content") from None

    async def resolved(self, entry: Entry) -> str:
        """Return the template of a prompt with what it includes in the place of each include.

        Raises:
            Failure: one of them is not there, or it would be too long.
        """
        if not entry.includes:
            return entry.body
        try:
            sources = await Including(self._shelf, self._judge).sources(entry.body)
            return await self._judge.resolve(entry.body, sources)
        except TemplateFault as fault:
            raise template_failure(fault, "name") from None

    async def preview(self, content: str, arguments: Sequence[Argument], given: Mapping[str, Any]) -> str:
        """Fill in a template that may not be saved.

        Raises:
            Failure: the values do not fit, or it cannot be rendered with them.
        """
        return await self._rendered(content, arguments, given)

    async def _rendered(
        self,
        content: str,
        arguments: Sequence[Argument],
        given: Mapping[str, Any],
        name: str = "",
        includes: bool = True,
    ) -> str:
        values, missing = declared.filled(arguments, given)
        try:
            sources = await Including(self._shelf, self._judge).sources(content) if includes else {}
            return await self._judge.render(content, values, missing, sources)
        except TemplateFault as fault:  # what it is about may be private
            log.warning("The template of %s was not rendered: %s.", name or "a draft", fault.kind)
            if name and fault.prompt:
                fault = await self._explained(fault, name, content, arguments)
            raise template_failure(fault, "name" if name else "content") from None

    async def _explained(
        self, fault: TemplateFault, name: str, content: str, arguments: Sequence[Argument]
    ) -> TemplateFault:
        """Return the fault of an included prompt, with what to do if it was changed after it was included."""
        try:
            needs = await self._judge.inspect(content)
            variables = await Including(self._shelf, self._judge).variables(needs, (name,))
        except TemplateFault as found:  # such as a circle
            return found
        known = {argument.name for argument in arguments}
        if lacking := sorted(one.name for one in variables if one.name not in known):
            fault.advice = f"There is no argument {', '.join(lacking)} yet in {name}: any edit there adds it."
        return fault
