"""Drive: finding, reading, changing, sharing and discussing files."""

from pathlib import Path

import pytest

from laconic.servers.google.drive.queries import Wanted, query_of
from tests.google_samples import FILES
from tests.google_server import GoogleServer
from tests.unit.google.serving import serving


def test_every_value_of_a_query_is_quoted() -> None:
    wanted = Wanted(name="it's a \\ test", folder="x' or name contains 'y", type="folder")
    assert query_of(wanted) == (
        "name contains 'it\\'s a \\\\ test' and mimeType = 'application/vnd.google-apps.folder' and "
        "'x\\' or name contains \\'y' in parents and trashed = false"
    )
    assert query_of(Wanted(query="trashed = true or starred = true")) == "(trashed = true or starred = true)"
    named = "name = 'what I\\'ve trashed'"  # which says nothing about the trash
    assert query_of(Wanted(query=named)) == f"({named}) and trashed = false"


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ({"text": "crane"}, ["Harbour plan", "Minutes October"]),
        ({"name": "bud"}, ["Budget 2026"]),
        ({"type": "folder"}, ["Harbour office", "Harbour"]),
        ({"sharedWithMe": True}, ["Ferry timetable"]),
        ({"trashed": True}, ["Old ideas"]),
        ({"modifiedAfter": "2026-10-11"}, ["Harbour plan"]),
        ({"query": "name = 'Harbour' or name contains 'pier'"}, ["Pier plan.txt", "Harbour"]),
        ({"owner": "bob@harbour.example"}, ["Ferry timetable"]),
        ({"type": "spreadsheet", "orderBy": "name"}, ["Boats and berths", "Budget 2026", "Ferry timetable"]),
    ],
)
async def test_files_are_found_with_shared_drives(
    site: GoogleServer, tmp_path: Path, asked: dict[str, object], names: list[str]
) -> None:
    async with serving(site, tmp_path) as client:
        found = await client.call("drive_listFiles", **asked)
    assert [line.split("\t")[1] for line in found.text.splitlines()[2:]] == names


async def test_an_order_that_drive_does_not_take_is_refused_and_not_left_out(
    site: GoogleServer, tmp_path: Path
) -> None:
    asked = [{"text": "crane"}, {"query": "fullText contains 'crane'"}, {"query": "name = 'fullText'"}]
    async with serving(site, tmp_path) as client:
        told = [await client.call("drive_listFiles", orderBy="name", **one) for one in asked]
    assert [one.failed for one in told] == [True, True, False]
    assert "comes best match first: leave orderBy out." in told[0].text and told[0].text == told[1].text


async def test_a_list_goes_on_over_empty_pages_and_invents_no_total(
    site: GoogleServer, tmp_path: Path
) -> None:
    async with serving(site, tmp_path) as client:
        site.app.faults.add("empty", method="GET", path="drive/v3/files", times=2)
        seen, reply = list[str](), await client.call("drive_listFiles", limit=3)
        assert reply.text.startswith("Showing 3 files; the total is not known.")
        while True:
            seen += [line.split("\t")[1] for line in reply.text.splitlines() if line.count("\t") > 2][1:]
            if not reply.cursor:
                break
            reply = await client.call("drive_listFiles", cursor=reply.cursor)
        wrong = await client.call("drive_listFiles", query="name like 'x'")
    assert len(seen) == len(set(seen)) == 10
    assert wrong.text == (
        "Error [VALIDATION_ERROR]: Google says: Invalid Value. "
        "A query looks like name contains 'budget' and starred = true, or fullText contains 'pier'."
    )


@pytest.mark.parametrize("end", ["comments", "permissions"])
async def test_lists_of_a_file_go_on_over_empty_pages(site: GoogleServer, tmp_path: Path, end: str) -> None:
    file, tool = FILES["Pier plan.txt"], f"drive_list{end.capitalize()}"
    async with serving(site, tmp_path) as client:
        await client.call("drive_comment", fileId=file, text="Hm.")
        whole = await client.call(tool, fileId=file)
        site.app.faults.add("empty", method="GET", path=f"drive/v3/files/{file}/{end}", times=2)
        found = await client.call(tool, fileId=file)
    assert found.text == whole.text and not found.cursor


async def test_a_search_that_left_drives_out_says_so(site: GoogleServer, tmp_path: Path) -> None:
    async with serving(site, tmp_path) as client:
        site.app.faults.add("incomplete", method="GET", path="drive/v3/files")
        told = await client.call("drive_listFiles", text="pier")
        whole = await client.call("drive_listFiles", text="piers")
    assert "Not every drive was searched: name a folder, or fewer terms." in told.text
    assert "the total is not known" in told.text
    assert "Not every drive" not in whole.text


