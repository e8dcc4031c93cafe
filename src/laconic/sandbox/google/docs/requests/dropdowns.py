"""Requests about dropdowns and their definitions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from laconic.sandbox.google.docs.draft import Draft
from laconic.sandbox.google.docs.editing import insert_element
from laconic.sandbox.google.docs.masking import field_paths
from laconic.sandbox.google.docs.requests import DocRequest
from laconic.sandbox.google.papers.places import changed, end_of, walk
from laconic.sandbox.google.papers.runs import Row
from laconic.sandbox.google.refusals import bad_request

__all__ = ["DROPDOWNS"]

_ID: Final = re.compile(r"kix\.[a-zA-Z0-9_-]{2,14}")
_OPTION: Final = re.compile(r"dropdownItem\.[a-zA-Z0-9_-]{2,14}")
_COLOURS: Final = {"foregroundColor", "backgroundColor"}


def _create(draft: Draft, given: Row) -> Row:
    tab, new = draft.tab(given.get("tabId", "")), given.get("dropdownDefinition", {})
    id = new.get("dropdownDefinitionId") or draft.new_id()
    if not _ID.fullmatch(id) or id in (*tab["dropdowns"], *tab["lists"], *tab["objects"], *tab["segments"]):
        raise bad_request(f"Invalid dropdown definition ID: {id}")
    properties = dict(new.get("dropdownDefinitionProperties", {}))
    properties["options"] = _options(draft, properties.get("options", []))
    definition = {"dropdownDefinitionId": id, "dropdownDefinitionProperties": properties}
    tab["dropdowns"][id] = definition
    return {"createDropdownDefinition": {"dropdownDefinition": definition}}


def _options(draft: Draft, given: list[Row]) -> list[Row]:
    if not given:
        raise bad_request("A dropdown needs at least one option.")
    found = [{**one, "optionId": one.get("optionId") or draft.new_id("dropdownItem.")} for one in given]
    ids = [one["optionId"] for one in found]
    if len(set(ids)) < len(ids) or not all(map(_OPTION.fullmatch, ids)):
        raise bad_request("Invalid dropdown option ID.")
    for one in found:
        if not one.get("displayValue"):
            raise bad_request("Each option of a dropdown needs a display value.")
        if set(one.get("textStyle", {})) - _COLOURS:
            raise bad_request("The text style of an option can have colours alone.")
    return found


def _definition(tab: Row, id: str) -> Row:
    if id not in tab["dropdowns"]:
        raise bad_request(f"The dropdown definition with ID {id} was not found.")
    found: Row = tab["dropdowns"][id]
    return found


def _option(definition: Row, id: str) -> Row:
    for one in definition["dropdownDefinitionProperties"]["options"]:
        if not id or one["optionId"] == id:
            found: Row = one
            return found
    raise bad_request(f"The dropdown has no option with ID {id}.")


def _insert(draft: Draft, given: Row) -> Row:
    segment, index = draft.location(given)
    definition = _definition(segment.tab, given.get("dropdownDefinitionId", ""))
    chosen = _selected(definition, _option(definition, given.get("selectedOptionId", "")))
    value = {"dropdownId": draft.new_id(), "dropdownProperties": chosen}
    insert_element(draft, segment, index, "dropdown", value)
    return {"insertDropdown": {"dropdown": value}}


def _selected(definition: Row, option: Row) -> Row:
    return {
        "dropdownDefinitionId": definition["dropdownDefinitionId"],
        "selectedOptionId": option["optionId"],
        "displayValue": option["displayValue"],
    }


def _dropdowns(tab: Row) -> Iterator[Row]:
    for segment in tab["segments"].values():
        for block, _ in walk(segment["blocks"]):
            yield from (
                run["element"]["dropdown"] for run in block["runs"] if "dropdown" in run.get("element", ())
            )


def _choose(tab: Row, chosen: Mapping[str, Row]) -> None:
    """Give dropdowns other properties, by their ids."""

    def with_choice(block: Row, place: int) -> Row:
        runs = []
        for run in block["runs"]:
            old = run.get("element", {}).get("dropdown")
            if old and old["dropdownId"] in chosen:
                new = {**old, "dropdownProperties": chosen[old["dropdownId"]]}
                run = {**run, "element": {"dropdown": new}}
            runs.append(run)
        return {**block, "runs": runs}

    for segment in tab["segments"].values():
        changed(segment, 0, end_of(segment["blocks"]), with_choice)


def _update(draft: Draft, given: Row) -> Row:
    tab, id = draft.tab(given.get("tabId", "")), given.get("dropdownId", "")
    old = next((one for one in _dropdowns(tab) if one["dropdownId"] == id), None)
    if old is None:
        raise bad_request(f"The dropdown with ID {id} was not found.")
    fields = given.get("fields", "")
    names = {path[0] for path in field_paths(fields, "DropdownProperties")}
    if names != {"selectedOptionId"} and fields.strip() != "*":
        raise bad_request("Only the field selectedOptionId of a dropdown can be updated.")
    definition = _definition(tab, old["dropdownProperties"]["dropdownDefinitionId"])
    wanted = given.get("dropdownProperties", {}).get("selectedOptionId", "")
    _choose(tab, {id: _selected(definition, _option(definition, wanted))})
    return {}


def _update_definition(draft: Draft, given: Row) -> Row:
    tab = draft.tab(given.get("tabId", ""))
    definition = _definition(tab, given.get("dropdownDefinitionId", ""))
    names = {path[0] for path in field_paths(given.get("fields", ""), "DropdownDefinitionProperties")}
    new, properties = (
        given.get("dropdownDefinitionProperties", {}),
        definition["dropdownDefinitionProperties"],
    )
    if "title" in names:
        properties["title"] = new.get("title", "")
    if "options" in names:
        properties["options"] = _options(draft, new.get("options", []))
        _reassign(tab, definition, given.get("selectedOptionIdReplacements", {}))
    return {}


def _reassign(tab: Row, definition: Row, replaced: Mapping[str, str]) -> None:
    """Give dropdowns whose option went the one that replaces it."""
    kept = {one["optionId"] for one in definition["dropdownDefinitionProperties"]["options"]}
    chosen = {}
    for one in _dropdowns(tab):
        properties = one["dropdownProperties"]
        if properties["dropdownDefinitionId"] != definition["dropdownDefinitionId"]:
            continue
        option = properties["selectedOptionId"]
        if option not in kept and option not in replaced:
            raise bad_request(f"The option {option} is selected, so a replacement for it is required.")
        wanted = option if option in kept else replaced[option]
        chosen[one["dropdownId"]] = _selected(definition, _option(definition, wanted))
    _choose(tab, chosen)


def _delete_definition(draft: Draft, given: Row) -> Row:
    tab, id = draft.tab(given.get("tabId", "")), given.get("dropdownDefinitionId", "")
    _definition(tab, id)
    if any(one["dropdownProperties"]["dropdownDefinitionId"] == id for one in _dropdowns(tab)):
        raise bad_request(f"The dropdown definition with ID {id} is in use.")
    del tab["dropdowns"][id]
    return {}


DROPDOWNS: Final[Mapping[str, DocRequest]] = {
    "createDropdownDefinition": _create,
    "deleteDropdownDefinition": _delete_definition,
    "insertDropdown": _insert,
    "updateDropdownDefinitionProperties": _update_definition,
    "updateDropdownProperties": _update,
}
