"""A small server to ask questions about: a pad of lines in the workspace, and suites on it."""

from pathlib import Path
from typing import Any

from laconic.evals.suite import Suite

PAD = '''
from pathlib import Path
from typing import Annotated

from laconic.kit import Record, Toolset

toolset = Toolset("pad", "A pad of lines.", instructions="Lines are kept in order.")


class Pad(Record, noun="pad", key="name"):
    name: str
    lines: list[str]


class Lines:
    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> list[str]:
        return self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []


@toolset.factory
async def lines(section: dict):
    yield Lines(Path(section["workspace"]) / "pad.txt")


toolset.provides = (Lines,)


@toolset.create
def line_add(lines: Lines, text: Annotated[str, "The line."]) -> str:
    """Add a line."""
    lines.path.write_text("".join(f"{line}\\\\n" for line in [*lines.read(), text]), encoding="utf-8")
    return "Added."


@toolset.read
def pad_read(lines: Lines) -> Pad:
    """Read all lines."""
    return Pad(name="pad", lines=lines.read())
'''


def suite_of(folder: Path, *cases: dict[str, Any], **more: Any) -> Suite:
    """Return a suite about a pad; its only check is that the pad has the expected lines."""
    file = folder / "evalpad.py"
    if not file.exists():
        file.write_text(PAD.replace("\\\\n", "\\n"), encoding="utf-8")
    check = {
        "type": "equals",
        "arguments": {
            "actual": "$.output.final.pad.lines",
            "expected": "$.test_case.expected.lines",
        },
        "metadata": {"name": "the lines"},
    }
    data = {"name": "pads", "servers": [f"{folder}/evalpad:toolset"], "test_cases": cases, "checks": [check]}
    return Suite.model_validate({"eval": {"samples": 1}, **data, **more})


def case(id: str = "add", script: list[dict[str, Any]] | None = None, **more: Any) -> dict[str, Any]:
    """Return a case: add a second line."""
    right = [{"calls": [{"tool": "line_add", "arguments": {"text": "two"}}]}, {"says": "Done."}]
    return {
        "id": id,
        "input": {
            "given": [{"tool": "line_add", "arguments": {"text": "one"}}],
            "reads": [{"tool": "pad_read"}],
            "ask": "Add the line two.",
            "after": {"pad": {"tool": "pad_read"}},
        },
        "expected": {"lines": ["one", "two"]},
        "scripts": {"right": right, "other": script if script is not None else right},
        **more,
    }
