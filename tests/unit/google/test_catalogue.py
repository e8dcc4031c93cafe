"""The catalogue is what Google describes, in our words, and the sandbox answers at the same addresses."""

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

import pytest

from laconic.kit import BadArguments
from laconic.sandbox.google.routing import APIS, route_of
from laconic.servers.google.catalogue.arguments import OperationArguments
from laconic.servers.google.catalogue.index import entries, facts_of
from laconic.servers.google.catalogue.operations import operation
from scripts.cataloguing import files
from scripts.cataloguing.discovery import LEFT_OUT, description_of, operations_of

TABLES = ("summaries", "effects", "again", "fields", "required", "instead")


def test_the_catalogue_is_current() -> None:
    made = files.contents()
    assert {path.name: path.read_text(encoding="utf-8") for path in files.DATA.glob("*.json")} == made


def test_there_are_257_operations_with_names_that_hosts_accept() -> None:
    assert len(entries()) == 257
    assert [name for name in entries() if len(name) > 35 or not re.fullmatch(r"\w+", name)] == []


@pytest.mark.parametrize("api", APIS)
def test_our_words_and_the_description_agree_in_both_directions(api: str) -> None:
    overlay = files.overlay_of(api)
    found = dict(operations_of(api, description_of(api)))
    names = {overlay.get("names", {}).get(name, name) for name in found}
    assert names == set(overlay["summaries"])
    assert set(overlay.get("names", {})) <= set(found)
    for table in TABLES:
        assert set(overlay.get(table, {})) <= names, table
    for name, required in overlay.get("required", {}).items():
        assert {one for words in required for one in words.split("|")} <= set(entries()[name].takes), name


def test_a_newer_description_brings_operations_without_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def newer(api: str) -> dict[str, Any]:
        described = deepcopy(description_of(api))
        if api == "drive":
            new = deepcopy(described["resources"]["files"]["methods"]["get"])
            described["resources"]["files"]["methods"]["shred"] = {**new, "id": "drive.files.shred"}
        return described

    monkeypatch.setattr(files, "description_of", newer)
    made = files.contents()
    assert '"drive_files_shred":{"api":"drive","effect":"read","summary":"drive' in made["index.json"]
    assert '"drive_files_shred":{"id":"drive.files.shred"' in made["drive.json"]


def test_no_sentence_of_the_description_is_in_the_catalogue() -> None:
    written = "".join(files.contents().values())

    def texts(node: Any) -> Iterator[str]:
        if isinstance(node, dict):
            if isinstance(node.get("description"), str):
                yield node["description"]
            for inner in node.values():
                yield from texts(inner)

    for api in APIS:
        assert not [text for text in texts(description_of(api)) if len(text) > 30 and text in written]


def methods(resource: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from resource.get("methods", {}).values()
    for inner in resource.get("resources", {}).values():
        yield from methods(inner)


@pytest.mark.parametrize("api", APIS)
def test_the_sandbox_finds_every_method_at_its_described_address(api: str) -> None:
    described = description_of(api)
    for method in methods(described):
        if method["id"].startswith(LEFT_OUT):
            continue
        path = described["servicePath"] + re.sub(r"\{\+?\w+\}", "some%21id", method["path"])
        route = route_of(method["httpMethod"], path)
        assert str(route.facts["id"]).partition("#")[0] == method["id"]
        assert set(route.facts["parameters"]) == {
            name for name, node in method.get("parameters", {}).items() if not node.get("deprecated")
        }
        assert set(route.variables.values()) <= {"some!id"}
        for part in ("request", "response") if "kind" not in route.facts else ():
            assert route.facts.get(part) == method.get(part, {}).get("$ref"), (method["id"], part)
        for name, node in route.facts["parameters"].items():
            kinds = {key: node.get(key) for key in ("type", "enum")}
            described_as = method["parameters"][name]
            if described_as.get("repeated"):
                kinds = {key: node["items"].get(key) for key in kinds}
            assert kinds == {key: described_as.get(key) for key in kinds}, (method["id"], name)


@pytest.mark.parametrize("api", ["docs", "sheets", "slides"])
def test_the_sandbox_knows_every_kind_of_request_of_a_batch(api: str) -> None:
    kinds = {facts.get("kind") for facts in facts_of(api).operations.values()} - {None}
    assert kinds == set(description_of(api)["schemas"]["Request"]["properties"])


def test_every_operation_is_described_and_checked() -> None:
    for name, entry in entries().items():
        arguments, found = OperationArguments(entry), operation(name)
        assert list(found.properties) == list(entry.takes), name
        written = arguments.notation()
        assert all(f"{one}: " in written for one in found.required), name
        assert len(written) <= 7_500, name
        if found.required:
            with pytest.raises(BadArguments) as told:
                arguments.check({})
            assert {one.field for one in told.value.problems} >= set(found.required), name
        required = {one: _any(found.properties[one], name) for one in found.required}
        if found.choices:
            with pytest.raises(BadArguments, match="exactly one"):
                arguments.check(required)
        chosen = {names[0]: _any(found.properties[names[0]], name) for names in found.choices}
        arguments.check({**required, **chosen})


def _any(node: Mapping[str, Any], name: str) -> Any:
    """Return some value of a type."""
    if "$ref" in node:
        node = dict(facts_of(entries()[name].api).types[node["$ref"]])
    if "enum" in node:
        return node["enum"][-1]
    kinds = {"string": "x", "integer": 1, "number": 1.5, "boolean": True, "array": [], "object": {}}
    return kinds[node.get("type", "string")]


def test_only_what_is_made_whole_is_described_without_its_depths() -> None:
    short = [name for name, entry in entries().items() if "{…}" in OperationArguments(entry).notation()]
    assert sorted(short) == ["sheets_create", "slides_create", "slides_updateSlideProperties"]
    chart = OperationArguments(entries()["sheets_addChart"]).notation()
    assert "domain?: ChartData" in chart and "sourceRange?: {sources?: {endColumnIndex?: integer" in chart


def test_an_api_is_read_when_one_of_its_operations_is_used() -> None:
    import subprocess
    import sys

    code = (
        "from laconic.servers.google.tools import google\n"
        "from laconic.servers.google.catalogue.index import facts_of\n"
        "assert len(google.tools) > 250 and facts_of.cache_info().currsize == 0"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
