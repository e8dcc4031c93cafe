"""Patterns that are compiled on first use."""

import re

import pytest

from laconic.lazily import regex


def test_a_pattern_is_compiled_when_it_is_first_used_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    compile = re.compile

    def noted(pattern: str, flags: int) -> re.Pattern[str]:
        compiled.append(pattern)
        return compile(pattern, flags)

    monkeypatch.setattr(re, "compile", noted)
    pattern = regex("A(b+)", re.IGNORECASE)

    assert compiled == []
    assert [found[1] for found in pattern.finditer("aB ABB")] == ["B", "BB"]
    assert pattern.sub("-", "xab") == "x-"
    assert pattern.pattern == "A(b+)"
    assert compiled == ["A(b+)"]


def test_what_a_pattern_cannot_do_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError):
        _ = regex("a").nothing  # type: ignore[attr-defined]


def test_a_wrong_pattern_fails_at_its_first_use() -> None:
    with pytest.raises(re.error):
        regex("(").search("")
