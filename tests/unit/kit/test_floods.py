"""A request in which thousands of things are wrong is answered with the first ones, at a bounded cost."""

from typing import Annotated, Any

import pytest

from laconic.kit import Described, Endpoint, Part, Toolset
from laconic.kit.peer import SilentPeer


class _Seed(Part):
    name: str


_SEEDS = {"seeds": {"type": "array", "items": {"type": "integer"}}}


def _garden() -> Toolset:
    garden = Toolset("garden", "A garden.")

    @garden.create
    async def garden_sow(
        seeds: Annotated[list[_Seed], "What to sow."],
        labels: Annotated[list[str] | None, "Its labels."] = None,
    ) -> str:
        """Sow."""
        return "Sown."

    async def count(arguments: Any) -> str:
        return "Counted."

    garden.add("read", "garden_count", "Count seeds.", Described(_SEEDS), count)
    return garden


async def _problems(tool: str, **arguments: Any) -> list[str]:
    answer = await Endpoint([_garden()]).call_tool(tool, arguments, SilentPeer())
    assert answer.failure is not None
    assert len(answer.text.encode()) <= 600
    record = answer.failure.record()
    return [problem["message"] for problem in record.get("problems", [record])]


@pytest.mark.parametrize(
    ("tool", "arguments", "next_one"),
    [
        ("garden_sow", {"seeds": [{}] * 3_000}, "seeds[1000].name"),
        ("garden_sow", {"seeds": ["x"] * 3_000}, "seeds[1000]"),
        ("garden_sow", {"seeds": [], "labels": ["\0"] * 3_000}, "labels[1000]"),
        ("garden_count", {"seeds": ["x"] * 3_000}, "seeds[1000]"),
    ],
)
async def test_the_first_thousand_problems_are_told_and_where_more_begin(
    tool: str, arguments: dict[str, Any], next_one: str
) -> None:
    told = await _problems(tool, **arguments)
    assert len(told) == 1_001
    assert told[-1] == f"More problems follow, starting with {next_one}."


async def test_of_thousands_of_unknown_arguments_a_thousand_are_looked_at() -> None:
    told = await _problems("garden_sow", seeds=[], **{f"soil_{number}": 1 for number in range(3_000)})
    assert len(told) == 1_000


async def test_more_than_ten_thousand_wrong_values_are_only_counted() -> None:
    told = await _problems("garden_sow", seeds=[{}] * 10_001)
    assert told == [
        "10,001 values in the arguments are wrong. Read the tool's schema, or send fewer at once."
    ]
