"""Skills: prompts as hosts read them, each under a name of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final, Literal

from laconic.kit.errors import Failure
from laconic.servers.prompts.files.pages import on_one_line
from laconic.servers.prompts.models import Prompt
from laconic.servers.prompts.service import Library

__all__ = ["SkillHost", "is_skill", "skills_of"]

SkillHost = Literal["claude-code", "codex", "claude-desktop"]


@dataclass(frozen=True)
class _Form:
    """How a host wants its skills."""

    name: int  # characters
    description: int
    path: str


_FORMS: Final[dict[str, _Form]] = {
    "claude-code": _Form(64, 1024, "{}/SKILL.md"),
    "codex": _Form(100, 500, "{}/SKILL.md"),
    "claude-desktop": _Form(64, 1024, "{}.md"),
}
_MARK: Final = "  laconic-prompt: "  # among what a skill may say about itself: it was made from this prompt
_HEADER: Final = 8000  # bytes that one takes at most


def is_skill(content: bytes) -> bool:
    """True if a file is a skill that was made from a prompt."""
    header = content[:_HEADER].replace(b"\r\n", b"\n").partition(b"\n---\n")[0]
    return header.startswith(b"---\n") and f"\n{_MARK}".encode() in header


async def skills_of(library: Library, prompts: Sequence[Prompt], host: SkillHost) -> dict[str, str]:
    """Return the files of skills by their paths; no prompt is lost to a name that is too long.

    What a prompt includes is put below it, since a host does not know where to find it.
    """
    form = _FORMS[host]
    taken = {prompt.name for prompt in prompts if len(prompt.name) <= form.name}
    files: dict[str, str] = {}
    for prompt in prompts:
        name = prompt.name if prompt.name in taken else _short(prompt.name, form.name, taken)
        taken.add(name)
        files[form.path.format(name)] = _skill(prompt, name, form) + await _included(library, prompt)
    return files


def _short(name: str, most: int, taken: set[str]) -> str:
    """Return the beginning of a name with a mark of the whole, which no other prompt has."""
    salt = 0
    while True:
        mark = blake2b(f"{name}{salt or ''}".encode(), digest_size=4).hexdigest()
        short = f"{name[: most - len(mark) - 1].rstrip('-')}-{mark}"
        if short not in taken:
            return short
        salt += 1


def _skill(prompt: Prompt, name: str, form: _Form) -> str:
    words = prompt.description or prompt.title or f"The prompt {prompt.name}."
    required = [argument.name for argument in prompt.arguments if argument.is_required]
    optional = [argument.name for argument in prompt.arguments if not argument.is_required]
    more = [f"Needs: {', '.join(required)}."] if required else []
    more += [f"Takes: {', '.join(optional)}."] if optional else []
    described = " ".join(" ".join([words, *more]).split())
    if len(described) > form.description:
        described = described[: form.description - 1] + "…"
    lines = ["---", f"name: {name}", f"description: {on_one_line(described)}"]
    lines += ["metadata:", f"{_MARK}{prompt.name}", "---", ""]
    return "\n".join(lines + _variables(prompt)) + (prompt.content or "")


async def _included(library: Library, prompt: Prompt) -> str:
    try:
        found = await library.templates.included(prompt.content or "")
    except Failure:  # one of them was put away: it cannot be filled in here either
        return ""
    texts = [f"`{{% include '{name}' %}}` is:\n\n{text}" for name, text in found.items()]
    return "".join(f"\n\n## Included\n\n{text}" for text in texts)


def _variables(prompt: Prompt) -> list[str]:
    if not prompt.arguments:
        return [""]
    lines = ["## Template variables", "", "Fill these in where the text below has `{{ … }}`:", ""]
    for argument in prompt.arguments:
        kind = "required" if argument.is_required else "optional"
        what = f": {' '.join(argument.description.split())}" if argument.description else ""
        default = f" (default: {on_one_line(argument.default)})" if argument.default else ""
        lines.append(f"- `{argument.name}` ({kind}){what}{default}")
    return [*lines, "", "## Text", "", ""]
