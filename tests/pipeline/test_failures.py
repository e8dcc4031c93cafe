"""Whatever is raised below becomes an answer the model can act on."""

import logging

import pytest

from laconic.kit import Failure, NotFound, Toolset
from laconic.kit.testing import ERAS, connect
from laconic.stores import Missing, OutsideFolder, StoreDown, Taken, Unreadable
from tests.toolsets.workshop import workshop


@pytest.mark.parametrize("era", ERAS)
async def test_a_not_found_names_the_nearest_and_the_tool_that_finds(era: str) -> None:
    async with connect(workshop, era=era) as client:
        reply = await client.call("job_get", id="JOB-0061")
    assert reply.failed
    assert reply.text == (
        "Error [RESOURCE_NOT_FOUND]: Job JOB-0061 not found. Did you mean JOB-0001? Use jobs_list to find it."
    )


@pytest.mark.parametrize("era", ERAS)
async def test_a_bug_is_a_short_answer_with_a_trace_id(era: str, caplog: pytest.LogCaptureFixture) -> None:
    async with connect(workshop, era=era) as client:
        reply = await client.call("job_break")
    assert reply.failed
    assert "Traceback" not in reply.text
    assert "secret" not in reply.text
    trace = reply.error["trace"]
    assert f"Trace {trace[:8]}." in reply.text
    assert any(trace in record.message for record in caplog.records if record.levelno == logging.ERROR)


async def test_a_failed_write_says_whether_anything_changed() -> None:
    async with connect(workshop) as client:
        reply = await client.call("job_break")
    assert "not known whether anything was changed" in reply.text


def _raising(error: Exception) -> Toolset:
    broken = Toolset("broken")

    @broken.read(hint="broken_list")
    async def broken_get() -> str:
        """Fail."""
        raise error

    return broken


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (Missing("There is no file a.md."), "RESOURCE_NOT_FOUND"),
        (Taken("A file a.md already exists."), "RESOURCE_ALREADY_EXISTS"),
        (OutsideFolder("'../a' leads out of the folder."), "PATH_TRAVERSAL_DENIED"),
        (StoreDown("The store is gone."), "PROVIDER_ERROR"),
        (NotFound("Thing", "x"), "RESOURCE_NOT_FOUND"),
        (Failure("It is Sunday.", code="UNAVAILABLE"), "UNAVAILABLE"),
        (ValueError("oops"), "INTERNAL_ERROR"),
    ],
)
@pytest.mark.requirement("003-4.6")
async def test_each_kind_of_failure_has_its_code_and_is_never_a_success(error: Exception, code: str) -> None:
    async with connect(_raising(error)) as client:
        reply = await client.call("broken_get")
    assert reply.failed
    assert reply.error["code"] == code
    assert reply.text.startswith(f"Error [{code}]: ")
    assert len(reply.text.encode()) <= 600


@pytest.mark.parametrize("cause", [PermissionError(13, "Permission denied"), OSError(30, "Read-only")])
async def test_what_is_not_allowed_is_not_to_be_tried_again(cause: OSError) -> None:
    error = StoreDown("a.md cannot be written.")
    error.__cause__ = cause
    async with connect(_raising(error)) as client:
        reply = await client.call("broken_get")
    assert "must allow it; trying again does not help." in reply.text
    assert "later" not in reply.text


async def test_a_file_that_cannot_be_read_is_to_be_fixed_by_hand() -> None:
    async with connect(_raising(Unreadable("a.md has a broken header."))) as client:
        reply = await client.call("broken_get")
    assert reply.text == (
        "Error [PROVIDER_ERROR]: a.md has a broken header. Fix the file by hand; trying again does not help."
    )


@pytest.mark.requirement("001-15")
async def test_a_very_long_message_is_shortened_at_a_word_and_keeps_its_trace() -> None:
    async with connect(_raising(StoreDown("word " * 400))) as client:
        reply = await client.call("broken_get")
    assert len(reply.text.encode()) <= 600
    assert "word …" in reply.text
    assert "Trace " in reply.text


async def test_many_problems_are_counted_when_they_do_not_all_fit() -> None:
    async with connect(workshop) as client:
        reply = await client.send("jobs_import", {"drafts": [{"title": ""} for _ in range(40)]})
    assert len(reply.text.encode()) <= 600
    assert "more problems)" in reply.text


async def test_a_failure_below_an_unreadable_store_is_not_a_protocol_error() -> None:
    async with connect(_raising(RuntimeError("boom"))) as client:
        assert (await client.call("broken_get")).failed
        assert (await client.call("broken_get")).failed  # and the connection lives on
