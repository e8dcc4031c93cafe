"""Secrets and places in a text: what gives access to something, or tells about a machine, is hidden."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import Final

__all__ = ["HIDDEN", "Folders", "hide_folders", "hide_home", "hide_secrets", "is_secret_name"]

HIDDEN: Final = "[hidden]"

_VENDORS: Final = r"""(?x) (?<![A-Za-z0-9_-]) (?:
      [rs]k_(?:live|test)_\w{6,}            # Stripe
    | sk-(?=[\w-]*\d)[\w-]{20,}             # OpenAI, Anthropic
    | gh[oprsu]_\w{16,} | github_pat_\w{16,}
    | glpat-[\w-]{16,}
    | xox[a-z]-[\w-]{10,} | xapp-[\w-]{10,} # Slack
    | (?:AKIA|ASIA)[0-9A-Z]{16}             # AWS
    | AIza[\w-]{30,} | ya29\.[\w.-]{16,} | 1//0[\w-]{20,} | GOCSPX-[\w-]{16,}  # Google
    | SG\.[\w-]{16,}\.[\w-]{16,}            # SendGrid
    | npm_\w{30,} | pypi-[\w-]{16,} | hf_\w{30,} | dop_v1_\w{30,}
    | shp(?:at|ca|pa|ss)_\w{30,} | whsec_\w{16,} | lin_api_\w{16,} | ntn_\w{30,} | hvs\.[\w-]{20,}
    | eyJ[\w-]{6,}\.eyJ[\w-]{6,}\.[\w-]*    # a JSON web token
)"""
_SHORT: Final = 14  # letters: whatever is recognized by itself is longer, or has more than one hyphen
_WORD: Final = r"[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)?"
_PRIVATE_KEY: Final = r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
_WEBHOOK: Final = r"(?<=hooks\.slack\.com/services/)[\w/]{8,}"
_SIGNATURE: Final = r"(?i)(?<=[?&])((?:x-(?:amz|goog)-)?(?:sig|signature)=)([^&\s\"'<>]+)"
_KEY_IN_ADDRESS: Final = r"(?i)(?<=[?&])(key=)([^&\s\"'<>]{8,})"
_ENTRY: Final = r"[A-Z][A-Z0-9]*-\d+\Z"  # PROJ-1234 is the key of an entry
_HEADER: Final = r"""(?ix)
    ( \b(?:(?:proxy-)?authorization | x-[\w-]{0,40}(?:key|token|secret)) \\*["']? \s* [:=] \s* \\*["']?
      (?: (?:bearer|basic|token|digest|negotiate|apikey|key)\s+ )? ) ([^\s"',;]+)"""
_SCHEME: Final = r"(?i)(\b(?:bearer|basic)\s+)([\w.~+/=-]{6,})"
_COOKIE: Final = r"(?i)(\b(?:set-)?cookie[\"']?\s*:\s*[\"']?)([^\s\"'=;]{1,80}=[^\s\"']+)"
_IN_ADDRESS: Final = r"(://[^\s/:@]*:)([^\s/]+)(?=@)"
_SECRET_NAME: Final = r"""(?:
      password | passwd | passphrase | passcode | pwd | secret (?:[_-]?key)? | credential | token
    | (?:api|access|private|signing|encryption|auth)[_-]?key | (?<![a-z])pass )"""
_NAME_OF_SECRET: Final = rf"""(?ix)
      {_SECRET_NAME} (?! s?[_-]?(?: type | ur[il] | count | limit | name | id\b | expir ) )
    | \A (?:proxy-)?authorization \Z | \A cookie \Z | assertion | \A x-.*key \Z"""
_PAIR: Final = rf"""(?ix)
    ( {_SECRET_NAME} )
    ( \\*["'`]? \s{{0,3}} (?: := | => | [:=] ) \s{{0,3}} | (?<=word)\s(?=["']) )  # password: x, password 'x'
    ( \\+"[^"\n]*\\" | \\+'[^'\n]*\\'
    | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | "[^"\n]*" | '[^'\n]*'
    | [^\s"'&;,<>(){{}}\[\]|]+ )"""
_ELEMENT: Final = rf"(?ix)(<[\w:.-]{{0,40}}{_SECRET_NAME}(?:\s[^<>]{{0,200}})?>)([^<>]+)(?=</)"
_TWO: Final = rf"""(?ix)  # ('password', 'x') and the arguments of a command: '--password', 'x'
    ( (?: \( ["'][\w-]{{0,40}} | ["']--?[\w-]{{0,40}} ) {_SECRET_NAME} ["'] , \s? (["']) )
    ( (?!-)[^"'\n]+ ) (?=\2 (?P<end>[^\n])? )"""
_FLAG: Final = rf"(?ix)((?<![\w-])--?[\w-]{{0,40}}{_SECRET_NAME}\s)([^\s\"'-][^\s\"']*)"

# Tokens that lead to the next page or report progress open nothing.
_HARMLESS: Final = (
    r"(?i)(?:page|next|previous|continuation|sync|progress|cancel|unexpected|invalid|illegal|max|of)[_\s-]?\Z"
)
_WORDS: Final = """
    a address an and at be boolean by changed date empty expired expires false for given has hidden in
    incorrect integer invalid is list missing must no none not null number object of one optional or redacted
    refused regular required reset revoked set should string text the to too true undefined unknown unset use
    uuid value was with wrong yes
"""
_PLAIN: Final = frozenset(_WORDS.split())
_OUTSIDE_WORDS: Final = r"(?<![\w.~/\\%\]}$-])"
_FLAG_BEFORE: Final = r"(?<=[\s\"'`(,=]-[A-Za-z])|(?<=\A-[A-Za-z])"  # -I/usr/include
_BEFORE: Final = rf"(?:{_OUTSIDE_WORDS}|(?<=://)|(?<=:///)|{_FLAG_BEFORE})"
_HOME: Final = (
    rf"{_BEFORE}"
    r"(?:/(?:home|Users)/[\w.@+-]*[\w@+-]|/root(?![\w-])|[A-Za-z]:(?:\\{1,2}|/)Users(?:\\{1,2}|/)[\w.@+-]*[\w@+-])"
)
_TEMPORARY: Final = (
    rf"{_BEFORE}"
    r"(?:/private)?(?:/var/folders/\w+/\w+/\w|/(?:var/)?tmp|/dev/shm)(?![\w-])"
)
_NAME: Final = r"[^\s\"'`<>|*?:;,()\[\]{}/\\]+"
_WINDOWS_NAME: Final = r"[^\s\"'`<>|*?:;,/\\]+"
_ABSOLUTE: Final = (
    rf"{_BEFORE}"
    rf"(?:(?P<posix>/(?![~…$]){_NAME}(?:/+{_NAME})+)"
    rf"|[A-Za-z]:(?!//)(?:[\\/]+{_WINDOWS_NAME})+"
    rf"|\\\\[\w.$-]+(?:\\{_WINDOWS_NAME})+|\\{{4}}[\w.$-]+(?:\\\\{_WINDOWS_NAME})+)"  # \\server\share
)
_FOLDERS: Final = """
    Applications Library System Volumes app bin boot builds code cygdrive data dev etc home lib lib64 media
    mnt nix opt private proc root run sbin snap srv sys usr vagrant var work workspace workspaces
"""
_ROOTS: Final = frozenset(_FOLDERS.split())
_DEVICE: Final = r"/dev/(?:null|zero|tty|u?random|std(?:in|out|err))\Z"
_FILE: Final = r"\.[A-Za-z]\w{0,5}\Z"
_REQUEST: Final = r"\b(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\s{1,3}[\"'`]?\Z"

Spared = Callable[[str], bool]
"""Whether a secret may be repeated, because the reader sent it."""


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern on first use: a server that starts has nothing to hide yet."""
    return re.compile(pattern)


def hide_secrets(text: str, known: Collection[str] = (), spared: Spared | None = None) -> str:
    """Hide known secrets, tokens, passwords, keys and credentials.

    Ids, hashes and ordinary words stay, and so does what `spared` accepts, unless it is a known secret.
    """
    for secret in known:
        text = text.replace(secret, HIDDEN)
    if len(text) <= _SHORT and _compiled(_WORD).fullmatch(text):
        return text

    def whole(match: re.Match[str]) -> str:
        return _hidden(match[0], "", spared)

    def second(match: re.Match[str]) -> str:
        return _hidden(match[2], match[1], spared)

    def random_second(match: re.Match[str]) -> str:
        return second(match) if _is_random(match[2]) else match[0]

    def item(match: re.Match[str]) -> str:
        is_pair = not match[1].startswith("(") or match["end"] == ")"
        return _hidden(match[3], match[1], spared) if is_pair else match[0]

    def key(match: re.Match[str]) -> str:
        return match[0] if _compiled(_ENTRY).match(match[2]) else random_second(match)

    def pair(match: re.Match[str]) -> str:
        return match[0] if _is_harmless(match) else _quoted(match, spared)

    for pattern in (_PRIVATE_KEY, _VENDORS, _WEBHOOK):
        text = _compiled(pattern).sub(whole, text)
    for pattern in (_SIGNATURE, _IN_ADDRESS, _COOKIE):
        text = _compiled(pattern).sub(second, text)
    for pattern in (_HEADER, _ELEMENT):
        text = _compiled(pattern).sub(lambda match: match[0] if _is_plain(match[2]) else second(match), text)
    for pattern in (_SCHEME, _FLAG):
        text = _compiled(pattern).sub(random_second, text)
    text = _compiled(_TWO).sub(item, _compiled(_KEY_IN_ADDRESS).sub(key, text))
    return _compiled(_PAIR).sub(pair, text)


def is_secret_name(name: str) -> bool:
    """True if the name of a field, parameter or header says that its value is a secret."""
    found = _compiled(_NAME_OF_SECRET).search(name)
    return found is not None and not _compiled(_HARMLESS).search(name[: found.start()])


def _hidden(secret: str, before: str, spared: Spared | None) -> str:
    if secret.startswith(HIDDEN) or (spared is not None and spared(secret)):
        return before + secret
    return before + HIDDEN


def _quoted(match: re.Match[str], spared: Spared | None) -> str:
    value = match[3]
    quote = _quote(value)
    end = quote or value[len(value.rstrip(".!?")) :]
    inner = value[len(quote) : len(value) - len(end)]
    return match[1] + match[2] + quote + _hidden(inner, "", spared) + end


def _quote(value: str) -> str:
    """Return the quotation mark that a value begins with, with the backslashes before it; may be empty."""
    mark = value.lstrip("\\")[:1]
    return value[: value.index(mark) + 1] if mark in ("'", '"') else ""


def _is_harmless(match: re.Match[str]) -> bool:
    """True if a name and a value only look like a secret."""
    name, middle, value = match[1].lower(), match[2], match[3]
    bare = value.strip("\\\"'").rstrip(".!?")
    if _is_plain(bare):
        return True
    if name == "pass" and (bare.isdigit() or (":" in middle and not _quote(value))):
        return True  # tests that pass
    if name.startswith("pass") or name in ("pwd",):
        return False
    if name == "token" and _compiled(_HARMLESS).search(
        match.string[max(0, match.start() - 16) : match.start()]
    ):
        return True
    if bare.isdigit() and len(bare) < 6:
        return True
    is_sentence = middle.strip() == ":" and not _quote(value)
    return (is_sentence and not _is_random(bare)) or len(bare) < 3


def _is_plain(value: str) -> bool:
    """True for an ordinary word, and for what replaces a secret."""
    bare = value.rstrip(".!?:")
    is_place = bare.startswith(("[", "<", "$", "{", "%")) or not bare.strip("*.…xX•-_")
    return is_place or bare.lower() in _PLAIN


def _is_random(value: str) -> bool:
    bare = value.rstrip(".!?:")
    has_both = bare != bare.lower() and bare[1:] != bare[1:].lower() and bare != bare.upper()
    return len(bare) >= 16 or has_both or any(letter.isdigit() for letter in bare)


class Folders:
    """Folders of this machine, and what is shown instead of each."""

    def __init__(self, shown: Mapping[str, str], relative: Collection[str] = ()) -> None:
        """Take the folders; those that are `relative` are left out of the paths inside them."""
        self._relative = {folder.rstrip("/\\") for folder in relative}
        self.shown = {folder.rstrip("/\\"): short for folder, short in shown.items() if folder.strip("/\\")}
        names = "|".join(re.escape(one) for one in sorted(self.shown, key=len, reverse=True))
        self._pattern = rf"{_BEFORE}({names})([/\\](?=\S)|(?![\w-]|\.\w))"

    def hide(self, text: str, spared: Spared | None = None) -> str:
        """Show every path in these folders in its short form."""

        def shown(match: re.Match[str]) -> str:
            if spared is not None and spared(match[0]):
                return match[0]
            if match[2] and match[1] in self._relative:
                return ""
            return self.shown[match[1]] + match[2]

        return _compiled(self._pattern).sub(shown, text) if self.shown else text


def hide_home(text: str, spared: Spared | None = None) -> str:
    """Write home folders as `~`, and folders for temporary files as `$TMPDIR`."""

    def shown(short: str) -> Callable[[re.Match[str]], str]:
        return lambda match: match[0] if spared is not None and spared(match[0]) else short

    text = _compiled(_HOME).sub(shown("~"), text)
    return _compiled(_TEMPORARY).sub(shown("$TMPDIR"), text)


def hide_folders(text: str, spared: Spared | None = None, roots: Collection[str] = ()) -> str:
    """Leave of a path that starts at the root of a machine only its last name.

    `/x/y` may also be an address on a web site. It is a path if its first folder is common on machines or one
    of `roots`, or if its last name looks like a file's; it is an address after the name of an HTTP method.
    """

    def is_address(match: re.Match[str], path: str) -> bool:
        if match["posix"] is None:
            return False
        if _compiled(_REQUEST).search(text[max(0, match.start() - 12) : match.start()]):
            return True
        first = path.split("/", 2)[1]
        is_path = first in _ROOTS or first in roots or _compiled(_FILE).search(path)
        return not is_path or _compiled(_DEVICE).match(path) is not None

    def last(match: re.Match[str]) -> str:
        path = match[0].rstrip(".!?")
        if is_address(match, path) or (spared is not None and spared(path)):
            return match[0]
        return "…/" + re.split(r"[/\\]", path)[-1] + match[0][len(path) :]

    return _compiled(_ABSOLUTE).sub(last, text)
