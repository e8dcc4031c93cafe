"""A state that a client carries: it comes back as it went, to the same call of the same caller, in time."""

from typing import Any

import pytest

from laconic.kit.testing import FakeClock
from laconic.kit.wire.protocol import ProtocolError
from laconic.kit.wire.sealing import LASTS, Seal, bound_of

OLD, NEW = b"o" * 32, b"n" * 32
KEPT = {"state": "round 1", "replies": {"name": {"action": "accept", "content": {"name": "Ada"}}}}
PARAMS = {"name": "tool", "arguments": {"a": 1, "b": [2]}}
BOUND = bound_of("ada", "tools/call", PARAMS)


def seal(*keys: bytes, audience: str = "server", clock: Any = None) -> Seal:
    return Seal(keys or (OLD,), audience, clock or FakeClock())


def refuses(by: Seal, word: str, bound: Any = BOUND) -> bool:
    try:
        by.open(word, bound)
    except ProtocolError as error:
        assert (error.code, error.data) == (-32602, {"reason": "invalid_request_state"})
        return True
    return False


def test_a_state_comes_back_as_it_went() -> None:
    assert seal().open(seal().close(KEPT, BOUND), BOUND) == KEPT


def test_what_differs_from_round_to_round_does_not_matter() -> None:
    word = seal().close(KEPT, BOUND)
    again = {"arguments": {"b": [2], "a": 1}, "name": "tool", "_meta": {"x": 1}, "inputResponses": {}}

    assert seal().open(word, bound_of("ada", "tools/call", {**again, "requestState": word})) == KEPT


@pytest.mark.parametrize(
    "bound",
    [
        bound_of("bob", "tools/call", PARAMS),
        bound_of("ada", "prompts/get", PARAMS),
        bound_of("ada", "tools/call", {**PARAMS, "name": "other"}),
        bound_of("ada", "tools/call", {**PARAMS, "arguments": {"a": 1, "b": [3]}}),
        bound_of("ada", "tools/call", {"name": "tool"}),
    ],
)
def test_a_state_is_of_no_use_to_another_caller_method_tool_or_argument(bound: Any) -> None:
    assert refuses(seal(), seal().close(KEPT, BOUND), bound)


def test_every_change_of_a_single_character_is_refused() -> None:
    word = seal().close(KEPT, BOUND)
    for place, letter in enumerate(word):
        for other in ("A", "_", ".", "=", "", letter + letter):
            changed = word[:place] + other + word[place + 1 :]
            assert changed == word or refuses(seal(), changed), (place, other)


@pytest.mark.parametrize("word", ["", ".", "..", "a", "a.b", "é.é", "\udcff", "x" * 10_000, " ", "null"])
def test_what_was_never_a_state_is_refused(word: str) -> None:
    assert refuses(seal(), word)


@pytest.mark.parametrize("end", [".", ".x", "-TAMPERED", "=", "\n", " "])
def test_nothing_may_be_added(end: str) -> None:
    assert refuses(seal(), seal().close(KEPT, BOUND) + end)


def test_a_state_lasts_as_long_as_a_person_may_take_and_no_longer() -> None:
    clock = FakeClock()
    both = seal(clock=clock)
    word = both.close(KEPT, BOUND)
    clock.forward(LASTS)
    assert both.open(word, BOUND) == KEPT
    clock.forward(1)
    assert refuses(both, word)


def test_another_server_does_not_open_it() -> None:
    assert refuses(seal(audience="other"), seal().close(KEPT, BOUND))


def test_keys_are_changed_without_losing_a_state() -> None:
    before, during, after = seal(OLD), seal(NEW, OLD), seal(NEW)
    old, new = before.close(KEPT, BOUND), during.close(KEPT, BOUND)

    assert during.open(old, BOUND) == KEPT
    assert after.open(new, BOUND) == KEPT
    assert refuses(after, old)
    assert refuses(before, new)
