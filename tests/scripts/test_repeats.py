"""scripts/repeats finds blocks that occur twice, and only those."""

from pathlib import Path

import pytest

from scripts.repeats import BLOCK, main

BODY = [f"    value_{number} = work({number})" for number in range(BLOCK)]


def write(root: Path, name: str, *lines: str) -> None:
    (root / name).write_text("\n".join(["import os", *lines, ""]), encoding="utf-8")


def test_a_block_in_two_files_is_named_with_both_places(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, "one.py", "def one():", *BODY)
    write(tmp_path, "two.py", "", "def two():", "    # a comment", *BODY, "    return value_1")

    assert main(tmp_path) == 1
    assert f"one.py:3 and {tmp_path / 'two.py'}:5: {BLOCK} equal lines" in capsys.readouterr().out


def test_a_long_block_is_reported_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    longer = [*BODY, *(line.replace("value", "other") for line in BODY)]
    write(tmp_path, "one.py", "def one():", *longer)
    write(tmp_path, "two.py", "class Two:", "    def two():", *(f"    {line}" for line in longer))

    main(tmp_path)

    assert capsys.readouterr().out.count("equal lines") == 1


def test_a_block_twice_in_one_file_is_found(tmp_path: Path) -> None:
    write(tmp_path, "one.py", "def one():", *BODY, "def two():", *BODY)

    assert main(tmp_path) == 1


def test_shorter_blocks_and_imports_do_not_count(tmp_path: Path) -> None:
    imports = [f"import module_{number}" for number in range(2 * BLOCK)]
    for name in ("one.py", "two.py"):
        write(tmp_path, name, *imports, f"def {name[:3]}():", *BODY[:-1])

    assert main(tmp_path) == 0
