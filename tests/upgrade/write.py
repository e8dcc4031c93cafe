"""Writes what a released version leaves behind, for the upgrade test: `python -m tests.upgrade.write 0.1.0`.

Run it once, by hand, for each version that `benchmarks/baseline.py` names; the folder it makes is committed.
A real process of that version writes everything; absolute paths become `{workspace}`, `{state}`, `{laconic}`.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.baseline import checkout
from benchmarks.programs import Program, Tree, environment, serving

HERE = Path(__file__).resolve().parent
BUDGET = 1_000  # characters of an answer: a short text is long enough to be kept
NOISE = 257  # texts; from here on 0.1.0 keeps them in a file for searching
NOUNS = ("cellar", "gate", "roof", "tower", "bridge", "harbour", "mill", "Café")
MEMOS = 4
TOOLSET = "tests.upgrade.counting:numbers"
HOST = (
    '{"mcpServers": {"laconic": {"command": "another-server"}}}'  # undoing needs the record to lead back here
)
_CURSOR = re.compile(r"cursor '([^']+)'")
_HANDLE = re.compile(r"handle='([^']+)'")
_NAMED = re.compile(r"\b(?:(?:ISS|SPEC|IDEA)-\d{6}|(?:memo|number)-\d+)\b")


def named_in(text: str) -> list[str]:
    """The ids and names in an answer, in order."""
    return list(dict.fromkeys(_NAMED.findall(text)))


class Writer:
    """One version at work in a folder of its own."""

    def __init__(self, tree: Tree, base: Path) -> None:
        self.tree = tree
        self.base = base
        self.workspace, self.state, self.cache = (base / name for name in ("workspace", "state", "cache"))
        self.workspace.mkdir()
        self.given: dict[str, Any] = {"version": tree.name, "budget": BUDGET}

    @contextmanager
    def serving(self, *servers: str, cache: str = "cache") -> Iterator[Program]:
        command = self.tree.serve(*servers, "--workspace", str(self.workspace))
        more = self._variables() | {"LACONIC_CACHE": str(self.base / cache)}
        with serving(command, self.base, more=more) as program:
            yield program

    def install(self) -> None:
        """Have a host's file changed that was there before."""
        path = self.workspace / ".cursor" / "mcp.json"
        path.parent.mkdir()
        path.write_text(HOST, encoding="utf-8")
        self.given["host"] = {"name": "cursor", "file": ".cursor/mcp.json", "before": HOST}
        words = ["-P", "-m", "laconic", "install", "cursor", "--scope", "project"]
        command = [str(self.tree.python), *words, "--workspace", str(self.workspace)]
        subprocess.run(command, env=environment(self.base) | self._variables(), cwd=self.base, check=True)

    def _variables(self) -> dict[str, str]:
        places = {"LACONIC_STATE": str(self.state), "LACONIC_CACHE": str(self.cache)}
        return self.tree.variables | places | {"LACONIC_BUDGET": str(BUDGET)}


def main() -> int:
    version = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        writer = Writer(checkout(version), Path(folder).resolve())
        writer.install()
        with writer.serving("issues", "example") as program:
            _write(program, writer.given)
        _keep_texts(writer)
        with writer.serving("issues", "example") as program:
            _ask(program, writer.given)
        # its cache names the files of this checkout
        with writer.serving(TOOLSET, cache="other-cache") as program:
            writer.given["cursors"].append(_paged(program, "number_list", {"limit": 3}))
        writer.given["written"] = time.time()
        _collect(writer, HERE / version)
    return 0


def _call(program: Program, tool: str, **arguments: Any) -> str:
    answer = program.ask("tools/call", name=tool, arguments=arguments)
    text = "\n".join(block["text"] for block in answer["content"])
    if answer.get("isError"):
        raise SystemExit(f"{tool}: {text}")
    return text


def _write(program: Program, given: dict[str, Any]) -> None:
    """Issues, memos and a session; the last number was given to an issue that is gone."""
    for number, noun in enumerate(NOUNS):
        more = {"labels": ["house"], "assignee": "ann"} if number % 2 else {"blockedBy": []}
        text = f"Look after the {noun} before winter.\n\nStraße {number}."
        _call(program, "issues_create", title=f"Repair the {noun}", description=text, **more)
    for number, noun in enumerate(NOUNS[:MEMOS]):
        _call(program, "memo_create", name=f"memo-{number}", title=noun, body=f"About the {noun}.")
    _call(program, "issues_mark_complete", id="ISS-000002", note="Done.")
    parts = "\n\n".join(f"## Part {number}\n\n" + f"Sentence {number} of it. " * 15 for number in range(8))
    _call(program, "issues_create", title="The house", description=parts, type="specification")
    given["keys"] = [
        _keyed(program, "issues_create", idempotencyKey="door", title="Paint the door", description="Green."),
        _keyed(program, "memo_create", idempotency_key="door", name="memo-90", title="Door", body="Green."),
    ]
    gone = named_in(_call(program, "issues_create", title="Gone", description="Gone."))[0]
    _call(program, "issues_delete", id=gone, confirm=True)
    given["gone"] = gone
    session = _call(program, "session_start", specFile="SPEC-000001")
    given["session"] = session.partition("\n")[0].rpartition(" ")[2]
    _call(program, "session_phase", sessionId=given["session"], phase="plan", status="complete")
    tasks = {"tasksCompleted": ["plan"], "tasksPending": ["build"]}
    said = {"lastAction": "Planned.", "resumeInstructions": "Build the cellar."}
    _call(program, "session_checkpoint", sessionId=given["session"], **tasks, **said)


