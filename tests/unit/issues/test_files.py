"""Where files are and how they are named, exactly as in Wrangler workspaces."""

import json
from pathlib import Path

import pytest

from laconic.kit import BadConfiguration, OutsideWorkspace
from laconic.servers.issues.index.layout import Layout, file_name, slug


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Fix the Bug", "fix-the-bug"),
        ("  many   blanks_and-hyphens -- here  ", "many-blanks-and-hyphens-here"),
        ("Émile's C++ & C#", "miles-c-c"),
        ("日本語", "issue"),
        ("!!!", "issue"),
        ("", "issue"),
        ("Plan step 3: do it", "3-do-it"),
        ("plan-step-", "plan-step"),
        ("x" * 49 + " y", "x" * 49 + "-"),  # the hyphen at the cut stays
        ("y" * 80, "y" * 50),
    ],
)
def test_a_slug_is_short_ascii_with_single_hyphens(title: str, expected: str) -> None:
    assert slug(title) == expected


def test_a_file_is_named_by_id_and_title() -> None:
    assert file_name("ISS-000007", "Say Hello!") == "ISS-000007-say-hello.md"


@pytest.mark.parametrize(
    ("kind", "status", "folder"),
    [
        ("issue", "open", ".wrangler/issues"),
        ("issue", "closed", ".wrangler/issues/archived"),
        ("specification", "in_progress", ".wrangler/specifications"),
        ("idea", "cancelled", ".wrangler/ideas/archived"),
        ("epic", "review", ".wrangler/ideas"),  # an unknown type stays where it is
    ],
)
def test_type_and_status_decide_where_a_file_belongs(root: Path, kind: str, status: str, folder: str) -> None:
    assert Layout.of(root).folder(".wrangler/ideas/x.md", kind, status) == folder


def test_a_file_in_a_subfolder_of_its_collection_is_in_the_right_place(root: Path) -> None:
    layout = Layout.of(root)

    assert layout.fits(".wrangler/issues/team/x.md", "issue", "open")
    assert not layout.fits(".wrangler/issues/team/x.md", "issue", "closed")
    assert layout.fits(".wrangler/issues/archived/x.md", "issue", "closed")
    assert not layout.fits(".wrangler/issues/x.md", "idea", "open")


def test_variables_name_other_folders(root: Path) -> None:
    environ = {"WRANGLER_ISSUES_DIRECTORY": "tickets", "WRANGLER_SPECIFICATIONS_DIRECTORY": "docs/specs"}

    folders = Layout.configured(root, environ).folders

    assert folders == {"issue": "tickets", "specification": "docs/specs", "idea": ".wrangler/ideas"}


def test_another_base_moves_all_folders(root: Path) -> None:
    assert Layout.configured(root, {"WRANGLER_ISSUE_BASE_PATH": "sub"}).root == root.resolve() / "sub"


def test_settings_come_before_variables(root: Path) -> None:
    layout = Layout.configured(root, {"WRANGLER_ISSUES_DIRECTORY": "tickets"}, {"issue": "mine"})

    assert layout.folders["issue"] == "mine"


def schema(folder: Path, content: object) -> None:
    path = folder / ".wrangler/config/workspace-schema.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(content), encoding="utf-8")


def test_the_schema_file_names_the_folder_of_ideas_and_no_other(root: Path) -> None:
    directories = {"ideasDirectory": "thoughts", "issuesDirectory": "ignored"}
    schema(root, {"mcpConfiguration": directories})

    folders = Layout.configured(root, {}).folders

    assert (folders["idea"], folders["issue"]) == ("thoughts", ".wrangler/issues")


def test_a_schema_file_above_counts_up_to_the_repository(root: Path) -> None:
    schema(root, {"mcpConfiguration": {"ideasDirectory": "thoughts"}})
    inner, repository = root / "inner", root / "repository"
    inner.mkdir()
    (repository / ".git").mkdir(parents=True)

    assert Layout.configured(inner, {}).folders["idea"] == "thoughts"
    assert Layout.configured(repository, {}).folders["idea"] == ".wrangler/ideas"


@pytest.mark.parametrize("content", [[], {"mcpConfiguration": None}, "text"])
def test_an_odd_schema_file_is_ignored(root: Path, content: object) -> None:
    schema(root, content)

    assert Layout.configured(root, {}).folders["idea"] == ".wrangler/ideas"


@pytest.mark.parametrize("folder", ["../elsewhere", "/etc", "a/../../b"])
def test_a_folder_outside_the_workspace_is_refused_by_name(root: Path, folder: str) -> None:
    layout = Layout.of(root, {"issue": folder})

    with pytest.raises(BadConfiguration, match=f"The folder {folder} of type issue leads out"):
        layout.check()


def test_a_folder_that_is_a_link_out_of_the_workspace_is_refused(root: Path, tmp_path: Path) -> None:
    (root / ".wrangler").mkdir()
    (root / ".wrangler/issues").symlink_to(tmp_path)

    with pytest.raises(BadConfiguration, match=r"\.wrangler/issues"):
        Layout.of(root).check()


@pytest.mark.parametrize("path", ["../x.md", "a/../../x.md", "/etc/passwd"])
def test_no_path_leaves_the_workspace(root: Path, path: str) -> None:
    with pytest.raises(OutsideWorkspace):
        Layout.of(root).at(path)
