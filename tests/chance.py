"""How many examples hypothesis tries: all in scripts/soak; a part in scripts/test, other ones in each run."""

import os
from typing import Any

from hypothesis import settings

__all__ = ["examples", "is_soaking", "load"]


def is_soaking() -> bool:
    """Whether the run may take as long as it likes."""
    return os.environ.get("LACONIC_SOAK") == "1"


def examples(most: int, **more: Any) -> settings:
    """The settings of a test that tries so many examples in scripts/soak."""
    return settings(max_examples=_part(most), deadline=None, **more)


def load() -> None:
    """What holds for tests without settings of their own: no time is asserted, as everywhere."""
    settings.register_profile("laconic", max_examples=_part(100), deadline=None)
    settings.load_profile("laconic")


def _part(most: int) -> int:
    return most if is_soaking() else most // 3