def _keyed(program: Program, tool: str, **arguments: Any) -> dict[str, Any]:
    made = named_in(_call(program, tool, **arguments))[0]
    return {"tool": tool, "arguments": arguments, "made": made}


def _keep_texts(writer: Writer) -> None:
    """Have so many texts searched that they are kept in a file; most of them go again."""
    folder = writer.workspace / ".wrangler" / "ideas"
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"IDEA-{number:06d}-x.md" for number in range(1, NOISE + 1)]
    for path in paths:
        path.write_text(f"---\nid: {path.name[:11]}\ntitle: x\n---\nx\n", encoding="utf-8")
    with writer.serving("issues", "example") as program:
        _call(program, "issues_search", query="winter")
    for path in paths:
        path.unlink()


def _ask(program: Program, given: dict[str, Any]) -> None:
    """Cursors of every kind, and an answer too long to be sent."""
    questions: list[tuple[str, dict[str, Any]]] = [
        ("issues_list", {"limit": 3}),
        ("issues_list", {"limit": 2, "labels": ["house"], "status": ["open"]}),
        ("issues_list", {"limit": 2, "ready": True}),
        ("issues_search", {"limit": 3, "query": "winter"}),
        ("issues_search", {"limit": 3, "query": "winter", "sortBy": "created", "sortOrder": "desc"}),
        ("memo_list", {"limit": 2}),
        ("memo_list", {"limit": 1, "text": "About"}),
    ]
    given["cursors"] = [_paged(program, tool, arguments) for tool, arguments in questions]
    given["issues"] = sorted(named_in(_call(program, "issues_list", limit=100)))
    given["memos"] = sorted(named_in(_call(program, "memo_list", limit=100)))
    given["found"] = {query: _found(program, query) for query in ("winter", "strasse 3", "CAFÉ")}
    shown = _call(program, "issues_get", id="SPEC-000001")
    match = _HANDLE.search(shown)
    assert match, shown
    whole = ""
    while part := _slice(program, match[1], len(whole)):
        whole += part
    given["handle"] = {"handle": match[1], "tool": "issues_get", "id": "SPEC-000001", "whole": whole}


def _paged(program: Program, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    page = _call(program, tool, **arguments)
    match = _CURSOR.search(page)
    assert match, page
    leads_to = named_in(_call(program, tool, cursor=match[1], limit=3))
    return {"tool": tool, "asked": arguments, "cursor": match[1], "limit": 3, "leads_to": leads_to}


def _found(program: Program, query: str) -> list[str]:
    return sorted(named_in(_call(program, "issues_search", query=query)))


def _slice(program: Program, handle: str, first: int) -> str:
    arguments = {"handle": handle, "characters": f"{first}-"}
    answer = program.ask("tools/call", name="read_on", arguments=arguments)
    if answer.get("isError"):  # beyond the end
        return ""
    text: str = answer["content"][0]["text"]
    return text


def _collect(writer: Writer, target: Path) -> None:
    """Copy what was written, with no path of this machine in it."""
    for found in (*writer.state.glob("workspace-*"), *(writer.cache / "issues").glob("workspace-*")):
        found.rename(found.with_name("workspace"))
    files = [path for path in sorted(writer.workspace.rglob("*")) if path.is_file()]
    writer.given["changed"] = {
        path.relative_to(writer.workspace).as_posix(): path.stat().st_mtime_ns for path in files
    }
    shutil.rmtree(target, ignore_errors=True)
    for folder in (writer.workspace, writer.state, writer.cache):
        shutil.copytree(folder, target / folder.name)
    named = {"workspace": writer.workspace, "state": writer.state, "laconic": writer.tree.root}
    for path in [path for path in target.rglob("*") if path.is_file()]:
        data = path.read_bytes()
        if b"\0" not in data:
            for name, folder in named.items():
                data = data.replace(str(folder).encode(), b"{%s}" % name.encode())
            path.write_bytes(data)
        if str(writer.base).encode() in data or str(Path.home()).encode() in data:
            raise SystemExit(f"{path.name} names a folder of this machine")
    text = json.dumps(writer.given, indent=1, ensure_ascii=False) + "\n"
    (target / "given.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
