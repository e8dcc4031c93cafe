"""Requests with values at random are carried out or refused, and every answer fits Google's description."""

import random
from typing import Any

import pytest

from laconic.sandbox.google.checking import problems
from laconic.sandbox.google.docs.draft import Draft
from laconic.sandbox.google.docs.operations import DOC_KINDS
from laconic.sandbox.google.papers.sample import add_handbook
from laconic.sandbox.google.papers.showing import shown_tab
from laconic.sandbox.google.refusals import GoogleRefusal
from laconic.sandbox.google.routing import description_of
from laconic.sandbox.google.site.people import Person
from laconic.sandbox.state import State
from tests.chance import is_soaking

TYPES = description_of("docs")["types"]
TEXTS = (
    "",
    "x",
    "a\nb",
    "🚢",
    "bold",
    "*",
    "kix.header",
    "kix.footer",
    "t.0",
    "t.crew",
    "https://x.example/a.png",
)
DEEPEST = 5


def value_of(node: dict[str, Any], chance: random.Random, depth: int = 0) -> Any:
    """A value that fits a type of the API, whether it makes sense or not."""
    node = TYPES[node["$ref"]] if "$ref" in node else node
    match node.get("type"):
        case "object" if "properties" in node:
            names = [name for name in node["properties"] if depth < 2 or chance.random() < 0.4]
            names = names if depth < DEEPEST else []
            return {name: value_of(node["properties"][name], chance, depth + 1) for name in names}
        case "array":
            return [value_of(node["items"], chance, depth + 1) for _ in range(chance.randrange(3))]
        case "integer":
            return chance.choice([0, 1, 2, 5, 68, 126, 229, 232, 300, 10_000, -1])
        case "number":
            return chance.choice([0, 1.5, 72])
        case "boolean":
            return chance.random() < 0.5
        case "string":
            return chance.choice(node.get("enum", TEXTS))
    return {}


@pytest.mark.parametrize("kind", sorted(DOC_KINDS))
def test_a_request_with_random_values_is_done_or_refused(kind: str) -> None:
    state, chance = State(), random.Random(kind)
    add_handbook(state, {"id": "d"})
    doc = state.rows("documents")["d"]  # type: ignore[index]  # by text
    node = TYPES["Request"]["properties"][kind]
    for number in range(400 if is_soaking() else 40):
        given = value_of(node, chance)
        for one in (
            ("location", "endOfSegmentLocation") if number % 2 else ("endOfSegmentLocation", "location")
        ):
            if len({"location", "endOfSegmentLocation"} & set(given)) == 2:
                del given[one]
        draft = Draft(doc, Person("alice@harbour.example", ()), "2026-01-01T00:00:00Z")
        try:
            reply = DOC_KINDS[kind](draft, given)
        except GoogleRefusal as refusal:
            assert refusal.status in (400, 403), refusal
            continue
        assert not list(problems(reply, {"$ref": "Response"}, TYPES, "")), reply
        for tab in draft.doc["tabs"]:
            shown = shown_tab(tab, with_comments=True)
            assert not list(problems(shown, {"$ref": "DocumentTab"}, TYPES, ""))
