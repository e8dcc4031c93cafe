"""Two people with two tokens on one HTTP server, each with a Taiga account of their own."""

import re
import shlex
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from laconic.sandbox.taiga.site.samples import PASSWORD
from tests.process.speaking import Web, listening, own_file, run
from tests.taiga_server import TaigaServer

ANN, BEN, EVE = (
    {"Authorization": f"Bearer token-of-{name}-on-this-server"} for name in ("ann", "ben", "eve")
)
TOKENS = "[http.tokens]\n" + "\n".join(
    f'{name} = "token-of-{name}-on-this-server"' for name in ("ann", "ben", "eve")
)


@pytest.fixture(autouse=True)
def tokens(workspace: Path) -> None:
    own_file(workspace, TOKENS)


@contextmanager
def taiga_over_http(workspace: Path, **variables: str) -> Iterator[Web]:
    with listening("taiga", folder=workspace, files=None, **variables) as server:
        yield server


def sign_in(workspace: Path, site: TaigaServer, caller: str, user: str) -> str:
    words = ("taiga", "login", "--url", site.url, "--username", user, "--password-stdin", "--caller", caller)
    done = run(*words, folder=workspace, stdin=f"{PASSWORD}\n")
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_each_works_with_their_own_account_and_their_own_project(site: TaigaServer, workspace: Path) -> None:
    assert "as alice" in sign_in(workspace, site, "token|ann", "alice")
    assert "as bob" in sign_in(workspace, site, "token|ben", "bob")
    with taiga_over_http(workspace) as server:
        of_ann, of_ben = (server.call("taiga_list_projects", one) for one in (ANN, BEN))
        server.call("taiga_set_active_project", ANN, projectId=1)
        server.call("taiga_set_active_project", BEN, projectId=2)
        made = server.call("taiga_create_issue", BEN, subject="A leak", projectId=1)
        nobody = server.call("taiga_list_projects", EVE)
        unknown = server.post("tools/list", headers={"Authorization": "Bearer guess"})
    with taiga_over_http(workspace) as server:  # a project stays chosen
        active = [server.call("taiga_get_project", one, fields=["name"]) for one in (ANN, BEN)]
        owner = server.call("taiga_get_issue", ANN, id=8, fields=["createdBy"])

    assert "Old pier" in of_ann and "Old pier" not in of_ben and "Ferry" in of_ben
    assert not made.startswith("Error"), made
    assert (["Harbour" in one for one in active], ["Ferry" in one for one in active]) == (
        *([True, False],),
        [False, True],
    )
    assert "Bob Quay" in owner
    assert nobody.startswith("Error [CONFIGURATION_ERROR]: No Taiga address is set."), nobody
    assert unknown.status_code == 401
    assert [one.path for one in site.app.seen].count("auth") == 2  # the two logins, and no other


def test_whoever_is_refused_the_account_of_another_is_told_how_to_get_one_and_needs_no_restart(
    site: TaigaServer, workspace: Path
) -> None:
    account = {"LACONIC_TAIGA_URL": site.url, "LACONIC_TAIGA_USERNAME": "alice"}
    with taiga_over_http(workspace, LACONIC_TAIGA_PASSWORD=PASSWORD, **account) as server:
        first, refused = (server.call("taiga_list_projects", one) for one in (ANN, BEN))
        advised = re.search(r"'laconic (taiga login .*?)'", refused)
        assert advised is not None, refused
        *login, caller = shlex.split(advised[1])
        assert login == ["taiga", "login", "--caller"]
        sign_in(workspace, site, caller, "bob")
        own = server.call("taiga_list_projects", BEN)
    assert "Old pier" in first
    assert refused.startswith("Error [PERMISSION_DENIED]: This server has one Taiga account")
    assert "Ferry" in own and "Old pier" not in own


def until_refused(server: Web) -> str:
    end = time.monotonic() + 60
    while True:
        text = server.call("taiga_list_projects", ANN)
        if text.startswith("Error") or time.monotonic() > end:
            return text
        time.sleep(0.2)


def test_whoever_signs_out_is_signed_out_of_a_running_server_too(site: TaigaServer, workspace: Path) -> None:
    sign_in(workspace, site, "token|ann", "alice")
    with taiga_over_http(workspace) as server:
        before = server.call("taiga_list_projects", ANN)
        who = run("taiga", "whoami", "--caller", "token|ann", folder=workspace)
        out = run("taiga", "logout", "--caller", "token|ann", folder=workspace)
        twice = run("taiga", "logout", "--caller", "token|ann", folder=workspace)
        after = until_refused(server)
    assert "Old pier" in before and who.stdout == f"alice (Alice Harper) at {site.root}\n"
    assert (out.stdout, twice.stdout) == (f"Signed out of {site.root}.\n", "Nobody was signed in.\n")
    assert after.startswith("Error [") and "Nobody is signed in." in after, after
