"""Flaws are data: every kind has a sentence and advice, and no sentence is read back to learn a fact."""

from dataclasses import replace
from pathlib import Path
from typing import get_args

from laconic.servers.issues.doctor.doctor import Doctor
from laconic.servers.issues.doctor.symptoms import in_files
from laconic.servers.issues.index.entries import Entry, parse
from laconic.servers.issues.index.flaws import Flaw, FlawKind
from laconic.servers.issues.index.reading import description_of
from laconic.servers.issues.sessions.files import SessionFiles
from tests.unit.issues import messy
from tests.unit.issues.conftest import Open


def entry(*flaws: Flaw) -> Entry:
    return replace(parse("a.md", b"", "issue", (0, 0, 0, 0)).entry, flaws=flaws)


def test_every_kind_has_a_sentence_with_its_name_and_detail_and_nothing_left_open() -> None:
    for kind in get_args(FlawKind):
        sentence = Flaw(kind, "{name}", "{detail}").sentence

        assert sentence
        assert "{}" not in sentence


def test_the_doctor_has_advice_for_every_kind_but_shared_ids_which_it_looks_for_itself() -> None:
    advised = {kind for kind in get_args(FlawKind) if list(in_files([entry(Flaw(kind))]))}

    assert advised == {*get_args(FlawKind)} - {"shared id"}


def test_a_value_that_reads_like_a_flaw_is_not_a_flaw(root: Path, open_store: Open) -> None:
    path = root / ".wrangler/issues/x.md"
    path.parent.mkdir(parents=True)
    path.write_text("---\nid: x\nlabels: One of 2 conflict markers, twice\n---\n", encoding="utf-8")

    (found,) = open_store().entries()

    assert [flaw.kind for flaw in found.flaws] == ["not a list"]


def test_flaws_are_the_same_after_a_restart_that_parses_nothing(root: Path, open_store: Open) -> None:
    messy.build(root)
    first = open_store()
    before = sorted((one.path, one.flaws) for one in first.entries())
    findings = Doctor(first, SessionFiles(root)).examine()
    first.close()

    second = open_store()

    assert sorted((one.path, one.flaws) for one in second.entries()) == before
    assert (Doctor(second, SessionFiles(root)).examine(), second.parses) == (findings, 0)
    assert any(flaws for _, flaws in before)


def test_a_list_within_a_list_is_a_flaw() -> None:
    found = parse("a.md", b"---\nlabels: [[a, b], c]\n---\n", "issue", (0, 0, 0, 0)).entry

    assert [(flaw.kind, flaw.name) for flaw in found.flaws] == [("not words", "labels")]


def test_a_header_in_json_must_be_closed() -> None:
    closed, open_ = (
        parse("a.md", b'---json\n{"title": "One"}\n' + end, "issue", (0, 0, 0, 0)).entry
        for end in (b"---\nText.\n", b"")
    )

    assert (closed.title, [flaw.kind for flaw in closed.flaws]) == ("One", [])
    assert "header not JSON" in [flaw.kind for flaw in open_.flaws]


def test_the_description_is_below_the_header_in_either_language() -> None:
    for header in ("---\ntitle: One\n---\n", '---json\n{"title": "One"}\n---\n'):
        assert description_of(f"{header}Text.\n") == "Text."
