"""Compact JSON: a value in as few letters as possible."""

from __future__ import annotations

import json
from collections.abc import Callable
from json import encoder as parts
from typing import Any, Final

__all__ = ["compact", "writer"]


def writer(**options: Any) -> Callable[[Any], str]:
    """Return a function that writes values as compact JSON; the options are those of json.JSONEncoder.

    Its encoder is made once: the standard library makes one for every value, which takes longer than writing
    a short one. A value that contains itself fails as nested too deeply: checking for it at every step would
    cost a fifth.
    """
    slow = json.JSONEncoder(separators=(",", ":"), check_circular=False, **options)
    make: Any = getattr(parts, "c_make_encoder", None)
    if make is None:  # a Python without the quick one
        return slow.encode
    quoted: Any = parts.encode_basestring_ascii if slow.ensure_ascii else parts.encode_basestring
    choices = (slow.sort_keys, slow.skipkeys, slow.allow_nan)
    quick = make(None, slow.default, quoted, None, slow.key_separator, slow.item_separator, *choices)
    join = "".join
    return lambda value: join(quick(value, 0))


compact: Final = writer(ensure_ascii=False, default=str)
"""Return a value as compact JSON; what is no JSON is written as text."""
