"""Resources: parts of files and ranges by address, and through read_on."""

from pathlib import Path

from tests.google_server import GoogleServer
from tests.unit.google.serving import serving


async def test_parts_of_files_and_ranges_have_addresses(site: GoogleServer, tmp_path: Path) -> None:
    plan, budget = site.id("Pier plan.txt"), site.id("Budget 2026")
    async with serving(site, tmp_path) as client:
        part = await client.call("read_on", uri=f"gdrive://files/{plan}/content/6-10")
        whole = await client.call("read_on", uri=f"gdrive:///{plan}")
        cells = await client.call("read_on", uri=f"gdrive://sheets/{budget}/values/Months!A1:B2")
        quoted = await client.call(
            "read_on", uri=f"gdrive://sheets/{budget}/values/'Notes%20&%20plans'!A1:A2"
        )
        wrong = await client.call("read_on", uri=f"gdrive://files/{plan}/content/10-6")
        other = await client.call("read_on", uri=f"gdrive://files/{plan}/content/0-5?account=nobody")
    assert "North pier: 12 berths." in part.text and "12 berths" in whole.text
    assert "Month\tFees\nJanuary\t1500" in cells.text and "Fees rise in July" in quoted.text
    assert "There are no bytes 10 to 6" in wrong.text and "There is no account 'nobody'" in other.text


async def test_a_summary_links_to_what_can_be_read(site: GoogleServer, tmp_path: Path) -> None:
    id = site.id("Pier plan.txt")
    site.app.blobs.put(id, b"a line of the plan\n" * 5_000)
    async with serving(site, tmp_path) as client:
        reply = await client.call("drive_exportFile", fileId=id)
        [link] = [block for block in reply.result.content if block.type == "resource_link"]
        part = await client.call("read_on", uri=str(link.uri))
    assert str(link.uri) == f"gdrive://files/{id}/content/0-20000"
    assert part.text.count("a line of the plan") > 1_000


async def test_a_file_of_more_than_a_million_bytes_is_read_to_its_end_by_its_address(
    site: GoogleServer, tmp_path: Path
) -> None:
    id = site.id("Pier plan.txt")
    whole = "".join(f"line {number} of the plan\n" for number in range(90_000))
    site.app.blobs.put(id, whole.encode())
    found, address = "", f"gdrive:///{id}"
    async with serving(site, tmp_path) as client:
        while address:
            text, *words = (await client.client.read_resource(address)).contents
            found += text.text
            address = words[0].text.partition("Read on: ")[2].rstrip(".") if words else ""
        tool = await client.call("read_on", uri=f"gdrive:///{id}")
    assert len(whole) > 2_000_000 and found == whole
    assert f"Read on: gdrive://files/{id}/content/" in tool.text
