"""What words cost a model: counted where the tokenizer is installed, estimated elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

from laconic.text import estimate_tokens

__all__ = ["Meter", "meter"]


@dataclass(frozen=True)
class Meter:
    """Counts tokens, and knows how well."""

    count: Callable[[str], int]
    exact: bool

    def say(self, tokens: int) -> str:
        """A figure, marked where it is an estimate."""
        return f"{'' if self.exact else 'about '}{tokens:,} tokens"

    @property
    def footnote(self) -> str:
        """How to read the figures."""
        if self.exact:
            return "Counted with o200k; other models' tokenizers differ, so read figures as ratios."
        return "Estimated; with rs_bpe installed they are counted (o200k)."


def meter() -> Meter:
    """The best there is here."""
    if find_spec("rs_bpe") is None:
        return Meter(estimate_tokens, exact=False)
    from laconic.kit.testing import count_tokens

    return Meter(count_tokens, exact=True)
