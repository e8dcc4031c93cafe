"""The google server as processes: a login in the terminal, accounts, a practice Google over stdio."""

import json
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import pytest

from tests.google_server import GoogleServer, google_server
from tests.process.speaking import COMMAND, PATIENCE, environment, run, serving


@pytest.fixture
def google_site() -> Iterator[GoogleServer]:
    with google_server() as served:
        yield served


@pytest.fixture
def settings(google_site: GoogleServer, tmp_path: Path) -> dict[str, str]:
    client = tmp_path / "client.json"
    content = {"installed": {"client_id": "desktop", "client_secret": "desktop-secret"}}
    client.write_text(json.dumps(content))
    roots = {f"LACONIC_GOOGLE_{name.upper()}": address for name, address in google_site.roots.items()}
    return {**roots, "LACONIC_GOOGLE_CLIENT": str(client)}


def logged_in(workspace: Path, settings: dict[str, str], *more: str, account: str = "work") -> str:
    """Log in as a person does: open the address, agree, and perhaps paste where the browser ended."""
    process = subprocess.Popen(
        [*COMMAND, "google", "login", "--account", account, *more],
        cwd=workspace,
        env=environment(workspace.parent / "home", **settings),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    address = next(line for line in process.stderr if line.startswith("http")).strip()
    ended = httpx2.get(address, follow_redirects="--headless" not in more, timeout=PATIENCE)
    pasted = f"{ended.headers['location']}\n" if "--headless" in more else ""
    out, errors = process.communicate(pasted, timeout=PATIENCE)
    assert process.returncode == 0, errors
    return out


def test_a_person_logs_in_with_the_browser_of_this_machine(workspace: Path, settings: dict[str, str]) -> None:
    assert "Signed in as alice@harbour.example" in logged_in(workspace, settings)


def test_a_person_logs_in_uses_the_account_and_logs_out(
    google_site: GoogleServer, workspace: Path, settings: dict[str, str]
) -> None:
    before = run("google", "accounts", folder=workspace, **settings)
    refused = run("call", "-s", "google", "drive_listFiles", folder=workspace, **settings)
    login = logged_in(workspace, settings, "--headless")
    listed = run("google", "accounts", folder=workspace, **settings)
    called = run("call", "-s", "google", "drive_listFiles", "name=Budget", folder=workspace, **settings)
    logout = run("google", "logout", "--account", "work", folder=workspace, **settings)
    after = run("google", "accounts", folder=workspace, **settings)
    assert "No account. Run 'laconic google login'." in before.stderr
    assert "No Google account is signed in." in refused.stdout + refused.stderr
    assert "Signed in as alice@harbour.example, account 'work'. Allowed: drive." in login
    assert listed.stdout == "work\tlogin\talice@harbour.example\n"
    assert "Budget 2026" in called.stdout and logout.stdout == "Signed out of 'work'.\n"
    assert "work" not in after.stdout


def test_with_several_logins_tools_list_the_argument_that_chooses_one(
    workspace: Path, settings: dict[str, str]
) -> None:
    def listed(*more: str) -> list[bool]:
        with serving("google", *more, folder=workspace, **settings) as server:
            tools = server.ask("tools/list")["tools"]
        return ["account" in one["inputSchema"]["properties"] for one in tools if one["name"][:6] == "drive_"]

    logged_in(workspace, settings)
    one = listed()
    logged_in(workspace, settings, account="home")
    several, practice = listed(), listed("--sandbox")
    run("google", "logout", "--account", "home", folder=workspace, **settings)
    assert not any(one) and all(several) and not any(practice) and not any(listed())


def test_two_servers_at_once_renew_one_account_once_and_both_go_on(
    google_site: GoogleServer, workspace: Path, settings: dict[str, str]
) -> None:
    logged_in(workspace, settings)
    google_site.app.sign_in.secret = b"another"  # the token that both of them know is no longer good
    google_site.app.faults.add("hang", path="token", seconds=2)  # so that both are waiting for the new one
    google_site.app.seen.clear()
    with (
        serving("google", folder=workspace, **settings) as one,
        serving("google", folder=workspace, **settings) as other,
        ThreadPoolExecutor() as threads,
    ):
        calls = [threads.submit(server.call, "drive_listFiles", name="Budget") for server in (one, other)]
        texts = [call.result(timeout=PATIENCE) for call in calls]
    assert all("Budget 2026" in text for text in texts), texts
    assert google_site.tokens == 1


def test_the_practice_google_is_served_over_stdio(workspace: Path) -> None:
    with serving("google", "--sandbox", folder=workspace) as server:
        server.greet()
        text = server.call("drive_listFiles", name="Budget")
        found = server.call("tools_find", query="freeze the first row of a sheet")
    assert "Budget 2026" in text and "sheets_updateSheetProperties" in found


def test_the_demo_counts_both_sides(workspace: Path) -> None:
    done = run("demo", "google", "--json", folder=workspace)
    day = json.loads(done.stdout)
    assert day["laconic"] < day["thin"] / 3 and len(day["rows"]) == 10
