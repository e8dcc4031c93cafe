"""The way of each call: through the steps that it needs to its function, and back as an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from laconic.effects import watched
from laconic.kit.answers.pages import Page
from laconic.kit.pipeline import Answer, Call, Inner, Step, compose
from laconic.kit.running import run

if TYPE_CHECKING:
    from laconic.kit.declaring.spec import RouteSpec, Spec
    from laconic.kit.present.presenter import Presenter
    from laconic.kit.supplying.supply import Supplies
    from laconic.kit.toolset import Toolset

__all__ = ["Ways"]


class Ways:
    """Composes the way of a spec's calls."""

    def __init__(
        self,
        steps: Sequence[Step],
        toolsets: Mapping[str, Toolset],
        supplies: Supplies,
        presenter: Presenter,
    ) -> None:
        self._steps = steps
        self._toolsets = toolsets
        self._supplies = supplies
        self._presenter = presenter

    def of(self, spec: Spec) -> Inner:
        """Return the steps that a spec needs, those of its own toolset innermost, around its function."""
        return compose([*self._steps, *self._toolsets[spec.toolset].steps], self.handle, spec)

    def of_route(self, spec: RouteSpec) -> Inner:
        """Return the outer steps around the function of a web route."""
        from laconic.kit.steps import outer

        return compose(outer(self._steps), self._visit, spec)

    async def handle(self, call: Call) -> Answer:
        """Supply what the function needs, run it, and present what it returns: the innermost part."""
        signature, checked = call.spec.signature, call.checked
        assert checked is not None
        is_all = signature.window is None and not signature.supplied
        values = checked.values if is_all else await self._supplies.arguments(call)
        value = await _done(call, values)
        if isinstance(value, Page):
            return await self._presenter.page(call, value)
        return self._presenter.answer(call, value)

    async def _visit(self, call: Call) -> Answer:
        """Run the function of a web route."""
        assert call.checked is not None
        return Answer(value=await _done(call, call.checked.values))


async def _done(call: Call, values: Mapping[str, Any]) -> Any:
    """Run a call's function, and return its value."""
    call.started = True
    if call.spec.writes:
        with watched() as call.effects:
            value = await run(call.spec.function, values, call.loop)
    else:
        value = await run(call.spec.function, values, call.loop)
    call.finish()
    return value
