"""The journal has the ids of what every write made or changed; answers kept of it are dropped."""

from pathlib import Path

from laconic.kit import CallJournal
from laconic.servers.google.api.changed import ids_changed
from laconic.servers.google.catalogue.index import entries
from laconic.servers.google.tools import google
from laconic.servers.google.tools.ids import subject_of
from laconic.stores import Journal, Reader
from tests.google_samples import SAMPLES
from tests.google_server import GoogleServer
from tests.unit.google.serving import serving

ABOUT_NO_FILE = {"drive_channels_stop"}
OTHER_PLACES = {"drive_copyFile", "drive_downloadFile"}  # they make something else, and leave the file alone


async def test_every_write_is_recorded_with_what_it_made_or_changed(
    site: GoogleServer, tmp_path: Path
) -> None:
    calls = CallJournal(Journal(tmp_path / "journal"), workspace=tmp_path)
    expected: dict[str, set[str]] = {}
    async with serving(site, tmp_path, journal=calls) as client:
        grants = dict(site.app.state.rows("grants"))
        for name, arguments in SAMPLES.items():
            if google.select("lean").listed[name].writes:
                site.reset()
                site.app.state.rows("grants").update(grants)
                before = set(site.app.state.rows("files"))
                assert not (await client.send(name, arguments)).failed
                made = {str(id) for id in set(site.app.state.rows("files")) - before}
                known = {arguments[key] for key in ("path", *_ids(name)) if key in arguments}
                expected[name] = made or known & {arguments.get("path")} or known
    recorded = {one["tool"]: set(one["ids"]) for one in Reader(tmp_path / "journal").read()}
    assert set(expected) == {name for name, one in google.select("lean").listed.items() if one.writes}
    assert recorded == expected


def _ids(name: str) -> list[str]:
    return [one for one in google.select("lean").listed[name].names if one.endswith("Id")]


def test_every_operation_that_writes_tells_what_it_made_or_changed() -> None:
    answer = {"id": "new", "documentId": "new", "spreadsheetId": "new", "presentationId": "new"}
    silent = {
        name
        for name, entry in entries().items()
        if entry.effect != "read" and not list(ids_changed(name, dict.fromkeys(entry.takes, "old"), answer))
    }
    assert silent == ABOUT_NO_FILE


def test_every_tool_that_changes_a_file_drops_what_was_kept_of_it() -> None:
    changing = [spec for spec in google.tools if spec.writes and subject_of(spec.names)]
    assert {spec.name for spec in changing if not spec.subject} == OTHER_PLACES


def test_a_copy_into_another_spreadsheet_changes_that_one_alone() -> None:
    given = {"spreadsheetId": "from", "sheetId": 1, "destinationSpreadsheetId": "to"}
    assert list(ids_changed("sheets_sheets_copyTo", given, {"sheetId": 2})) == ["to"]
    assert list(ids_changed("drive_files_copy", {"fileId": "from"}, {"id": "to"})) == ["to"]
