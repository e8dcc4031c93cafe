"""Toolsets with a prescribed envelope, or with another API's page tokens, keep the contract."""

from laconic.kit.contract import Cases, Contract
from tests.toolsets.other_keys import Epics, drive, taiga

in_an_envelope = Contract(
    taiga,
    samples={"taiga_list_epics": {}, "taiga_get_epic": {"id": 3}},
    failing={"taiga_list_epics": {"cursor": "forged"}, "taiga_get_epic": [{"id": 99}, {"id": 500}]},
    fingerprint=lambda things: repr(things[Epics].items),
)
of_unknown_length = Contract(drive, samples={"drive_list_files": {}}, fingerprint=lambda things: 0)


@in_an_envelope.per_tool
def test_an_envelope_keeps_the_contract(cases: Cases) -> None:
    cases.run()


@of_unknown_length.per_tool
def test_a_list_of_unknown_length_keeps_the_contract(cases: Cases) -> None:
    cases.run()
