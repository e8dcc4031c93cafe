"""The tools of the profile `classic` that are one operation each."""

from functools import partial
from typing import Any

from laconic.servers.google.classic.arguments import ClassicArguments
from laconic.servers.google.classic.lists import ITEMS, run_list
from laconic.servers.google.classic.running import run_tool
from laconic.servers.google.classic.tools import ClassicTool, classic_tools
from laconic.servers.google.tools.ids import subject_of
from laconic.servers.google.tools.toolset import CLASSIC, google


def _declare(tool: ClassicTool) -> None:
    takes = ClassicArguments(tool)
    options: dict[str, Any] = {"tags": [CLASSIC], "hint": "drive_listFiles"}
    if tool.again and tool.effect == "update":
        options |= {"idempotent": False, "because": tool.again}
    file = subject_of(tool.names)
    options |= {"subject": file} if file else {}
    options["unlisted"] = [one.name for one in tool.arguments if not one.is_listed]
    options["unlisted"] += sorted(set(takes.names) - set(tool.names))
    run: Any = run_list if tool.name in ITEMS else run_tool
    google.add(tool.effect, tool.name, tool.summary, takes, partial(run, tool.name), **options)


for _tool in classic_tools().values():
    _declare(_tool)
