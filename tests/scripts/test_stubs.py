"""Stubs are written from the table of names in a package's __init__.py."""

from pathlib import Path

import pytest

from scripts.documentation import pages
from scripts.documentation.stubs import stale, stub_of
from tests.docs.pages import ROOT

SOURCE = '_HOMES = {"tools": ("make", "MOST", "Maker"), "names.short": ("Name",)}\n'
STUB = """\
# Written by scripts/docs from _HOMES in __init__.py.

from shop.names.short import Name as Name
from shop.tools import MOST as MOST
from shop.tools import Maker as Maker
from shop.tools import make as make

__all__ = [
    "MOST",
    "Maker",
    "Name",
    "make",
]
"""


def test_the_stubs_are_current() -> None:
    assert list(stale(ROOT)) == [], "run scripts/docs"


def test_a_stub_has_every_name_of_the_table_and_where_it_lives() -> None:
    assert stub_of(SOURCE, "shop") == STUB


def test_a_package_without_a_table_has_no_stub() -> None:
    assert stub_of('"""A package."""\n', "shop") == ""


def test_a_stale_stub_is_named_and_then_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    package = tmp_path / "src" / "shop"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(SOURCE, encoding="utf-8")

    assert pages.main(["--check"], tmp_path) == 1
    assert "src/shop/__init__.pyi is stale" in capsys.readouterr().err
    assert pages.main([], tmp_path) == 0
    assert pages.main(["--check"], tmp_path) == 0
    assert (package / "__init__.pyi").read_text(encoding="utf-8") == STUB
