"""The servers compared over stdio: Laconic on both wires, the bare SDK, Node, and a minimal Python loop."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmarks.issues_workspace import fill
from benchmarks.programs import LEGACY, MODERN, ROOT, Program, bare, laconic, serve, serving

__all__ = ["ECHO", "ERAS", "NAMES", "SDK", "Servers", "call", "supports"]

NAMES: Final = {
    "laconic": "Laconic",
    "sdk": "Laconic, the SDK's wire",
    "bare": "bare SDK",
    "node": "Node",
    "loop": "hand-written loop",
}
ERAS: Final = {"legacy": LEGACY, "modern": MODERN}
ECHO: Final[tuple[str, Mapping[str, Any]]] = ("echo", {"text": "hello"})
SDK: Final = "1.32.2"
_NODE: Final = ROOT / ".cache" / "bench-node"


class Servers(NamedTuple):
    """The commands of the servers, which list the tools of the issues server or of the small toolset."""

    home: Path
    empty: Path
    many: Path
    node: Path

    @classmethod
    def ready(cls, home: Path, count: int) -> Servers:
        """Install Node, and create an empty workspace and one of `count` issues with a stored index."""
        made = cls(home, home / "empty", home / "many", _node())
        made.empty.mkdir()
        made.many.mkdir()
        fill(made.many, count)
        _write(made.listing("issues"), made.issues(made.empty), home)
        _write(made.listing("small"), laconic("small"), home)
        with serving(made.issues(made.many), home) as program:
            call(program, "issues_list", {})
        return made

    def listing(self, name: str) -> Path:
        """Return the file of the tools that Laconic lists, for the others to list."""
        return self.home / f"{name}.json"

    def issues(self, workspace: Path, *flags: str) -> list[str]:
        """Return the command of the issues server on a workspace."""
        return serve("issues", "--workspace", str(workspace), *flags)

    def commands(self, listed: str) -> dict[str, list[str]]:
        """Return each server's command; all list the same tools."""
        file = str(self.listing(listed))
        ours = self.issues(self.empty) if listed == "issues" else laconic(listed)
        return {
            "laconic": ours,
            "sdk": [*ours, "--wire", "sdk"],
            "bare": bare("stdio", "small", file),
            "node": [str(self.node), str(_NODE / "server.mjs"), file],
            "loop": [sys.executable, "-P", "-m", "benchmarks.loop", file],
        }


def supports(name: str, era: str) -> bool:
    """True if a server supports an era; this version of the TypeScript SDK only supports the first."""
    return name != "node" or era == "legacy"


def call(program: Program, tool: str, arguments: Mapping[str, Any]) -> bytes:
    """Call a tool; anything but an answer raises."""
    answer = program.exchange(program.request("tools/call", name=tool, arguments=arguments))
    if b'"isError":true' in answer or b'"error":' in answer:
        raise RuntimeError(f"no answer to {tool}: {answer[:200]!r}")
    return answer


def _node() -> Path:
    """Return the Node program, after installing it and the TypeScript SDK if they are missing."""
    words = ["scripts/node", str(_NODE.relative_to(ROOT)), f"@modelcontextprotocol/sdk@{SDK}"]
    subprocess.run(words, cwd=ROOT, check=True)
    # Node looks for packages next to the file.
    shutil.copyfile(ROOT / "benchmarks" / "node_server.mjs", _NODE / "server.mjs")
    return _NODE / "node_modules" / ".bin" / "node"


def _write(file: Path, command: Sequence[str], home: Path) -> None:
    with serving(command, home) as program:
        pages = program.list_tools()
    tools = [tool for page in pages for tool in json.loads(page)["result"]["tools"]]
    file.write_text(json.dumps(tools), encoding="utf-8")
