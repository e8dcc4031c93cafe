"""The same call under the same key is carried out once."""

import asyncio
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import mcp_types as t
import pytest
from pydantic import BaseModel, SecretStr

from laconic.kit import Conflict, Endpoint, Failure, Peer, Settings, Toolset
from laconic.kit.keeping.frozen import unpacked
from laconic.kit.peer import Caller, SilentPeer
from laconic.kit.pipeline import Answer
from laconic.kit.testing import ERAS, FakeClock, connect
from laconic.stores import MemoryStore
from laconic.stores.keyvalue.sqlite import SqliteStore
from tests.toolsets.workshop import workshop


class Outbox:
    """Messages sent, and how the next one behaves."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.fail: BaseException | None = None
        self.wait = 0.0


def _post(outbox: Outbox) -> Toolset:
    post = Toolset("post")

    @post.create(hint="post_list", deadline=1)
    async def post_send(text: Annotated[str, "What to say."], to: Annotated[str, "Whom."] = "all") -> str:
        """Send a message."""
        if outbox.fail is not None:
            raise outbox.fail
        outbox.sent.append(text)
        await asyncio.sleep(outbox.wait)
        return f"Sent as number {len(outbox.sent)}."

    return post


async def _send(endpoint: Endpoint, peer: SilentPeer | None = None, **arguments: Any) -> Answer:
    return await endpoint.call_tool("post_send", arguments, peer or SilentPeer())


@pytest.mark.parametrize("era", ERAS)
async def test_the_same_key_is_carried_out_once_and_says_that_it_was_before(era: str) -> None:
    async with connect(workshop, era=era) as client:
        first = await client.call("job_create", title="Sand the lid", idempotencyKey="k1")
        second = await client.call("job_create", title="Sand the lid", idempotencyKey="k1")
        found = await client.send("jobs_search", {"type": "text", "query": "sand the lid"})
    assert second.text.startswith(first.text)
    assert "first answer again" in second.text
    assert not second.failed
    assert found.text.startswith("1 job:")


async def test_another_key_is_another_call() -> None:
    outbox = Outbox()
    endpoint = Endpoint([_post(outbox)])
    await _send(endpoint, text="a", idempotency_key="1")
    await _send(endpoint, text="a", idempotency_key="2")
    await _send(endpoint, text="a")
    assert len(outbox.sent) == 3


async def test_other_arguments_under_the_same_key_are_refused_with_the_difference() -> None:
    outbox = Outbox()
    endpoint = Endpoint([_post(outbox)])
    await _send(endpoint, text="a", idempotency_key="k")
    answer = await _send(endpoint, text="b", to="ann", idempotency_key="k")
    assert isinstance(answer.failure, Conflict)
    assert "text, to differs (text was 'a', now 'b')." in answer.text
    assert outbox.sent == ["a"]


async def test_values_that_look_alike_when_they_are_short_differ_by_their_digests() -> None:
    endpoint = Endpoint([_post(Outbox())])
    await _send(endpoint, text="a" * 70 + "b", idempotency_key="k")
    answer = await _send(endpoint, text="a" * 70 + "c", idempotency_key="k")
    short = f"'{'a' * 40}…' (71 characters)"
    said = re.search(r"text differs \(text was (.*) #(\w{12}), now (.*) #(\w{12})\)\.", answer.text)
    assert said is not None
    assert said[1] == said[3] == short and said[2] != said[4]


async def test_two_at_once_run_once_and_both_get_the_answer() -> None:
    outbox = Outbox()
    outbox.wait = 0.1
    endpoint = Endpoint([_post(outbox)])
    answers = await asyncio.gather(*(_send(endpoint, text="a", idempotency_key="k") for _ in range(5)))
    assert outbox.sent == ["a"]
    assert all(answer.text.startswith("Sent as number 1.") for answer in answers)


async def test_a_failure_that_changed_nothing_is_not_kept() -> None:
    outbox = Outbox()
    outbox.fail = Failure("The post is closed.", code="UNAVAILABLE", changed=False)
    endpoint = Endpoint([_post(outbox)])
    assert (await _send(endpoint, text="a", idempotency_key="k")).failure is not None
    outbox.fail = None
    answer = await _send(endpoint, text="a", idempotency_key="k")
    assert answer.text == "Sent as number 1."


async def test_wrong_arguments_do_not_use_up_the_key() -> None:
    outbox = Outbox()
    endpoint = Endpoint([_post(outbox)])
    assert (await _send(endpoint, txt=1, idempotency_key="k")).failure is not None
    assert (await _send(endpoint, text="a", idempotency_key="k")).failure is None


@pytest.mark.parametrize("fault", [RuntimeError("bug"), Failure("Half done.", changed=True)])
async def test_after_a_fault_in_the_middle_the_key_says_that_it_is_not_known(fault: BaseException) -> None:
    outbox = Outbox()
    outbox.fail = fault
    endpoint = Endpoint([_post(outbox)])
    await _send(endpoint, text="a", idempotency_key="k")
    outbox.fail = None
    answer = await _send(endpoint, text="a", idempotency_key="k")
    assert answer.failure is not None
    assert "it is not known whether it took effect" in answer.text
    assert "Check with post_list" in answer.text
    assert outbox.sent == []


async def test_a_call_stopped_by_its_deadline_is_not_carried_out_twice() -> None:
    outbox = Outbox()
    outbox.wait = 5
    endpoint = Endpoint([_post(outbox)])
    assert (await _send(endpoint, text="a", idempotency_key="k")).text.startswith("Error [TIMEOUT]")
    outbox.wait = 0
    answer = await _send(endpoint, text="a", idempotency_key="k")
    assert "it is not known" in answer.text
    assert outbox.sent == ["a"]


async def test_keys_belong_to_their_caller() -> None:
    outbox = Outbox()
    endpoint = Endpoint([_post(outbox)])
    await _send(endpoint, SilentPeer(Caller("ann")), text="a", idempotency_key="k")
    answer = await _send(endpoint, SilentPeer(Caller("bob")), text="b", idempotency_key="k")
    assert answer.failure is None
    assert outbox.sent == ["a", "b"]


async def test_a_key_survives_a_restart() -> None:
    outbox, store = Outbox(), MemoryStore()
    await _send(Endpoint([_post(outbox)], state=store), text="a", idempotency_key="k")
    answer = await _send(Endpoint([_post(outbox)], state=store), text="a", idempotency_key="k")
    assert "first answer again" in answer.text
    assert outbox.sent == ["a"]


class Label(BaseModel):
    name: str
    colours: frozenset[str]


@dataclass
class Shelf:
    label: Label


async def _label(state: str) -> None:
    """Make one call with sets among its arguments, and print the answer."""
    labels = Toolset("labels")

    @labels.create
    async def labels_put(
        tags: Annotated[set[str], "The tags."],
        label: Annotated[Label, "One."],
        shelf: Annotated[Shelf, "Where."],
    ) -> str:
        """Put labels."""
        return "Put."

    endpoint = Endpoint([labels], state=SqliteStore(Path(state)))
    words = [f"word {number}" for number in range(20)]
    label = {"name": "a", "colours": words}
    arguments = {"tags": words, "label": label, "shelf": {"label": label}, "idempotency_key": "k"}
    print((await endpoint.call_tool("labels_put", arguments, SilentPeer())).text)
    await endpoint.close()


def test_a_key_survives_a_restart_though_sets_have_another_order_then(tmp_path: Path) -> None:
    work = f"import asyncio; from {__name__} import _label; asyncio.run(_label({str(tmp_path / 'state')!r}))"
    said = [
        subprocess.run(
            [sys.executable, "-c", work],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert said[0] == "Put.\n"
    assert "first answer again" in said[1]


async def test_another_set_under_the_same_key_is_refused() -> None:
    labels = Toolset("labels")

    @labels.create
    async def labels_put(label: Annotated[Label, "One."], tags: Annotated[set[str], "Some."]) -> str:
        """Put labels."""
        return "Put."

    async def differs(label: list[str], tags: list[str]) -> bool:
        arguments = {"label": {"name": "a", "colours": label}, "tags": tags, "idempotency_key": "k"}
        answer = await endpoint.call_tool("labels_put", arguments, SilentPeer())
        return "was used for another call" in answer.text

    endpoint = Endpoint([labels])
    assert not await differs(["red"], ["a", "b"])
    assert not await differs(["red"], ["b", "a"])
    assert await differs(["red"], ["a"])
    assert await differs(["red", "blue"], ["a", "b"])


@pytest.mark.requirement("003-8.4")
async def test_a_key_is_kept_for_a_day() -> None:
    outbox, clock = Outbox(), FakeClock()
    endpoint = Endpoint([_post(outbox)], state=MemoryStore(now=clock))
    sent: list[int] = []
    for hours in (0, 23.9, 0.2):
        clock.forward(hours * 3600)
        await _send(endpoint, text="a", idempotency_key="k")
        sent.append(len(outbox.sent))
    assert sent == [1, 1, 2]


@pytest.mark.requirement("003-8.8")
async def test_another_tool_may_use_the_same_key() -> None:
    outbox = Outbox()
    post = _post(outbox)

    @post.create
    async def post_draft(text: Annotated[str, "What to say."]) -> str:
        """Keep a draft."""
        outbox.sent.append(f"draft of {text}")
        return "Kept."

    endpoint = Endpoint([post])
    await _send(endpoint, text="a", idempotency_key="k")
    answer = await endpoint.call_tool("post_draft", {"text": "a", "idempotency_key": "k"}, SilentPeer())
    assert answer.text == "Kept."
    assert outbox.sent == ["a", "draft of a"]


async def test_the_key_is_listed_on_creates_only() -> None:
    async with connect(workshop) as client:
        listed = {tool["name"]: tool["inputSchema"]["properties"] for tool in await client.tools()}
    having = {name for name, properties in listed.items() if "idempotencyKey" in properties}
    assert having == {"job_create", "jobs_import"}


async def test_an_equal_create_is_questioned_when_the_guard_is_on() -> None:
    outbox = Outbox()
    endpoint = Endpoint([_post(outbox)], settings=Settings(repeats=60))
    await _send(endpoint, text="a", idempotency_key="first")
    answer = await _send(endpoint, text="a", idempotency_key="minted again")
    assert answer.failure is not None
    assert (
        "You made the same call 1 s ago, and it was done: “Sent as number 1.”. Do you want a second one?"
        in answer.text
    )
    assert (await _send(endpoint, text="b")).failure is None
    assert (await _send(endpoint, text="a", again=True)).failure is None
    assert outbox.sent == ["a", "b", "a"]


async def test_the_guard_is_off_unless_asked_for() -> None:
    outbox = Outbox()
    endpoint = Endpoint([_post(outbox)])
    await _send(endpoint, text="a")
    await _send(endpoint, text="a")
    assert outbox.sent == ["a", "a"]


@pytest.mark.parametrize("era", ERAS)
async def test_a_keyed_create_may_ask_the_user_first(era: str) -> None:
    made: list[str] = []
    asking = Toolset("asking")

    @asking.create
    async def asking_make(peer: Peer) -> str:
        """Make something after asking for its name."""
        form = {"type": "object", "properties": {"name": {"type": "string"}}}
        question = {"mode": "form", "message": "Name?", "requestedSchema": form}
        replies = await peer.ask({"name": ("elicitation/create", question)})
        made.append(replies["name"]["content"]["name"])
        return f"Made {made[-1]}."

    async def answer(context: Any, params: Any) -> t.ElicitResult:
        return t.ElicitResult(action="accept", content={"name": "a chair"})

    async with connect(asking, era=era, answer=answer) as client:
        first = await client.call("asking_make", idempotency_key="k")
        second = await client.call("asking_make", idempotency_key="k")
    assert first.text == "Made a chair."
    assert second.text.startswith("Made a chair.\n\nNote: Already done")
    assert made == ["a chair"]


@pytest.mark.parametrize(("case", "key"), [("snake", "idempotency_key"), ("camel", "idempotencyKey")])
async def test_a_refused_key_is_named_as_the_tool_names_it(case: Any, key: str) -> None:
    shop = Toolset("shop", case=case)
    goes_on = asyncio.Event()

    @shop.create(deadline=0.2)
    async def shop_open(name: str) -> str:
        """Open a shop."""
        await goes_on.wait()
        return "Opened."

    endpoint = Endpoint([shop])

    async def refused(**arguments: str) -> str | None:
        answer = await endpoint.call_tool("shop_open", arguments, SilentPeer())
        assert answer.failure is not None
        return answer.meta["laconic/error"]["field"]  # type: ignore[no-any-return]

    first = asyncio.ensure_future(endpoint.call_tool("shop_open", {"name": "north", key: "k"}, SilentPeer()))
    await asyncio.sleep(0.01)
    assert await refused(name="north", **{key: "k"}) == key  # in progress
    assert (await first).failure is not None  # it took too long
    assert await refused(name="north", **{key: "k"}) == key  # interrupted
    assert await refused(name="south", **{key: "k"}) == key  # used for another call
    assert await refused(name="north", **{key: "k" * 256}) == key  # too long


async def test_a_second_call_that_waits_too_long_is_told_to_come_back() -> None:
    outbox = Outbox()
    outbox.wait = 0.9
    endpoint = Endpoint([_post(outbox)])
    first, second = await asyncio.gather(*(_send(endpoint, text="a", idempotency_key="k") for _ in range(2)))
    assert first.text == "Sent as number 1."
    assert "is still in progress. Retry after 1 s." in second.text
    assert "first answer again" in (await _send(endpoint, text="a", idempotency_key="k")).text


class Login(BaseModel):
    """A name with its secret."""

    name: str
    pin: SecretStr


@dataclass
class Door:
    """A door with its code."""

    code: SecretStr


async def test_another_secret_under_the_same_key_is_refused_without_being_shown() -> None:
    safe = Toolset("safe")

    @safe.create
    async def safe_lock(
        pin: Annotated[SecretStr, "One."],
        login: Annotated[Login, "Whose."],
        codes: Annotated[set[SecretStr], "Some."],
        door: Annotated[Door, "Which."],
        keys: Annotated[dict[str, SecretStr], "By name."],
    ) -> str:
        """Lock the safe."""
        return "Locked."

    async def said(pin: str = "p-1", login: str = "l-1", codes: str = "ab", door: str = "d-1") -> str:
        arguments = {
            "pin": pin,
            "login": {"name": "ann", "pin": login},
            "codes": [f"c-{one}" for one in codes],
            "door": {"code": door},
            "keys": {"a": "x", "b": "y"} if codes == "ab" else {"b": "y", "a": "x"},
            "idempotency_key": "k",
        }
        return (await endpoint.call_tool("safe_lock", arguments, SilentPeer())).text

    state = MemoryStore()
    endpoint = Endpoint([safe], state=state)
    assert await said() == "Locked."
    assert "first answer again" in await said(codes="ba")
    refused = [await said(pin="p-2"), await said(login="l-2"), await said(codes="ac"), await said(door="d-2")]
    told = [re.search(r"(\w+) differs", one) for one in refused]
    assert [one and one[1] for one in told] == ["pin", "login", "codes", "door"]
    assert not any(re.search(r"\b[plcd]-\w\b", one) for one in refused)
    kept = [await state.get(key) or b"" for key in await state.keys("replay:")]
    assert kept and not any(re.search(rb"\b[plcd]-\w\b", one) for one in kept)


async def test_the_digest_of_a_secret_depends_on_the_key() -> None:
    safe = Toolset("safe")

    @safe.create
    async def safe_lock(pin: Annotated[SecretStr, "One."]) -> str:
        """Lock the safe."""
        return "Locked."

    state = MemoryStore()
    endpoint = Endpoint([safe], state=state)
    for key in "ab":
        await endpoint.call_tool("safe_lock", {"pin": "1234", "idempotency_key": key}, SilentPeer())
    kept = [unpacked(await state.get(key) or b"")["arguments"]["pin"] for key in await state.keys("replay:")]
    assert len(set(kept)) == 2
