"""Including: the prompts that a template includes, however deep, each looked at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from laconic.kit.errors import Failure
from laconic.servers.prompts.store import find
from laconic.servers.prompts.templates.judge import Judge
from laconic.servers.prompts.templates.limits import Inspected, TemplateFault, Variable
from laconic.stores import Shelf

__all__ = ["Including"]

_DEEPEST: Final = 10  # prompts that include each other
_MOST: Final = 100  # prompts that one includes, however deep


class Including:
    """Finds what one template includes."""

    def __init__(self, shelf: Shelf, judge: Judge, drafts: Mapping[str, str] | None = None) -> None:
        """Take templates that would be saved, too, by their names: they count as if they were."""
        self._shelf = shelf
        self._judge = judge
        self._drafts = drafts or {}
        self._bodies: dict[str, str] = {}
        self._variables: dict[str, list[Variable]] = {}

    async def variables(self, needs: Inspected, path: tuple[str, ...]) -> list[Variable]:
        """Return the variables of a template and of what it includes; `path` leads to it.

        Raises:
            TemplateFault: prompts include each other in a circle, too deep, or do not exist.
        """
        found = {variable.name: variable for variable in needs.variables}
        for address, line in needs.includes.items():
            base = address.partition("@")[0]
            way = " > ".join([*path, base])
            if base in path:
                raise TemplateFault(
                    "invalid", f"Prompts must not include each other in a circle: {way}.", line
                )
            if len(path) > _DEEPEST:
                raise TemplateFault("invalid", f"Prompts include each other too deep: {way}.", line)
            for variable in await self._of(address, line, (*path, base)):
                if variable.name not in needs.bound[address]:
                    found.setdefault(variable.name, Variable(variable.name, line, variable.is_optional))
        return list(found.values())

    async def sources(self, content: str) -> dict[str, str]:
        """Return the templates that a template includes, by the names it uses.

        Raises:
            TemplateFault: one of them does not exist, or there are too many.
        """
        waiting = [content]
        while waiting:
            needs = await self._judge.inspect(waiting.pop())
            for address, line in needs.includes.items():
                if address not in self._bodies:
                    waiting.append(await self._body(address, line))
        return self._bodies

    async def _of(self, address: str, line: int, path: tuple[str, ...]) -> list[Variable]:
        if address not in self._variables:
            needs = await self._judge.inspect(await self._body(address, line))
            self._variables[address] = await self.variables(needs, path)
        return self._variables[address]

    async def _body(self, address: str, line: int) -> str:
        if address not in self._bodies:
            if len(self._bodies) >= _MOST:
                raise TemplateFault("too large", f"It includes more than {_MOST} prompts.", line)
            self._bodies[address] = await self._found(address, line)
        return self._bodies[address]

    async def _found(self, address: str, line: int) -> str:
        if address in self._drafts:
            return self._drafts[address]
        try:
            entry = await self._shelf.read(lambda desk: find(desk, address))
        except Failure as failure:
            raise TemplateFault("invalid", failure.message, line, advice=failure.advice) from None
        return entry.body
