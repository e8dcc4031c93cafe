"""Rules that are checked on a declaration."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from laconic.kit.arguments.known import arguments_of
from laconic.kit.contract.snapshots import tokens_of
from laconic.kit.contract.terms import Broken, Terms
from laconic.kit.contract.trial import Declared

_NAME = re.compile(r"[A-Za-z0-9_]{1,40}")
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf)\.", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)")


def no_two_tools_share_a_name(terms: Terms) -> None:
    """No two tools share a name, and no former or second name is the name of another tool."""
    names = Counter(spec.name for spec in terms.specs())
    twice = [name for name, count in names.items() if count > 1]
    if twice:
        raise Broken(f"{twice[0]} is declared twice.")
    for spec in terms.specs():
        taken = [former.name for former in spec.formers if former.name in names]
        if taken:
            raise Broken(f"{spec.name} was called {taken[0]}, which is another tool now.")
        taken = [name for name in spec.seconds if name in names]
        if taken:
            raise Broken(f"{spec.name} is also called {taken[0]}, which is another tool.")


def hints_name_tools_that_exist(terms: Terms) -> None:
    """A hint that is one word names a tool that is served, so that a not-found leads somewhere."""
    known = {spec.name for spec in terms.specs()}
    for toolset in terms.toolsets:
        for spec in [*toolset.tools, *toolset.resources, *toolset.prompts]:
            if spec.finder and spec.finder not in known:
                raise Broken(f"{spec.name}: hint={spec.finder!r} names no tool.")


def the_name_fits_every_host(tool: Declared) -> None:
    """A name has letters, digits and `_`, at most 40: otherwise some hosts refuse the whole list."""
    listed = [
        tool.spec.name,
        *tool.spec.seconds,
        *(former.name for former in tool.spec.formers if tool.spec.listed),
    ]
    for name in listed:
        if not _NAME.fullmatch(name):
            raise tool.broken(f"not every host accepts the name '{name}'.")


def the_description_is_short(tool: Declared) -> None:
    """There is a docstring, of at most three sentences: the model pays for each one."""
    text = tool.spec.description
    if not text:
        raise tool.broken("there is no description.", "write a docstring for the model")
    count = sentences(text)
    if count > 3:
        raise tool.broken(f"the description has {count} sentences.", "keep the three that matter")


def parameters_are_described(tool: Declared) -> None:
    """Every parameter has a description, unless its name and its values are enough: an enum, a boolean."""
    own = arguments_of(tool.spec).extras
    obvious = tool.terms.obvious.get(tool.spec.name, ())
    bare = [
        name
        for name, node in tool.properties.items()
        if name not in own and not node.get("description") and not _says_all(node)
    ]
    for name in bare:
        if name not in obvious:
            do = 'write Annotated[…, "what it is"], or name it in obvious= if its name says it all'
            raise tool.broken(f"parameter '{name}' has no description.", do)
    for name in obvious:
        if name not in bare:
            raise tool.broken(f"parameter '{name}' is said to be obvious and need not be.", "drop it there")


def the_schema_is_an_object(tool: Declared) -> None:
    """No anyOf, oneOf, allOf or $ref at the top of a schema: otherwise some hosts refuse the whole list."""
    for key in ("inputSchema", "outputSchema"):
        schema = tool.listed.get(key)
        if schema is None:
            continue
        odd = [word for word in ("anyOf", "oneOf", "allOf", "not", "$ref") if word in schema]
        if odd:
            raise tool.broken(f"{key} has {odd[0]} at the top.", "make it one parameter, or mark it Inline()")
        if schema.get("type") != "object":
            raise tool.broken(f"{key} is not an object.")


def a_page_has_a_window(tool: Declared) -> None:
    """A tool that returns a Page takes a Window, and the reverse, so that an offered cursor can be used."""
    signature = tool.spec.signature
    if signature.is_page and signature.window is None:
        raise tool.broken("it returns a Page and takes no Window.", "add window: Window = Window()")
    if signature.window is not None and not signature.is_page:
        raise tool.broken("it takes a Window and returns no Page.", "return Page[…]")


def the_list_is_within_its_budget(terms: Terms) -> None:
    """The list of tools costs at most the tokens of its budget."""
    cost = {name: tokens_of(tool) for name, tool in terms.listing.items()}
    if terms.budget is not None and sum(cost.values()) > terms.budget:
        dearest = sorted(cost, key=lambda name: -cost[name])[:3]
        text = ", ".join(f"{name} {cost[name]}" for name in dearest)
        raise Broken(f"The tools cost {sum(cost.values()):,} tokens, {terms.budget:,} allowed. Most: {text}.")


def sentences(text: str) -> int:
    """Count the sentences of a description."""
    plain = _ABBREVIATION.sub("", text).strip()
    return len(_SENTENCE_END.findall(plain)) + (not plain.endswith((".", "!", "?")))


def _says_all(node: Mapping[str, Any]) -> bool:
    if node.get("type") == "array":
        return _says_all(node.get("items", {}))
    return "enum" in node or "const" in node or node.get("type") == "boolean"
