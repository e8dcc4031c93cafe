"""Read option values from the command line, the environment or a TOML file."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

__all__ = ["Address", "Read"]

Read = Callable[[Any], Any]
"""Takes what was given; raises ValueError with what was expected."""

_MOST_WORKERS: Final = 64  # a slip of the finger must not start a thousand processes
_PREFIX: Final = re.compile("[A-Za-z0-9_-]{0,32}")
_SITE: Final = re.compile(r"(https?)://(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?")
_USUAL: Final = {"http": ":80", "https": ":443"}  # ports that browsers leave out
_YES = ("1", "true", "yes", "on")
_NO = ("0", "false", "no", "off", "")


class Address(NamedTuple):
    """Where a server listens."""

    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def text(given: Any) -> str:
    """Read text that is not blank."""
    if not isinstance(given, str) or not given.strip():
        raise ValueError("text that is not blank")
    return given.strip()


def database(given: Any) -> str:
    """Read the address of a database; the name of a file becomes absolute."""
    address = text(given)
    return address if "://" in address else str(Path(address).expanduser().absolute())


def words(given: Any) -> tuple[str, ...]:
    """Read a list, or comma-separated words."""
    parts = given.split(",") if isinstance(given, str) else given
    if not isinstance(parts, list | tuple) or not all(isinstance(part, str) for part in parts):
        raise ValueError("a list of strings, or comma-separated words")
    return tuple(part.strip() for part in parts if part.strip())


def origins(given: Any) -> tuple[str, ...]:
    """Read the addresses of sites, without a path, as browsers name them."""
    sites = [_SITE.fullmatch(one.lower().removesuffix("/")) for one in words(given)]
    if not all(sites):
        raise ValueError("addresses of sites, such as https://app.example.org")
    return tuple(site[0].removesuffix(_USUAL[site[1]]) for site in sites if site)


def strings(given: Any) -> Mapping[str, str]:
    """Read a table of strings."""
    if not isinstance(given, dict) or not all(isinstance(value, str) for value in given.values()):
        raise ValueError("a table of strings")
    return given


def prefixes(given: Any) -> Mapping[str, str]:
    """Read prefixes of names by toolset; models read them, so they can have no other words in them."""
    found = strings(given)
    if not all(_PREFIX.fullmatch(prefix) for prefix in found.values()):
        raise ValueError("a table of prefixes of at most 32 letters, digits, hyphens and underscores")
    return found


def pairs(given: Any) -> Mapping[str, str]:
    """Read a table of strings, or comma-separated pairs `name=word`."""
    if isinstance(given, dict):
        return strings(given)
    split = [word.partition("=") for one in words(given) for word in words(one)]  # a flag may be repeated
    if not all(name.strip() and word.strip() for name, _, word in split):
        raise ValueError("pairs such as google=lean, separated by commas")
    return {name.strip(): word.strip() for name, _, word in split}


def folder(given: Any) -> Path:
    """Read a folder's path; `~` is the home folder."""
    return Path(text(given)).expanduser()


def yes_or_no(given: Any) -> bool:
    """Read true or false."""
    if isinstance(given, bool):
        return given
    word = given.strip().lower() if isinstance(given, str) else None
    if word not in _YES + _NO:
        raise ValueError("true or false")
    return word in _YES


def count(given: Any) -> int:
    """Read a whole number above zero."""
    try:
        number = int(given) if isinstance(given, str) else given
    except ValueError:
        number = None
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise ValueError("a whole number of at least 1")
    return number


def workers(given: Any) -> int:
    """Read a number of processes."""
    number = count(given)
    if number > _MOST_WORKERS:
        raise ValueError(f"a whole number from 1 to {_MOST_WORKERS}")
    return number


def count_or_none(given: Any) -> int:
    """Read a whole number of at least 0."""
    return 0 if given in (0, "0") and given is not False else count(given)


def seconds(given: Any) -> float:
    """Read a number of seconds."""
    try:
        number = math.nan if isinstance(given, bool) else float(given)
    except (TypeError, ValueError):
        number = math.nan
    if not 0 < number < math.inf:
        raise ValueError("a number of seconds above 0")
    return number


def seconds_or_none(given: Any) -> float:
    """Read a number of seconds of at least 0."""
    return 0.0 if given in (0, "0") and given is not False else seconds(given)


def practice(given: Any) -> bool | Path:
    """Read whether to practise, and in which folder: yes, no, or a path; a bare word could be a server."""
    word = given.strip() if isinstance(given, str) else given
    if isinstance(word, bool) or (isinstance(word, str) and word.lower() in _YES + _NO):
        return yes_or_no(word)
    if not isinstance(word, str) or not re.search(r"[/\\.~]", word):
        raise ValueError("no value, or a folder with a slash, such as ./practice; servers come first")
    return folder(word).absolute()


def one_of(*allowed: str) -> Read:
    """Return a reader of one of these words."""

    def read(given: Any) -> str:
        word = given.strip().lower() if isinstance(given, str) else None
        if word not in allowed:
            raise ValueError(f"one of {', '.join(allowed)}")
        return word

    return read


def address(given: Any) -> Address:
    """Read HOST:PORT; a bare port listens on this machine only."""
    word = given.strip() if isinstance(given, str) else str(given)
    host, _, port = word.rpartition(":")
    if not port.isdecimal() or int(port) > 65535 or "/" in host:
        raise ValueError("HOST:PORT, such as 127.0.0.1:8321")
    return Address(host.strip("[]") or "127.0.0.1", int(port))


def url(given: Any) -> str:
    """Read a web address."""
    word = text(given).rstrip("/")
    parts = urlsplit(word)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise ValueError("an address, such as https://mcp.example.org")
    return word
