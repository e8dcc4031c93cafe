"""`python -m scripts.documentation`: writes the parts of the docs that are generated from the declarations.

They are between `<!-- generated:NAME -->` and `<!-- /generated -->`; `--check` only reports which are stale.
It writes the stubs of packages as well: `__init__.pyi`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from laconic.text import did_you_mean, nearest
from scripts.architecture import tables as architecture
from scripts.documentation import help, hints, names, rest, stubs, tables

__all__ = ["fill", "main", "stale"]

Generator = Callable[[str], str]  # takes what follows the colon: `tools:example`

GENERATORS: Mapping[str, Generator] = {
    "annotations": tables.annotations,
    "architecture-packages": architecture.packages,
    "architecture-path": architecture.path,
    "cli": help.commands,
    "contract": tables.contract,
    "demo": tables.demo,
    "errors": tables.errors,
    "former-names": tables.former_names,
    "hints": hints.table_of_hints,
    "names": names.public_names,
    "rest": rest.table,
    "settings": tables.settings,
    "steps": tables.steps,
    "tools": tables.tools,
}

_ELSEWHERE = ("conformance", "bench-")  # written by other scripts, which run for minutes
_BEGIN = re.compile(r"^<!-- generated:", re.MULTILINE)
_REGION = re.compile(
    r"^(<!-- generated:(\S+) -->\n)((?!<!-- generated:).)*?^(<!-- /generated -->)", re.MULTILINE | re.DOTALL
)


def main(argv: Sequence[str] | None = None, root: Path | None = None) -> int:
    """Write the generated parts; with --check, fail if one is stale."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words not in ([], ["--check"]):
        print("usage: python -m scripts.documentation [--check]", file=sys.stderr)
        return 2
    try:
        texts = stale(root or Path.cwd())
    except ValueError as error:
        print(f"docs: {error}", file=sys.stderr)
        return 1
    for path, text in texts.items():
        if words:
            print(f"docs: {path} is stale: run scripts/docs", file=sys.stderr)
        else:
            (root or Path.cwd()).joinpath(path).write_text(text, encoding="utf-8")
            print(f"docs: wrote {path}", file=sys.stderr)
    return 1 if words and texts else 0


def stale(root: Path) -> dict[str, str]:
    """The text that each stale page or stub should have, by its path."""
    found = stubs.stale(root) | rest.stale(root)
    for path in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
        if path.exists():
            text = path.read_text(encoding="utf-8")
            filled = fill(text, path.name)
            if filled != text:
                found[path.relative_to(root).as_posix()] = filled
    return found


def fill(text: str, page: str = "the page") -> str:
    """Fill the generated parts of a page.

    Raises:
        ValueError: a marker has an unknown name or no end.
    """
    if len(_BEGIN.findall(text)) != len(_REGION.findall(text)):
        raise ValueError(f"{page}: a generated part has no end, <!-- /generated -->")
    return _REGION.sub(lambda match: _filled(match, page), text)


def _filled(match: re.Match[str], page: str) -> str:
    if match[2].startswith(_ELSEWHERE):
        return match[0]
    return f"{match[1]}\n{_made(match[2], page)}\n\n{match[4]}"


def _made(name: str, page: str) -> str:
    kind, _, of = name.partition(":")
    if kind not in GENERATORS:
        hint = did_you_mean(nearest(kind, GENERATORS))
        raise ValueError(f"{page}: nothing generates '{name}'.{hint}")
    return GENERATORS[kind](of).strip("\n")
