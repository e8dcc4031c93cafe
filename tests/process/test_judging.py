"""The judge of the random schedules accepts what is honest and finds what is not."""

from pathlib import Path
from typing import Any

import pytest

from tests.process.schedules import DEADLINE, judged

NOT_KNOWN = (
    "Error [TIMEOUT]: Too slow. It is not known whether anything was changed: check before you try again."
)
SENT: dict[str, Any] = {"code": "success", "said": "Sent message."}
LATE: dict[str, Any] = {"code": "TIMEOUT", "said": NOT_KNOWN, "took": DEADLINE}


def _answer(call: str = "0-0.0.keyed", **more: Any) -> dict[str, Any]:
    known = {
        "call": call,
        "key": "k",
        "text": "message",
        "nothing": False,
        "old": False,
        "read": "",
        "took": 0.0,
    }
    return known | more


def _log(folder: Path, *lines: str) -> Path:
    log = folder / "log"
    log.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return log


LOCKED = _answer("0-last.0.keyed", code="RESOURCE_LOCKED", said="It was interrupted.")


def test_a_deadline_that_passed_and_says_that_nothing_is_known_is_honest(tmp_path: Path) -> None:
    log = _log(tmp_path, "sent message\t0-0.0.keyed")

    assert judged(log, [_answer(**LATE), LOCKED]) == []


def test_a_last_call_may_be_late_if_the_next_one_is_answered(tmp_path: Path) -> None:
    log = _log(tmp_path, "sent message\t0-last0.0.keyed")
    late = _answer("0-last0.0.keyed", **LATE)

    assert judged(log, [late, LOCKED]) == []
    assert any("on a sound store" in one for one in judged(log, [late]))


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        (LATE | {"took": DEADLINE / 2}, "a deadline passed after"),
        (LATE | {"nothing": True}, "said that nothing was changed"),
        (LATE | {"said": "Error [TIMEOUT]: Too slow."}, "did not say"),
        (LATE | {"code": "INTERNAL_ERROR"}, "answered INTERNAL_ERROR"),
        (SENT | {"text": "other"}, "said sent"),
        (SENT | {"old": True}, "a read after it was old"),
    ],
)
def test_an_answer_that_is_not_true_is_found(tmp_path: Path, answer: dict[str, Any], found: str) -> None:
    log = _log(tmp_path, "sent message\t0-0.0.keyed")

    wrong = judged(log, [_answer(**answer), LOCKED])

    assert len(wrong) == 1 and found in wrong[0]


def test_a_finished_write_that_became_a_failure_is_found(tmp_path: Path) -> None:
    log = _log(tmp_path, "sent message\t0-0.0.keyed", "returned\t0-0.0.keyed")

    assert "a finished write became a failure" in judged(log, [_answer(**LATE), LOCKED])[0]


def test_two_effects_under_one_key_are_found(tmp_path: Path) -> None:
    log = _log(tmp_path, "sent message\t0-0.0.keyed", "sent message\t0-1.0.keyed")

    assert "2 effects under one key" in judged(log, [LOCKED])[0]
