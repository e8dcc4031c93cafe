"""Tools that are made from data keep the contract like any other."""

from laconic.kit.contract import Cases, Contract
from tests.toolsets.places import Texts, places

PLACE = {"index": 1}

contract = Contract(
    places,
    samples={
        "texts_insert": {"textId": "T-1", "text": "a", "location": PLACE},
        "texts_style": {"textId": "T-1", "range": {"start": PLACE, "end": PLACE}},
        "texts_read": {"textId": "T-1"},
        "texts_drop": {"textId": "T-1", "confirm": True},
    },
    failing={
        "texts_insert": [{"textId": "T-9", "text": "a", "location": PLACE}, {"location": {"indx": 1}}],
        "texts_read": {"textId": "T-9"},
    },
    fingerprint=lambda things: str(things[Texts].texts),
)


@contract.per_tool
def test_every_tool_made_from_data_keeps_the_contract(cases: Cases) -> None:
    cases.run()
