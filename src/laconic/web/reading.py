"""Reading: the body of a request as JSON; one that cannot be read is told why."""

from __future__ import annotations

import json
from typing import Any, Final

from fastapi import Request

__all__ = ["UNREADABLE", "JsonRequest"]

_NOT_TEXT: Final = "Expected: JSON in UTF-8, not compressed."
_TOO_DEEP: Final = "The body is nested too deeply."
_TOO_LONG: Final = "The body has a number that is too long."
_HALF: Final = "The body has half of a surrogate pair, which is no character."
UNREADABLE: Final = frozenset({_NOT_TEXT, _TOO_DEEP, _TOO_LONG, _HALF})


class JsonRequest(Request):
    """A request whose JSON can be written again, character for character."""

    async def json(self) -> Any:
        """Return the body.

        Raises:
            JSONDecodeError: it is no JSON, or none that can be kept.
        """
        if hasattr(self, "_json"):
            return self._json
        body = await self.body()
        try:
            # The decoder of JSON would take half of a pair, and other encodings.
            text = str(body, "utf-8-sig")
            found = json.loads(text)
            if "\\u" in text:  # only so can a text have half of a pair
                json.dumps(found, ensure_ascii=False).encode()
        except json.JSONDecodeError:
            raise
        except UnicodeEncodeError:
            raise _unreadable(_HALF) from None
        except UnicodeDecodeError:
            raise _unreadable(_NOT_TEXT) from None
        except RecursionError:
            raise _unreadable(_TOO_DEEP) from None
        except ValueError:
            raise _unreadable(_TOO_LONG) from None
        self._json = found
        return found


def _unreadable(why: str) -> json.JSONDecodeError:
    return json.JSONDecodeError(why, "", 0)
