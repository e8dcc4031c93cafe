"""`laconic serve … --http`: the library over REST beside the tools, in real processes."""

from pathlib import Path

import httpx2

from tests.process.speaking import PATIENCE, listening, run

TOKEN = "a-token-for-the-tests"


def test_what_the_api_saves_the_tools_read_and_the_other_way_round(workspace: Path) -> None:
    with listening("prompts", "notes", folder=workspace) as server:
        with httpx2.Client(base_url=server.url.removesuffix("/mcp"), timeout=PATIENCE) as api:
            made = api.post("/api/prompts/", json={"name": "greet", "content": "Hello {{ name }}."})
            assert made.status_code == 201
            assert "Hello {{ name }}." in server.call("get_prompt_template", name="greet")

            server.call("edit_prompt_template", name="greet", old_str="Hello", new_str="Good day")
            read = api.get("/api/prompts/name/greet")
            assert read.json()["content"] == "Good day {{ name }}."
            stale = api.patch(
                "/api/prompts/name/greet", json={"title": "x"}, headers={"If-Match": made.headers["etag"]}
            )
            assert stale.status_code == 412

            sources = [entry["source"] for entry in api.get("/api/history/").json()["items"]]
            assert sources == ["mcp", "api"]
        assert "Traceback" not in server.stderr


def test_with_a_token_the_api_wants_it_and_other_sites_are_refused(workspace: Path) -> None:
    with listening("prompts", folder=workspace, LACONIC_TOKEN=TOKEN) as server:
        with httpx2.Client(base_url=server.url.removesuffix("/mcp"), timeout=PATIENCE) as api:
            body, own = {"name": "a", "content": "x"}, {"Authorization": f"Bearer {TOKEN}"}
            missing = api.post("/api/prompts/", json=body)
            foreign = api.post("/api/prompts/", json=body, headers=own | {"Origin": "https://evil.example"})
            allowed = api.post("/api/prompts/", json=body, headers=own)

        assert (missing.status_code, foreign.status_code, allowed.status_code) == (401, 403, 201)
        assert missing.headers["www-authenticate"].startswith("Bearer ")
        assert missing.json()["detail"] == "A token is needed."


def test_a_server_without_the_library_has_no_api(workspace: Path) -> None:
    with listening("example", folder=workspace) as server:
        base = server.url.removesuffix("/mcp")
        assert httpx2.get(f"{base}/api/prompts/", timeout=PATIENCE).status_code == 404


def test_a_token_from_the_command_line_opens_a_running_server_until_it_is_revoked(workspace: Path) -> None:
    with listening("prompts", folder=workspace, LACONIC_TOKEN=TOKEN) as server:
        made = run("tokens", "create", "my-script", "--days", "7", folder=workspace)
        assert made.returncode == 0, made.stderr
        own = {"Authorization": f"Bearer {made.stdout.strip()}"}
        address = f"{server.url.removesuffix('/mcp')}/api/prompts/"

        assert httpx2.get(address, headers=own, timeout=PATIENCE).status_code == 200
        assert httpx2.post(address, json={}, headers=own, timeout=PATIENCE).status_code == 403
        assert "There are no prompts." in server.call("search_prompts", headers=own)
        listed = run("tokens", "list", folder=workspace).stdout
        assert made.stdout[:12] in listed and "my-script" in listed and made.stdout.strip() not in listed

        done = run("tokens", "revoke", made.stdout[:12], folder=workspace)
        assert done.stdout == "my-script is revoked.\n"
        assert httpx2.get(address, headers=own, timeout=PATIENCE).status_code == 401
        again = run("tokens", "revoke", made.stdout[:12], folder=workspace)
        assert again.returncode == 1 and "not found" in again.stderr
