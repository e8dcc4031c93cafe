"""scripts/wording finds the words that we avoid, where a reader would meet them."""

import subprocess
from pathlib import Path

import pytest

from scripts.wording import EVERYWHERE, IN_DOCS, complaints, main


@pytest.mark.parametrize(
    "line",
    [
        "how to mend it",  # wording: ok
        "Mended in the next release",  # wording: ok
        "start it anew",  # wording: ok
        "the file lies in the folder",  # wording: ok
        "it stands there",  # wording: ok
        "a line a record",  # wording: ok
    ],
)
def test_a_line_with_such_a_word_is_found(line: str) -> None:
    assert list(complaints(line, EVERYWHERE))


@pytest.mark.parametrize(
    "line", ["amend the commit", "standard", "families", "one line per record", "begin", "`mend()`"]
)
def test_other_words_are_left_alone(line: str) -> None:
    assert list(complaints(line, {**EVERYWHERE, **IN_DOCS})) == []


def test_a_page_and_a_module_are_read_by_the_rules_for_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / "page.md").write_text("The rooms of the house.\n", encoding="utf-8")
    module = "# The rooms are packages.\n\n# Try anew.\n"  # wording: ok
    (tmp_path / "module.py").write_text(module, encoding="utf-8")
    (tmp_path / "excused.py").write_text("# Try anew.  # wording: ok\n", encoding="utf-8")

    assert main(tmp_path) == 1
    shown = capsys.readouterr().out
    assert "page.md:1: 'rooms'" in shown
    assert "module.py:3: 'anew': write again" in shown  # wording: ok
    assert "module.py:1" not in shown
    assert "excused.py" not in shown
