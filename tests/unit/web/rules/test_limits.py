"""What an item may have, one rule after the other: names, texts, arguments and their limits."""

from typing import Any

import pytest
from httpx2 import AsyncClient

from tests.unit.web.making import body, make, on_one_database, path_of

pytestmark = on_one_database
CODE = "Review {{ code }}."

NAMES: list[tuple[str, int]] = [
    ("a", 201),
    ("code-review-2", 201),
    ("  padded  ", 201),
    ("n" * 100, 201),
    ("n" * 101, 422),
    ("", 422),
    ("   ", 422),
    ("Review", 422),
    ("two words", 422),
    ("under_score", 422),
    ("-first", 422),
    ("last-", 422),
    ("two--hyphens", 422),
    ("é", 422),
    ("a/b", 422),
    ("../notes", 422),
]


@pytest.mark.parametrize(("name", "status"), NAMES, ids=[repr(name[:20]) for name, _ in NAMES])
async def test_a_name_is_lower_case_words_joined_by_hyphens(api: AsyncClient, name: str, status: int) -> None:
    made = await api.post("/api/prompts/", json={"name": name, "content": "x"})
    assert made.status_code == status, made.text
    if status == 201:
        assert made.json()["name"] == name.strip()
    else:
        assert made.json()["error"]["field"] == "name"


async def test_a_name_is_free_again_only_when_its_prompt_is_in_the_trash(served: AsyncClient) -> None:
    given = body("prompts")
    first = await make(served, "prompts", **given)
    for state, status in (("active", 409), ("archived", 409), ("deleted", 201)):
        if state == "archived":
            await served.post(path_of("prompts", first, "/archive"))
        if state == "deleted":
            await served.delete(path_of("prompts", first))
        again = await served.post("/api/prompts/", json=given)
        assert again.status_code == status
        if status == 409:
            assert again.json()["detail"]["existing"] == {"id": first["id"], "state": state}
            assert again.json()["error_code"] == again.json()["detail"]["error_code"] == "NAME_CONFLICT"


# The kind, what is sent, and the field that is refused with which status; nothing if it is taken.
TEXTS: list[tuple[str, dict[str, Any], str, int]] = [
    ("prompts", {"title": "t" * 500, "description": "d" * 2000, "content": "c" * 100_000}, "", 201),
    ("prompts", {"title": "t" * 501}, "title", 422),
    ("prompts", {"description": "d" * 2001}, "description", 422),
    ("prompts", {"content": "c" * 100_001}, "content", 422),
    ("prompts", {"content": None}, "content", 422),
    ("prompts", {"content": ""}, "content", 400),
    ("prompts", {"content": " \n\t"}, "content", 400),
    ("notes", {"content": "c" * 500_000}, "", 201),
    ("notes", {"content": "c" * 500_001}, "content", 422),
    ("notes", {"title": "t" * 501}, "title", 422),
    ("notes", {"title": " "}, "title", 422),
    ("notes", {"title": None}, "title", 422),
    ("notes", {"content": None, "description": None}, "", 201),
    ("bookmarks", {"content": "c" * 512_000}, "", 201),
    ("bookmarks", {"content": "c" * 512_001}, "content", 422),
    ("bookmarks", {"title": None, "content": None}, "", 201),
    ("bookmarks", {"url": "https://example.com/" + "u" * 2028}, "", 201),
    ("bookmarks", {"url": "https://example.com/" + "u" * 2029}, "url", 422),
    ("notes", {"tags": ["t" * 50]}, "", 201),
    ("notes", {"tags": ["t" * 51]}, "tags", 422),
    ("notes", {"archived_at": "tomorrow"}, "archived_at", 422),
    ("notes", {"archived_at": "2020-01-01T00:00:00"}, "", 201),
    ("prompts", {"title": "NUL \0"}, "title", 422),
]


@pytest.mark.parametrize(
    ("kind", "sent", "field", "status"), TEXTS, ids=[f"{k} {[*s][-1]} {n} {f}" for k, s, f, n in TEXTS]
)
async def test_a_text_may_be_so_long(
    served: AsyncClient, kind: str, sent: dict[str, Any], field: str, status: int
) -> None:
    made = await served.post(f"/api/{kind}/", json=body(kind, **sent))
    assert made.status_code == status, made.text
    assert made.json().get("error", {}).get("field", "") == field


# The arguments of a prompt with `{{ code }}`, and what is kept of them, or the status.
ARGUMENTS: list[tuple[str, Any, Any]] = [
    ("left out", None, [{"name": "code", "required": True}]),
    ("only a name", [{"name": "code"}], [{"name": "code", "required": False}]),
    ("required null", [{"name": "code", "required": None}], [{"name": "code", "required": False}]),
    ("trimmed", [{"name": " code ", "required": True}], [{"name": "code", "required": True}]),
    (
        "described",
        [{"name": "code", "description": "What to read"}],
        [{"name": "code", "description": "What to read", "required": False}],
    ),
    ("upper case", [{"name": "Code"}], 422),
    ("a digit first", [{"name": "1code"}], 422),
    ("an underscore first", [{"name": "_code"}], 422),
    ("a hyphen", [{"name": "co-de"}], 422),
    ("too long", [{"name": "c" * 101}], 422),
    ("a long description", [{"name": "code", "description": "d" * 1001}], 422),
    ("no name", [{"description": "x"}], 422),
    ("no object", ["code"], 422),
    ("no list", {"name": "code"}, 422),
    ("unused", [{"name": "code"}, {"name": "more"}], 400),
    ("undefined", [], 400),
]


@pytest.mark.parametrize(("what", "given", "kept"), ARGUMENTS, ids=[row[0] for row in ARGUMENTS])
async def test_arguments_have_a_name_and_fit_the_template(
    served: AsyncClient, what: str, given: Any, kept: Any
) -> None:
    made = await served.post("/api/prompts/", json=body("prompts", content=CODE, arguments=given))
    if isinstance(kept, int):
        assert made.status_code == kept, made.text
    else:
        assert made.json()["arguments"] == kept, made.text


async def test_arguments_that_are_given_twice_are_named_in_order(served: AsyncClient) -> None:
    twice = [{"name": name} for name in ("zoo", "ant", "zoo", "bee", "ant")]
    refused = await served.post("/api/prompts/", json=body("prompts", arguments=twice))
    assert refused.status_code == 422 and "ant, zoo" in refused.json()["error"]["message"]


@pytest.mark.parametrize("name", ["range", "true", "none", "self", "loop"])
async def test_a_name_that_templates_use_themselves_is_refused_with_the_reason(
    served: AsyncClient, name: str
) -> None:
    sent = body("prompts", content=f"{{{{ {name} }}}}", arguments=[{"name": name}])
    refused = await served.post("/api/prompts/", json=sent)
    assert refused.status_code in (400, 422)
    assert "unused" not in refused.text.lower() and name in refused.json()["error"]["message"]


async def test_an_item_has_at_most_50_relationships(served: AsyncClient) -> None:
    others = [(await make(served, "notes"))["id"] for _ in range(51)]
    item = await make(served, "notes", relationships=[{"target_id": id} for id in others[:50]])
    assert len(item["relationships"]) == 50
    more = {"source_id": item["id"], "target_id": others[50]}
    many = {"relationships": [{"target_id": id} for id in others]}
    for refused in (
        await served.post("/api/relationships/", json=more),
        await served.patch(path_of("notes", item), json=many),
    ):
        assert refused.status_code == 400 and "50" in refused.json()["error"]["message"], refused.text
    assert (await served.get(path_of("notes", item))).json()["relationships"] == item["relationships"]
