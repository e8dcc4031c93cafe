"""Token counts: exact if the tokenizer is installed, otherwise estimated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

from laconic.text import estimate_tokens

__all__ = ["Meter", "meter"]


@dataclass(frozen=True)
class Meter:
    """Counts tokens, and knows whether the count is exact."""

    count: Callable[[str], int]
    exact: bool

    def figure(self, tokens: int) -> str:
        """Return a figure, marked if it is an estimate."""
        return f"{'' if self.exact else '~'}{tokens:,}"

    def describe(self, tokens: int) -> str:
        """Return a figure with its unit."""
        return f"{self.figure(tokens)} tokens"

    @property
    def footnote(self) -> str:
        """A note on how to read the figures."""
        if self.exact:
            return "Counted with o200k; other tokenizers differ, so read the figures as ratios."
        return "~ marks estimates; install laconic[tokens] to count exactly (o200k)."


def meter() -> Meter:
    """Return the best meter available."""
    if find_spec("rs_bpe") is None:
        return Meter(estimate_tokens, exact=False)
    from laconic.kit.testing import count_tokens

    return Meter(count_tokens, exact=True)
