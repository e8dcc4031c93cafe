import hashlib
import json
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from laconic.kit import Conflict, Failure, OutsideWorkspace, Refused, Settings
from laconic.kit.testing import ERAS, TestClient, connect
from laconic.servers.issues.setup.schemas import default_schema
from laconic.servers.issues.setup.workspace import Workspace
from laconic.servers.issues.tools import issues

TRACKED = ["config", "docs", "ideas", "issues", "issues/archived", "memos", "orchestration"]
TRACKED += ["orchestration/agents", "orchestration/prompts", "orchestration/workflows", "plans"]
TRACKED += ["specifications", "specifications/archived"]


def fingerprint(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        for path in folder.rglob("*")
    }


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    """A plugin with its own assets and schema."""
    folder = tmp_path / "plugin"
    write(folder / "workflows/agents/analyzer.md", "# Analyzer")
    write(folder / "workflows/agents/notes.txt", "no agent")
    write(folder / "workflows/prompts/plan.md", "# Plan")
    write(folder / "workflows/spec.yaml", "name: spec")
    write(folder / "workflows/review.yml", "name: review")
    schema = {**default_schema(), "version": "1.10.0", "gitignorePatterns": ["cache/", "tmp/"]}
    write(folder / ".wrangler/config/workspace-schema.json", json.dumps(schema))
    return folder


@asynccontextmanager
async def connected(workspace: Path, era: str = ERAS[-1]) -> AsyncIterator[TestClient]:
    settings = Settings(sections={"issues": {"workspace": str(workspace)}})
    async with connect(issues, era=era, settings=settings) as client:
        yield client


@pytest.mark.parametrize("era", ERAS)
async def test_a_report_lists_what_is_missing_and_changes_nothing(project: Path, era: str) -> None:
    async with connected(project, era) as client:
        reply = await client.call("init_workspace")
    assert reply.text.startswith(
        "Workspace changes needed (run with fix: true to apply):\nDirectories to create: "
    )
    assert ".wrangler/issues, .wrangler/issues/archived, .wrangler/specifications" in reply.text
    assert "Patterns to add to .wrangler/.gitignore: cache/, logs/, sessions/" in reply.text
    assert fingerprint(project) == {}


@pytest.mark.parametrize("era", ERAS)
async def test_the_second_run_is_compliant(project: Path, era: str) -> None:
    async with connected(project, era) as client:
        first = await client.call("init_workspace", fix=True)
        before = fingerprint(project)
        second = await client.call("init_workspace", fix=True)
    assert first.text.startswith("Workspace initialized.\nDirectories created: .wrangler/issues,")
    assert second.text == "Workspace is fully compliant. No changes needed."
    assert fingerprint(project) == before


def test_all_fifteen_folders_are_created_and_git_keeps_the_tracked_ones(project: Path) -> None:
    report = Workspace(project).init(fix=True)
    assert (report.status, len(report.directories["created"])) == ("initialized", 15)
    kept = [path.parent.relative_to(project / ".wrangler") for path in project.rglob(".gitkeep")]
    assert sorted(path.as_posix() for path in kept) == TRACKED
    ignored = (project / ".wrangler/.gitignore").read_text("utf-8").splitlines()
    assert ignored[0].startswith("#")
    assert ignored[1:] == ["cache/", "logs/", "sessions/"]


def test_a_clone_of_an_initialized_workspace_lacks_only_what_git_ignores(
    project: Path, tmp_path: Path
) -> None:
    Workspace(project).init(fix=True)
    for words in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=T", "-c", "user.email=t@t", "commit", "-qm", "x"],
    ):
        subprocess.run(["git", *words], cwd=project, check=True)
    subprocess.run(["git", "clone", "-q", str(project), str(tmp_path / "clone")], check=True)
    report = Workspace(tmp_path / "clone").init()
    assert report.directories["created"] == [".wrangler/cache", ".wrangler/logs"]


def test_the_settings_name_every_folder(project: Path) -> None:
    Workspace(project).init(fix=True)
    config = json.loads((project / ".wrangler/config/wrangler.json").read_text("utf-8"))
    schema = json.loads((project / ".wrangler/config/workspace-schema.json").read_text("utf-8"))
    assert (config["version"], config["workspace"]["root"]) == ("1.3.0", ".wrangler")
    assert config["workspace"]["directories"]["ideas"] == ".wrangler/ideas"
    assert schema == default_schema()


def test_nothing_of_the_users_is_overwritten(project: Path, plugin: Path) -> None:
    own = {
        ".wrangler/config/wrangler.json": '{"mine": true}',
        ".wrangler/orchestration/agents/analyzer.md": "# My analyzer",
        ".wrangler/issues/ISS-000001-x.md": "---\n",
        ".wrangler/config/workspace-schema.json": '{"version": "2.0.0"}',
    }
    for name, text in own.items():
        write(project / name, text)
    report = Workspace(project).init(fix=True, plugin_root=str(plugin))
    assert {name: (project / name).read_text("utf-8") for name in own} == own
    assert report.assets["agents"] == {"copied": [], "skipped": ["analyzer.md"]}
    assert report.config == {"created": False, "schemaUpdated": False, "wranglerConfigCreated": False}


def test_rules_the_user_has_are_kept_and_not_repeated(project: Path) -> None:
    path = write(project / ".wrangler/.gitignore", "# mine\r\nlogs/\r\n!cache/keep\r\nsecret")
    report = Workspace(project).init(fix=True)
    assert report.gitignore == {"patternsAdded": ["cache/", "sessions/"], "existing": ["logs/"]}
    assert path.read_bytes() == b"# mine\r\nlogs/\r\n!cache/keep\r\nsecret\ncache/\nsessions/\n"


