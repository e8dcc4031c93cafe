"""`laconic demo`, as a person runs it."""

import json
import re
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

from laconic.cli.demo.day import STEPS
from tests.process.speaking import run

TOOLS = ["tools/list", *(step.tool for step in STEPS)]

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


def figures(line: str) -> list[int]:
    """The numbers at the end of a line of the table."""
    return [int(word.replace(",", "")) for word in re.findall(r"-?[\d,]+(?= |$)", line)[-3:]]


def test_it_prints_a_table_its_totals_and_bars_and_leaves_nothing(workspace: Path) -> None:
    done = run("demo", folder=workspace)

    lines = [line.strip() for line in done.stdout.splitlines()]
    rows = [figures(line) for line in lines if any(f" {tool} " in line for tool in TOOLS)]
    (total,) = [figures(line) for line in lines if re.match(r"total +\d", line)]
    assert (done.returncode, done.stderr) == (0, "")
    assert len(rows) == len(TOOLS)
    assert total == [sum(column) for column in zip(*rows, strict=True)]
    assert all(ours > 0 and thin - ours == saving for ours, thin, saving in rows)
    assert f"In total {total[0]:,} tokens instead of {total[1]:,}: " in done.stdout
    assert "Counted with o200k" in done.stdout
    assert sum("█" in line for line in lines) >= 3
    assert list(workspace.iterdir()) == []


def test_a_thin_wrapper_costs_several_times_as_much(workspace: Path) -> None:
    day = json.loads(run("demo", "--json", folder=workspace).stdout)

    assert day["laconic"] * 6 < day["thin"]


def test_json_has_every_figure(workspace: Path) -> None:
    done = run("demo", "--json", folder=workspace)

    day = json.loads(done.stdout)
    assert sorted(day) == ["exact", "laconic", "left_out", "rows", "thin"]
    assert [row["tool"] for row in day["rows"]] == TOOLS
    assert all(sorted(row) == ["laconic", "thin", "tool", "what"] for row in day["rows"])
    assert day["laconic"] == sum(row["laconic"] for row in day["rows"])
    assert (day["exact"], day["left_out"]) == (True, [])


def test_a_picture_is_written_where_it_is_wanted(workspace: Path) -> None:
    done = run("demo", "--svg", "day.svg", "--json", folder=workspace)

    day = json.loads(done.stdout)
    drawn = (workspace / "day.svg").read_text(encoding="utf-8")
    said = [node.text for node in ElementTree.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text")]
    assert f"An agent's day: {day['laconic']:,} tokens instead of {day['thin']:,}" in said
    assert all(row["what"] in said and f"{row['thin']:,}" in said for row in day["rows"])
    assert [path.name for path in workspace.iterdir()] == ["day.svg"]


def test_a_picture_that_cannot_be_written_is_reported(workspace: Path) -> None:
    done = run("demo", "--svg", "no/day.svg", folder=workspace)

    assert done.returncode == 2
    assert done.stderr == "laconic: no/day.svg cannot be written: No such file or directory.\n"
