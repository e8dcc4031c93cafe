"""What is safe to print on a terminal: ages and text without control characters; values and editors."""

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from laconic.cli.editor import editor
from laconic.cli.issues.values import split
from laconic.cli.screen import age, clean, line, moment
from laconic.kit.errors import BadConfiguration

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("ago", "said"),
    [
        (timedelta(seconds=59), "now"),
        (timedelta(minutes=59), "59m"),
        (timedelta(hours=23, minutes=59), "23h"),
        (timedelta(days=1), "1d"),
        (timedelta(days=59), "59d"),
        (timedelta(days=61), "2mo"),
        (timedelta(days=700), "22mo"),
        (timedelta(days=3653), "10y"),
        (timedelta(days=-1), "now"),
    ],
)
def test_an_age_is_shown_in_its_largest_unit(ago: timedelta, said: str) -> None:
    assert age(NOON - ago, NOON) == said


def test_what_has_no_date_has_no_age() -> None:
    assert age(None) == ""


@pytest.mark.parametrize(
    ("zone", "said"), [("UTC0", "12:00+00:00"), ("XXX-5:30", "17:30+05:30"), ("XXX3", "09:00-03:00")]
)
def test_a_time_is_local_and_carries_its_zone(zone: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        with monkeypatch.context() as local:
            local.setenv("TZ", zone)
            time.tzset()
            assert moment(NOON) == f"2026-01-02 {said}"
    finally:
        time.tzset()
    assert moment(None) == ""


def test_control_characters_are_replaced_and_the_rest_stays() -> None:
    assert clean("a\x1b[31mb\x07\x9bc\u202ed") == "a\ufffd[31mb\ufffd\ufffdc\ufffdd"
    assert clean("one\r\ntwo\tthree") == "one\ntwo\tthree"
    assert line(" 日本 \n 👩\u200d💻\ta ") == "日本 👩\u200d💻 a"


def test_an_option_may_be_repeated_or_hold_commas() -> None:
    assert split(["a, b", "", "c"]) == ["a", "b", "c"]
    assert split(None) == []


def test_visual_comes_before_editor_and_may_have_arguments() -> None:
    named = {"VISUAL": "code --wait '/a b'", "EDITOR": "vi"}

    assert editor(named) == ["code", "--wait", "/a b"]
    assert editor({"EDITOR": "vi"}) == ["vi"]


def test_without_an_editor_the_remedy_is_shown(tmp_path: Path) -> None:
    with pytest.raises(BadConfiguration) as refused:
        editor({"PATH": str(tmp_path)})

    assert "Set EDITOR" in refused.value.advice
