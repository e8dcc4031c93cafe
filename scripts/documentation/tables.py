"""Tables for the docs, made from the declarations."""

import ast
import asyncio
import inspect
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import Any

from laconic.cli import toolsets
from laconic.cli.configuration.options import FILE, FLAG, OPTIONS, OWN_FILE, VARIABLE, Option
from laconic.cli.cost import meter
from laconic.cli.demo.command import summary
from laconic.cli.demo.day import AnswerCost, Day, spend
from laconic.kit import steps as kit_steps
from laconic.kit.contract import CHECKS
from laconic.kit.declaring.spec import ANNOTATIONS
from laconic.kit.errors import failure_kinds
from laconic.kit.listing import Listing
from laconic.kit.settings import Settings
from laconic.kit.testing import tool_tokens

__all__ = [
    "annotations",
    "contract",
    "demo",
    "demo_range",
    "errors",
    "former_names",
    "settings",
    "steps",
    "tools",
]


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def tools(server: str) -> str:
    """The tools of a server, what each does, and the tokens of its definition if it is listed by default."""
    from laconic.kit.catalogue import Catalogue

    toolset = toolsets.load(toolsets.find(server))
    listed = {tool["name"]: tool for tool in Listing.of(Catalogue([toolset]), Settings()).tools}
    cost = {name: tool_tokens(tool) for name, tool in listed.items()}
    specs = sorted(toolset.tools, key=lambda spec: spec.name not in cost)
    rows = [
        [f"`{one.name}`", one.effect.value, str(cost.get(one.name, "")), _first_sentence(one.description)]
        for one in specs
    ]
    rows.append(["total", "", f"{sum(cost.values()):,}", ""])
    return table(["tool", "effect", "tokens", "what it does"], rows)


def _first_sentence(text: str) -> str:
    first, dot, _ = text.partition(". ")
    return first + "." if dot else text


def errors(_: str = "") -> str:
    """Return every kind of failure of the kit."""
    rows = [
        [
            f"`{kind.__name__}`",
            f"`{kind.code}`",
            kind.category,
            inspect.getdoc(kind) or "",
            kind.advice or "see its message",
        ]
        for kind in failure_kinds()
    ]
    return table(["failure", "code", "category", "when", "what to do next"], rows)


def annotations(_: str = "") -> str:
    """The annotations that each verb gives a tool."""
    rows = [
        [f"`.{effect.value}`", *("yes" if value else "no" for value in list(hints.wire().values())[:3])]
        for effect, hints in ANNOTATIONS.items()
    ]
    return table(["declared with", "readOnlyHint", "destructiveHint", "idempotentHint"], rows)


def steps(_: str = "") -> str:
    """The steps of a call in their order, what each does, and why it is there."""
    rows: list[list[str]] = []
    for name, why in _order():
        module = None if name == "*" else import_module(f"laconic.kit.steps.{name}")
        does = (inspect.getdoc(module) or "").partition("\n\n")[0] if module else "Those in `Settings.steps`."
        rows.append([f"`{name}`" if module else "your own", does, f"{why[:1].upper()}{why[1:]}."])
    return table(["step", "what it does", "why there"], rows)


def _order() -> Iterator[tuple[str, str]]:
    """The names in the list of the standard order, with the comment next to each; `*` for an author's own."""
    source = textwrap.dedent(inspect.getsource(kit_steps.standard))
    lines = source.splitlines()
    returned = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Return)]
    for node in returned[0].elts if isinstance(returned[0], ast.List) else ():
        why = lines[(node.end_lineno or 1) - 1].partition("  # ")[2]
        calls = (part.func for part in ast.walk(node) if isinstance(part, ast.Call))
        names = [called.id for called in calls if isinstance(called, ast.Name)]
        yield names[0] if names else "*", why


def former_names(_: str = "") -> str:
    """The former names of our servers' tools and parameters."""
    rows = [row for name in toolsets.OWN for row in _former(toolsets.load(toolsets.find(name)).tools)]
    head = ["now", "formerly", "works until"]
    return table(head, rows) if rows else "No tool or parameter has been renamed yet."


def _former(specs: Iterable[Any]) -> Iterator[list[str]]:
    for spec in specs:
        for former in spec.formers:
            renamed = "".join(f", `{old}` is `{new}`" for old, new in former.arguments.items())
            yield [f"`{spec.name}`", f"`{former.name}`{renamed}", spec.until or "further notice"]
        for parameter in spec.signature.parameters:
            for was in parameter.was:
                what = f"`{was.name}`" if was.name else f"of type {getattr(was.type, '__name__', was.type)}"
                yield [f"`{spec.name}`, `{parameter.wire}`", what, was.until or "further notice"]


def contract(_: str = "") -> str:
    """Return the rules that a contract checks."""
    return table(["check", "rule"], ([f"`{check.name}`", check.rule] for check in CHECKS))


def demo(part: str = "") -> str:
    """What each answer of the demo costs; `demo:total` is the sum in words, `demo:range` the extremes."""
    day = _day()
    if part == "total":
        return summary(day, meter())
    if part == "range":
        return demo_range(day)
    rows = [[row.what, f"`{row.tool}`", f"{row.laconic:,}", f"{row.thin:,}"] for row in day.rows]
    rows.append(["total", "", f"{day.laconic:,}", f"{day.thin:,}"])
    return table(["the agent", "tool", "laconic", "thin wrapper"], rows)


def demo_range(day: Day) -> str:
    """Where the saving is largest and where it is least, so that the total is never shown alone."""
    compared = [row for row in day.rows if row.thin]
    first, second = sorted(compared, key=lambda row: row.thin - row.laconic, reverse=True)[:2]
    least = max(compared, key=lambda row: row.laconic / row.thin)
    change = 100 * (least.laconic / least.thin - 1)
    later = sum(row.laconic for row in day.rows if not row.thin)
    return (
        f"Most of that comes from two answers that the thin wrapper sends whole: *{first.what}* "
        f"({_instead(first)}) and *{second.what}* ({_instead(second)}). The saving is least where the agent "
        f"*{least.what}*: {_instead(least)}, {abs(change):.0f} % {'more' if change > 0 else 'less'}. Later "
        f"reads of the same content cost {later:,} tokens here and none in the thin wrapper, which has "
        "already sent it."
    )


def _instead(row: AnswerCost) -> str:
    return f"{row.laconic:,} tokens instead of {row.thin:,}"


@cache
def _day() -> Day:
    return asyncio.run(spend(meter().count))


def settings(_: str = "") -> str:
    """Return every option of a server, and where it can be set."""
    head = ["flag", "variable", "key in a file", "default", "description"]
    return table(head, (_setting(option) for option in OPTIONS.values()))


def _setting(option: Option) -> list[str]:
    flag = f"`{option.flag}`" if option.name != "servers" else "`SERVER …`"
    return [
        flag if FLAG in option.sources else "",
        f"`{option.variable}`" if VARIABLE in option.sources else "",
        _key(option),
        _default(option.default),
        option.help,
    ]


def _key(option: Option) -> str:
    if OWN_FILE not in option.sources:
        return ""
    return f"`{option.key}`" if FILE in option.sources else f"`{option.key}` (only your own)"


def _default(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    is_plain = isinstance(value, str | int | float)
    return f"{value:g}" if isinstance(value, float) else str(value) if is_plain else ""
