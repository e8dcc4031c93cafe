"""References: an item by its id, or by the number that people use for it."""

import re
from typing import Final

from laconic.kit import BadArguments, Problem

_FORM: Final = re.compile(r"\s*(#?)(\d{1,18})\s*")


def ref_of(given: str, argument: str) -> tuple[int, bool]:
    """Return the number in `12` or `#12`, and whether it is a reference.

    Raises:
        BadArguments: it is neither.
    """
    found = _FORM.fullmatch(given)
    if found is None:
        message = (
            f"Invalid {argument} '{given[:40]}'. Expected: an id such as 12, or a reference such as #12."
        )
        raise BadArguments([Problem(argument, message, given)])
    return int(found[2]), bool(found[1])
