"""The taiga server as processes: one sign-in for all, secrets, commands, and a workspace that wants more."""

import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Thread

import pytest

from laconic.sandbox.taiga.site.samples import PASSWORD
from laconic.stores import Reader
from tests.contract import test_taiga
from tests.process.speaking import Stdio, run, serving
from tests.taiga_server import TaigaServer


@pytest.fixture
def account(site: TaigaServer) -> dict[str, str]:
    return {
        "LACONIC_TAIGA_URL": site.url,
        "LACONIC_TAIGA_USERNAME": "alice",
        "LACONIC_TAIGA_PASSWORD": PASSWORD,
    }


def kept(workspace: Path) -> Path:
    (found,) = (workspace.parent / "home").rglob("credentials/taiga/127*.json")
    return found


def test_four_processes_with_an_expired_token_refresh_it_once(
    site: TaigaServer, workspace: Path, account: dict[str, str]
) -> None:
    first = run("call", "-s", "taiga", "taiga_list_projects", folder=workspace, **account)
    assert first.returncode == 0, first.stderr
    stored = json.loads(kept(workspace).read_text())
    kept(workspace).write_text(json.dumps(stored | {"expires": time.time() - 1}))
    site.app.seen.clear()

    texts: list[str] = []

    def ten_calls(server: Stdio) -> None:
        texts.extend(server.call("taiga_list_projects", limit=number) for number in range(1, 11))

    with ExitStack() as stack:
        servers = [stack.enter_context(serving("taiga", folder=workspace, **account)) for _ in range(4)]
        for server in servers:
            server.greet()
        threads = [Thread(target=ten_calls, args=[server]) for server in servers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert len(texts) == 40 and all("projects:" in text or "project:" in text for text in texts), texts
    paths = [one.path for one in site.app.seen]
    assert (paths.count("auth/refresh"), paths.count("auth"), paths.count("projects")) == (1, 0, 40)


def test_the_journal_tells_what_changed_in_taiga_without_a_word_of_it(
    site: TaigaServer, workspace: Path, account: dict[str, str]
) -> None:
    alice = site.ask("GET", "users/me").json()["id"]
    with serving("taiga", folder=workspace, **account) as server:
        made = server.call("taiga_create_issue", projectId=1, subject="Pump")
        id = made.partition("id: ")[2].split()[0]
        server.call("taiga_update_issue", projectId=1, id=id, subject="Valve", assignedToId=alice)
        assert "deleted" in server.call("taiga_delete_issue", projectId=1, id=id)
        server.hang_up()

    (folder,) = (workspace.parent / "home" / "state").glob("laconic/*/journal")
    created, changed, deleted = Reader(folder).read()
    thing = f"issues/{id}"
    assert created["changed"][thing]["project"] == [None, 1] and created["changed"][thing]["subject"] is None
    assert changed["changed"] == {thing: {"version": [1, 2], "assigned_to": [None, alice], "subject": None}}
    assert deleted["ids"] == [thing]
    assert "Pump" not in str(created) and "Valve" not in str(changed)


def test_a_wait_that_one_process_is_told_is_known_to_the_others(
    site: TaigaServer, workspace: Path, account: dict[str, str]
) -> None:
    with (
        serving("taiga", folder=workspace, **account) as one,
        serving("taiga", folder=workspace, **account) as other,
    ):
        other.call("taiga_list_projects")
        site.app.faults.add("throttle", method="POST", path="issues", seconds=300)
        site.app.seen.clear()
        told = one.call("taiga_create_issue", projectId=1, subject="Pump")
        spared = other.call("taiga_create_issue", projectId=1, subject="Valve")
        reading = other.call("taiga_list_issues", projectId=1)

    assert "RATE_LIMIT_EXCEEDED" in told and "RATE_LIMIT_EXCEEDED" in spared, (told, spared)
    assert "POST issues" not in site.asked  # by the other, which would have been answered
    assert "issues:" in reading


@pytest.fixture
def stranger() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0.2)
        yield listening


def test_a_workspace_cannot_send_the_account_to_another_host(
    site: TaigaServer, workspace: Path, account: dict[str, str], stranger: socket.socket
) -> None:
    port = stranger.getsockname()[1]
    (workspace / "laconic.toml").write_text(f'[taiga]\nurl = "http://127.0.0.1:{port}"', encoding="utf-8")
    with_account = run("call", "-s", "taiga", "taiga_list_projects", folder=workspace, **account)
    without = run("call", "-s", "taiga", "taiga_list_projects", folder=workspace)
    for done in (with_account, without):
        assert done.returncode != 0 and "url" in done.stderr, done.stderr
    with pytest.raises(TimeoutError):
        stranger.accept()


