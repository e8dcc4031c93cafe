"""Choose the model: by its provider, with an address and a key that only the user gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pydantic import ValidationError

from laconic.evals.conversation import BadSuite
from laconic.evals.model import Model
from laconic.evals.providers.anthropic import Anthropic
from laconic.evals.providers.openai import OpenAI
from laconic.evals.providers.scripted import Scripted
from laconic.evals.suite import Case, ModelSpec, Suite
from laconic.upstream import BadAddress

__all__ = ["KEYS", "Chosen", "spec_of"]

KEY: Final = "LACONIC_EVAL_KEY"
KEYS: Final[Mapping[str, str]] = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY"}
_ROOTS: Final[Mapping[str, str]] = {
    "anthropic": "https://api.anthropic.com",
    "openai": "https://api.openai.com/v1",
}


def spec_of(words: str, temperature: float | None = None) -> ModelSpec:
    """Read `provider/name`.

    Raises:
        BadSuite: it is not that.
    """
    provider, _, name = words.partition("/")
    try:
        return ModelSpec.model_validate({"provider": provider, "name": name, "temperature": temperature})
    except ValidationError:
        raise BadSuite(
            f"'{words}' is not a model. Expected: anthropic/NAME, openai/NAME or scripted/NAME."
        ) from None


class Chosen:
    """The model of a run: over HTTP one serves all cases, a scripted one has a script for each."""

    def __init__(self, suite: Suite, spec: ModelSpec, url: str, variables: Mapping[str, str]) -> None:
        """Check that it can be asked.

        Raises:
            BadSuite: a key or a script is missing, or the address is none.
        """
        self.spec = spec
        self._api: Anthropic | OpenAI | None = None
        if spec.provider == "scripted":
            self._check_scripts(suite)
            return
        key = variables.get(KEY) or variables.get(KEYS[spec.provider], "")
        if not key and not url:
            raise BadSuite(f"There is no key for {spec.title}. Set {KEYS[spec.provider]} or {KEY}.")
        kind = Anthropic if spec.provider == "anthropic" else OpenAI
        try:
            self._api = kind(spec, url or _ROOTS[spec.provider], key, suite.eval.timeout)
        except BadAddress as error:
            raise BadSuite(f"--url: {error}") from None
        self.secret = key

    secret: str = ""

    def __call__(self, case: Case, state: Mapping[str, Any]) -> Model:
        """Return the model of one case."""
        return self._api or Scripted(case.scripts[self.spec.name], state)

    async def close(self) -> None:
        """Close its connections."""
        if self._api is not None:
            await self._api.close()

    def _check_scripts(self, suite: Suite) -> None:
        missing = [case.id for case in suite.test_cases if self.spec.name not in case.scripts]
        if missing:
            known = ", ".join(suite.scripts()) or "none"
            raise BadSuite(
                f"{', '.join(missing)} has no script '{self.spec.name}'. Scripts of every case: {known}."
            )
