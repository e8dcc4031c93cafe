"""A laconic.toml that a stranger made to stop the server is refused in one sentence."""

import os
from pathlib import Path

import pytest

from laconic.cli.configuration.files import ConfigFile
from laconic.kit.errors import BadConfiguration


def refused(folder: Path) -> str:
    with pytest.raises(BadConfiguration) as caught:
        ConfigFile.of_workspace(folder).read()
    return caught.value.message


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("a = " + "[" * 3000 + "]" * 3000, "is nested too deep."),
        ("a = " + "[" * 101 + "]" * 101, "is nested too deep."),
        ("[issues]\n" + ".".join(["a"] * 3000) + " = 1", "is nested too deep."),
        (".".join(["a"] * 400_000) + " = 1", "is nested too deep."),
        ("[" + " . ".join(['"a\\""', "'b'"] * 60) + "]", "is nested too deep."),
        ("rate = " + "9" * 5000, "has a number of more than 64 bits."),
        ("rate = 0x" + "f" * 5000, "has a number of more than 64 bits."),
        ("deadline = 0x" + "f" * 5000, "has a number of more than 64 bits."),
        ("#" * 1_000_001, "is larger than 1,000,000 bytes."),
    ],
    ids=["lists", "one list too many", "keys", "a long key", "quoted keys", "9s", "fs", "seconds", "size"],
)
def test_a_file_out_of_bounds_is_refused(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "laconic.toml").write_text(content, encoding="utf-8")

    assert refused(tmp_path) == f"laconic.toml {said}"


@pytest.mark.skipif(os.name != "posix", reason="devices are files there only")
@pytest.mark.parametrize("place", ["/dev/zero", "/dev/tty", "/"])
def test_a_link_to_something_else_than_a_file_is_not_opened(tmp_path: Path, place: str) -> None:
    (tmp_path / "laconic.toml").symlink_to(place)

    assert refused(tmp_path) == "laconic.toml is not a regular file."


@pytest.mark.skipif(os.name != "posix", reason="there are no pipes with a name elsewhere")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "laconic.toml")

    assert refused(tmp_path) == "laconic.toml is not a regular file."


def test_a_file_that_is_not_text_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "laconic.toml").write_bytes(b"\xff")

    assert refused(tmp_path).startswith("laconic.toml cannot be read: ")


def test_a_file_within_bounds_is_read_also_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "shared.toml").write_bytes(b"rate = 5\r\n[example]\ndeep = " + b"[" * 90 + b"]" * 90)
    (tmp_path / "laconic.toml").symlink_to("shared.toml")

    options, sections = ConfigFile.of_workspace(tmp_path).read()

    assert options == {"rate": 5} and list(sections) == ["example"]