def test_a_plugin_brings_its_assets_and_its_schema(project: Path, plugin: Path) -> None:
    report = Workspace(project).init(fix=True, plugin_root=str(plugin))
    assert report.assets["agents"]["copied"] == ["analyzer.md"]
    assert report.assets["workflows"]["copied"] == ["review.yml", "spec.yaml"]
    home = project / ".wrangler/orchestration"
    assert (home / "prompts/plan.md").read_text("utf-8") == "# Plan"
    assert (home / "workflows/spec.yaml").is_file()
    assert "tmp/" in (project / ".wrangler/.gitignore").read_text("utf-8").splitlines()
    assert Workspace(project).init(fix=True, plugin_root=str(plugin)).status == "compliant"


@pytest.mark.parametrize(
    ("version", "updated"), [("1.9.0", True), ("1.10.0", False), ("2.0.0", False), ("x", True)]
)
def test_only_a_newer_schema_replaces_the_existing_one(
    project: Path, plugin: Path, version: str, updated: bool
) -> None:
    path = write(project / ".wrangler/config/workspace-schema.json", json.dumps({"version": version}))
    report = Workspace(project).init(fix=True, plugin_root=str(plugin))
    assert report.config["schemaUpdated"] is updated
    assert (json.loads(path.read_text("utf-8"))["version"] == "1.10.0") is (updated or version == "1.10.0")


def test_an_unreadable_schema_of_the_users_is_left_alone(project: Path, plugin: Path) -> None:
    path = write(project / ".wrangler/config/workspace-schema.json", "{ not json")
    Workspace(project).init(fix=True, plugin_root=str(plugin))
    assert path.read_text("utf-8") == "{ not json"


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"directories": []}', '{"directories": {"a": {"path": 1}, "b": 2}}']
)
def test_a_plugins_broken_schema_does_no_harm(project: Path, plugin: Path, text: str) -> None:
    write(plugin / ".wrangler/config/workspace-schema.json", text)
    report = Workspace(project).init(fix=True, plugin_root=str(plugin))
    assert report.status == "initialized"
    assert Workspace(project).init(plugin_root=str(plugin)).status == "compliant"


def test_a_plugins_schema_cannot_name_folders_outside(project: Path, plugin: Path) -> None:
    schema: dict[str, Any] = {
        "version": "9.0.0",
        "directories": {"evil": {"path": "../evil", "gitTracked": True}},
    }
    write(plugin / ".wrangler/config/workspace-schema.json", json.dumps(schema))
    with pytest.raises(OutsideWorkspace):
        Workspace(project).init(fix=True, plugin_root=str(plugin))
    assert not (project.parent / "evil").exists()


def test_a_link_among_a_plugins_assets_fetches_nothing(project: Path, plugin: Path, tmp_path: Path) -> None:
    write(tmp_path / "secret.md", "secret")
    (plugin / "workflows/agents/secret.md").symlink_to(tmp_path / "secret.md")
    report = Workspace(project).init(fix=True, plugin_root=str(plugin))
    assert report.assets["agents"]["copied"] == ["analyzer.md"]


@pytest.mark.parametrize("folder", ["/", "/etc", "/usr", "/tmp", "/home", "/root"])
def test_system_folders_are_refused(project: Path, folder: str) -> None:
    with pytest.raises(Refused, match="A system folder cannot be a workspace"):
        Workspace(project).init(fix=True, project_root=folder)
    with pytest.raises(Refused, match="A system folder cannot be a workspace"):
        Workspace(Path(folder)).init(fix=False)


@pytest.mark.parametrize("folder", ["..", "../plugin", "link"])
def test_a_project_outside_the_workspace_is_refused(project: Path, plugin: Path, folder: str) -> None:
    (project / "link").symlink_to(plugin)
    before = fingerprint(plugin)
    with pytest.raises(OutsideWorkspace):
        Workspace(project).init(fix=True, project_root=folder)
    assert fingerprint(plugin) == before


def test_folders_that_lead_out_of_the_workspace_are_refused(project: Path, plugin: Path) -> None:
    (project / ".wrangler").symlink_to(plugin)
    before = fingerprint(plugin)
    with pytest.raises(OutsideWorkspace):
        Workspace(project).init(fix=True)
    assert fingerprint(plugin) == before


def test_a_project_may_be_a_folder_of_the_workspace(project: Path) -> None:
    (project / "packages/one").mkdir(parents=True)
    Workspace(project).init(fix=True, project_root="packages/one")
    assert (project / "packages/one/.wrangler/issues").is_dir()
    assert not (project / ".wrangler").exists()


def test_a_missing_folder_is_reported(project: Path) -> None:
    for given in ({"project_root": "nowhere"}, {"plugin_root": "nowhere"}):
        with pytest.raises(Failure) as caught:
            Workspace(project).init(fix=True, **given)  # type: ignore[arg-type]  # texts
        assert caught.value.code == "FILE_NOT_FOUND"


def test_a_file_in_the_place_of_a_folder_is_refused_before_anything_is_created(project: Path) -> None:
    write(project / ".wrangler/plans", "a file")
    with pytest.raises(Conflict, match=r"\.wrangler/plans is a file"):
        Workspace(project).init(fix=True)
    assert list(fingerprint(project)) == [".wrangler", ".wrangler/plans"]