async def test_a_file_is_created_changed_moved_copied_trashed_and_deleted(
    site: GoogleServer, tmp_path: Path
) -> None:
    async with serving(site, tmp_path) as client:
        folder = (await client.call("drive_createFile", name="Drafts", type="folder")).text.split()[1]
        made = await client.call("drive_createFile", name="a.txt", content="one\ntwo\n", folder=folder)
        id = made.text.split()[1]
        read = await client.call("drive_exportFile", fileId=id)
        await client.call(
            "drive_updateFile", fileId=id, name="b.txt", starred=True, folder=site.id("Harbour")
        )
        moved = await client.call("drive_getFile", fileId=id)
        await client.call("drive_updateFile", fileId=id, content="three\n")
        changed = await client.call("drive_exportFile", fileId=id)
        copy = (await client.call("drive_copyFile", fileId=id, name="c.txt")).text.split()[1]
        trashed = await client.call("drive_deleteFile", fileId=copy)
        restored = await client.call("drive_updateFile", fileId=copy, trashed=False)
        gone = await client.call("drive_deleteFile", fileId=copy, permanent=True)
        missing = await client.call("drive_getFile", fileId=copy)
        nothing = await client.call("drive_updateFile", fileId=id)
        history = await client.send(
            "tools_read", {"tool": "drive_revisions_list", "arguments": {"fileId": id}}
        )
    assert "one\ntwo\n" in read.text and "three\n" in changed.text
    assert (
        "name: b.txt" in moved.text
        and f"folder: {site.id('Harbour')}" in moved.text
        and "starred: yes" in moved.text
    )
    assert "In the trash." in trashed.text and not restored.failed and "Deleted for good." in gone.text
    assert "File" in missing.text and "not found" in missing.text and "Nothing to change" in nothing.text
    assert history.text.count('"id"') == 3


async def test_a_text_becomes_a_google_document_or_a_spreadsheet(site: GoogleServer, tmp_path: Path) -> None:
    async with serving(site, tmp_path) as client:
        doc = await client.call("drive_createFile", name="Plan", type="document", content="# Plan\n\nSoon.")
        sheet = await client.call(
            "drive_createFile",
            name="Crew",
            type="spreadsheet",
            content="Name,Age\nAda,36\n",
            contentType="text/csv",
        )
        plain = await client.call("drive_createFile", name="Crew", type="spreadsheet", content="Ada,36\n")
        text = await client.call("drive_exportFile", fileId=doc.text.split()[1])
        rows = await client.call("sheets_batchGetValues", spreadsheetId=sheet.text.split()[1])
        csv = await client.call("drive_exportFile", fileId=sheet.text.split()[1])
    assert not plain.failed  # a spreadsheet is made from csv without a word of it
    assert "# Plan" in text.text and "2 Ada\t36" in rows.text and "Ada,36" in csv.text


async def test_who_can_see_a_file_is_said_in_words(site: GoogleServer, tmp_path: Path) -> None:
    id = site.id("Minutes October")
    async with serving(site, tmp_path) as client:
        before = await client.call("drive_listPermissions", fileId=id)
        shared = await client.call("drive_share", fileId=id, who="carol@harbour.example", role="commenter")
        everyone = await client.call("drive_share", fileId=id, who="harbour.example")
        wrong = await client.call("drive_share", fileId=id, who="carol")
        owner = await client.call("drive_share", fileId=id, who="anyone", role="owner")
        after = await client.call("drive_listPermissions", fileId=id)
    assert before.text.splitlines()[2:] == [
        "00000000003232994294\tAlice <alice@harbour.example>\towns it",
        before.text.splitlines()[3],
        "anyoneWithLink\tanyone with the link\tmay read it",
    ]
    assert "Bob <bob@harbour.example>\tmay change it" in before.text
    assert "may: may comment" in shared.text and "everyone with the link at harbour.example" in everyone.text
    assert "Expected: an e-mail address, a domain, or anyone." in wrong.text
    assert "Only a person can own a file" in owner.text
    assert after.text.startswith("5 permissions:")


async def test_comments_are_read_written_answered_and_resolved(site: GoogleServer, tmp_path: Path) -> None:
    id = site.id("Minutes October")
    async with serving(site, tmp_path) as client:
        one = (
            (await client.call("drive_comment", fileId=id, text="Who pays?")).text.splitlines()[0].split()[1]
        )
        await client.call("drive_comment", fileId=id, text="The council.", replyTo=one)
        await client.call("drive_comment", fileId=id, replyTo=one, action="resolve")
        listed = await client.call("drive_listComments", fileId=id)
        odd = await client.call("drive_comment", fileId=id, action="resolve")
        empty = await client.call("drive_comment", fileId=id)
    assert "Who pays?" in listed.text and "Alice: The council." in listed.text
    assert "Alice (resolved it)" in listed.text and "pass replyTo" in odd.text and "Pass text" in empty.text