def test_secrets_are_in_no_log_answer_or_readable_file(
    site: TaigaServer, workspace: Path, account: dict[str, str]
) -> None:
    site.app.faults.add("expire", path="userstories")
    with serving("taiga", "taiga_more", "--verbose", folder=workspace, **account) as server:
        server.greet()
        said = [
            server.call("taiga_set_active_project", projectId=1),
            server.call("taiga_list_user_stories"),
            server.call("taiga_get_project"),
            server.call("taiga_my_work"),
            server.stderr,
        ]
    stored = json.loads(kept(workspace).read_text())
    secrets = [stored["token"], stored["refresh"], PASSWORD]
    assert not [text for secret in secrets for text in said if secret in text]
    for path in _files(workspace.parent):
        content = path.read_bytes()
        assert PASSWORD.encode() not in content
        if any(secret.encode() in content for secret in secrets):
            assert path.stat().st_mode & 0o077 == 0, path


def test_people_log_in_look_and_log_out(site: TaigaServer, workspace: Path) -> None:
    login = ("taiga", "login", "--url", site.url, "--username", "alice", "--password-stdin")
    before = run("taiga", "whoami", folder=workspace)
    wrong = run(*login, folder=workspace, stdin="guess\n")
    done = run(*login, folder=workspace, stdin=f"{PASSWORD}\n")
    who = run("taiga", "whoami", folder=workspace)
    projects = run("taiga", "projects", folder=workspace)
    healthy = run("doctor", "-s", "taiga", folder=workspace)
    out = run("taiga", "logout", folder=workspace)
    after = run("taiga", "whoami", folder=workspace)

    assert "No Taiga address is set." in before.stderr and before.returncode == 2
    assert wrong.returncode == 1 and "status 401" in wrong.stderr
    assert done.stdout == f"Signed in to {site.root} as alice (Alice Harper).\n", done.stderr
    assert who.stdout == f"alice (Alice Harper) at {site.root}\n"
    assert "Harbour" in projects.stdout
    for line in (
        f"ok    taiga url: {site.root}",
        "ok    taiga sign-in: as alice",
        "ok    taiga clock: agrees",
    ):
        assert line in healthy.stdout, healthy.stdout
    assert out.stdout == f"Signed out of {site.root}.\n" and "No Taiga address" in after.stderr
    assert PASSWORD not in "".join(path.read_text(errors="ignore") for path in _files(workspace.parent))


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_the_doctor_finds_a_password_that_is_refused(
    site: TaigaServer, workspace: Path, account: dict[str, str]
) -> None:
    found = run("doctor", "-s", "taiga", folder=workspace, **account | {"LACONIC_TAIGA_PASSWORD": "guess"})
    assert found.returncode == 1 and "WRONG taiga sign-in:" in found.stdout


@pytest.mark.requirement("001-11")
def test_with_verbose_each_call_is_a_line_of_its_form(workspace: Path) -> None:
    ok = run(
        "call", "--verbose", "-s", "taiga", "taiga_list_projects", folder=workspace, LACONIC_SANDBOX="yes"
    )
    bad = run("call", "--verbose", "-s", "taiga", "taiga_list_epics", folder=workspace, LACONIC_SANDBOX="yes")
    assert "[MCP] taiga_list_projects (success) " in ok.stderr, ok.stderr
    assert "[MCP] taiga_list_epics (failure) " in bad.stderr


def test_every_tool_answers_a_newcomer_in_one_process(workspace: Path) -> None:
    samples = test_taiga.more_samples() | test_taiga.samples()
    with serving("taiga", "taiga_more", "--sandbox", folder=workspace) as server:
        listed = {tool["name"] for tool in server.ask("tools/list")["tools"]}
        said = {tool: server.call(tool, **arguments) for tool, arguments in samples.items()}
    assert listed >= samples.keys() and len(samples) == 29 + 15
    assert {tool: text for tool, text in said.items() if text.startswith("Error") or not text} == {}


def test_a_newcomer_practises_without_an_account(workspace: Path) -> None:
    with serving("taiga", "taiga_more", "--sandbox", folder=workspace) as server:
        server.greet()
        assert "Harbour" in server.call("taiga_list_projects")
        server.call("taiga_set_active_project", projectSlug="alice-harbour")
        assert "20 user stories:" in server.call("taiga_list_user_stories")
        assert "Sprint 2" in server.call("taiga_list_sprints")
    demo = run("demo", "taiga", "--json", folder=workspace)
    day = json.loads(demo.stdout)
    assert day["laconic"] < 0.2 * day["thin"] and len(day["rows"]) == 11
