"""The product's own command on every transport, called by the SDK's client: it answers as in memory."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from laconic.kit.contract import Contract, Trial
from laconic.kit.testing import ERAS, Reply
from tests.contract import test_example, test_issues
from tests.process.speaking import COMMAND, environment, listening

CONTRACTS: tuple[Contract, ...] = (test_example.contract, test_issues.contract)
SERVERS = ("example", "issues")


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    test_example.workspace(folder)
    test_issues.workspace(folder)
    return folder


@asynccontextmanager
async def connected(over: str, era: str, folder: Path) -> AsyncIterator[Client]:
    if over == "http":
        with listening(*SERVERS, folder=folder) as server:
            async with Client(server.url, mode=era) as client:
                yield client
        return
    command, *words = COMMAND
    home = environment(folder.parent / "home", LACONIC_WIRE=over)
    starting = StdioServerParameters(command=command, args=[*words, "serve", *SERVERS], env=home, cwd=folder)
    with TemporaryFile("w+", encoding="utf-8") as errors:
        async with Client(stdio_client(starting, errlog=errors), mode=era) as client:
            yield client
        errors.seek(0)
        assert errors.read() == ""


def calls() -> list[tuple[Contract, str, dict[str, Any]]]:
    """Every call that changes nothing: samples of reads, and all that must fail."""
    found = []
    for contract in CONTRACTS:
        for spec in contract.specs():
            given = [contract.samples[spec.name]] if spec.hints.read_only else []
            found += [
                (contract, spec.name, dict(one)) for one in [*given, *contract.failing.get(spec.name, ())]
            ]
    return found


async def told(client: Client) -> object:
    """What a client is told of the server before it calls anything."""
    lists = [await client.list_tools(), await client.list_prompts(), await client.list_resource_templates()]
    about = (client.server_info, client.server_capabilities, client.instructions)
    return about, [one.model_dump(mode="json") for one in lists]


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.requirement("003-11.1")
async def test_a_server_in_its_own_process_answers_as_in_memory_on_every_transport(
    era: str, workspace: Path, subtests: pytest.Subtests
) -> None:
    here = [(tool, given, await in_memory(contract, tool, given, era)) for contract, tool, given in calls()]
    first: object = None
    for over in ("lean", "sdk", "http"):
        async with connected(over, era, workspace) as client:
            with subtests.test("what is told of the server", over=over):
                about = await told(client)
                first = first or about
                assert about == first
            for tool, arguments, (trial, answer) in here:
                with subtests.test(tool, over=over, arguments=arguments):
                    assert trial.steady(Reply(await client.call_tool(tool, arguments))) == answer


async def in_memory(contract: Contract, tool: str, arguments: dict[str, Any], era: str) -> tuple[Trial, str]:
    async with contract.trial(tool, era=era) as trial:
        return trial, trial.steady(await trial.send(arguments))