async def test_what_is_not_found_is_named_and_not_the_file_that_is_there(
    site: GoogleServer, tmp_path: Path
) -> None:
    file = {"fileId": site.id("Pier plan.txt")}
    async with serving(site, tmp_path) as client:
        move = await client.call("drive_updateFile", folder="1nowhere", **file)
        make = await client.call("drive_createFile", name="x", type="folder", folder="1nowhere")
        reply = await client.call("drive_comment", text="Hm.", replyTo="1nothing", **file)
        end = await client.send(
            "tools_delete",
            {"tool": "drive_permissions_delete", "arguments": {**file, "permissionId": "1nobody"}},
        )
        book = await client.call("sheets_getSpreadsheet", spreadsheetId="1nowhere")
    for told in (move, make, book):
        assert "File 1nowhere not found. The account 'work' does not see it" in told.text, told.text
    assert "Comment 1nothing not found. List them to see which there are." in reply.text
    assert "Permission 1nobody not found." in end.text


async def test_content_that_does_not_fit_changes_nothing_and_says_what_does(
    site: GoogleServer, tmp_path: Path
) -> None:
    book = {"fileId": site.id("Budget 2026")}
    async with serving(site, tmp_path) as client:
        wrong = await client.call("drive_updateFile", content="# Title", contentType="text/markdown", **book)
        right = await client.call("drive_updateFile", content="a,b\n1,2\n", **book)
        rows = await client.call("sheets_batchGetValues", spreadsheetId=book["fileId"])
    assert "pass contentType, such as text/csv" in wrong.text and "not known" not in wrong.text
    assert not right.failed and "2 1\t2" in rows.text


async def test_new_content_is_of_the_type_that_the_file_is_of(site: GoogleServer, tmp_path: Path) -> None:
    paper, plain = {"fileId": site.id("Minutes October")}, {"fileId": site.id("Pier plan.txt")}
    site.row("Pier plan.txt")["mimeType"] = "text/html"
    async with serving(site, tmp_path) as client:
        await client.call("drive_updateFile", content="# Title\n\nText", **paper)
        read = await client.call("drive_exportFile", **paper)
        await client.call("drive_updateFile", content="<p>Text</p>", **plain)
        past = await client.call("drive_exportFile", start=99, **plain)
    sent = [one.headers["x-upload-content-type"] for one in site.app.seen if one.method == "PATCH"]
    assert "\n# Title\n" in read.text and sent == ["text/markdown", "text/html"]
    assert past.failed and "There is no byte 99: the file has 11, the first is 0." in past.text


async def test_a_file_that_may_only_be_read_is_not_changed(site: GoogleServer, tmp_path: Path) -> None:
    id = site.id("Ferry timetable")
    async with serving(site, tmp_path) as client:
        told = await client.call("drive_updateFile", fileId=id, name="Mine")
        values = await client.call("sheets_batchUpdateValues", spreadsheetId=id, range="A1", values=[[1]])
    assert "Google refused it to the account 'work' (this account may not change it)." in told.text
    assert "Ask its owner for the right to edit" in told.text and values.failed
    assert site.row("Ferry timetable")["name"] == "Ferry timetable"


async def test_a_folder_that_is_not_there_is_named_and_not_called_empty(
    site: GoogleServer, tmp_path: Path
) -> None:
    async with serving(site, tmp_path) as client:
        told = await client.call("drive_listFiles", folder="1nowhere")
        top = await client.call("drive_listFiles", folder="root", text="harbour")
        copied = await client.call("drive_copyFile", fileId=site.id("Harbour"))
    assert "Folder 1nowhere not found. The account 'work' does not see it" in told.text
    assert not top.failed
    assert "it is a folder, or copying it is switched off" in copied.text


async def test_who_sees_a_file_because_of_a_folder_is_told_with_the_folder(
    site: GoogleServer, tmp_path: Path
) -> None:
    folder, budget, hours = (site.id(name) for name in ("Harbour", "Budget 2026", "Opening hours.txt"))
    async with serving(site, tmp_path) as client:
        await client.call("drive_share", fileId=folder, who="carol@harbour.example", role="writer")
        inside = await client.call("drive_listPermissions", fileId=budget)
        [carols] = [line.split("\t")[0] for line in inside.text.splitlines() if "Carol" in line]
        given = {"fileId": budget, "permissionId": carols}
        kept = await client.send("tools_delete", {"tool": "drive_permissions_delete", "arguments": given})
        await client.call("drive_share", fileId=budget, who="carol@harbour.example")
        both = await client.call("drive_listPermissions", fileId=budget)
        drive = await client.call("drive_listPermissions", fileId=hours)
        top = await client.call("drive_listPermissions", fileId=site.id("Harbour office"))
    assert inside.text.splitlines()[-1].endswith("\tmay change it\t\tfrom folder above")
    assert "owns it" in inside.text.splitlines()[2] and "from" not in inside.text.splitlines()[2]
    assert "inherited permission" in kept.text and kept.text.endswith(
        "Change it at the folder that drive_listPermissions names."
    )
    assert both.text.splitlines()[-1].endswith("\tmay change it")  # it would stay without the folder
    assert drive.text.splitlines()[-1].endswith("\tmanages the shared drive\t\tfrom the shared drive")
    assert top.text.splitlines()[-1].endswith("\tmanages the shared drive")
