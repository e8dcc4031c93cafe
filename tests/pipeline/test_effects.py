"""What a failing state store, another system or a tool's own mistake says about an effect is never false."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import Annotated, Any

import pytest

from laconic.kit import (
    BadArguments,
    Bug,
    Changes,
    Conflict,
    Endpoint,
    Failure,
    NotFound,
    Page,
    RateLimited,
    Record,
    Refused,
    Settings,
    TimedOut,
    TooLarge,
    Toolset,
    UpstreamDown,
    Window,
)
from laconic.kit.peer import SilentPeer
from laconic.kit.pipeline import Answer
from laconic.kit.running import run
from laconic.kit.testing import ERAS, WIRES, Over, connect
from laconic.stores import Folder, MemoryStore, Missing, OutsideFolder, StoreDown, Taken
from laconic.stores.errors import nothing_written
from laconic.stores.keyvalue.redis import RedisStore
from laconic.stores.keyvalue.sqlite import SqliteStore
from tests.redis_server import RedisServer

NOT_KNOWN = "It is not known whether anything was changed"
NOT_RECORDED = "Note: The key could not be recorded: repeat this call only after checking."
KEY = "A call with the key 'k' was interrupted; it is not known whether it took effect."


class Letter(Record):
    id: str


class Post:
    """Letters that were sent, and what happens right after one is."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.after: Callable[[], None] = lambda: None


def _toolset(post: Post) -> Toolset:
    letters = Toolset("letters")

    @letters.create(hint="letters_count", subject="letters")
    async def letters_send(text: Annotated[str, "What to say."]) -> str:
        """Send a letter."""
        post.sent.append(text)
        post.after()
        return f"Sent letter {len(post.sent)}."

    @letters.update(subject="letters")
    async def letters_copy(count: Annotated[int, "How many."]) -> str:
        """Copy the last letter."""
        post.sent += ["copy"] * count
        post.after()
        return "\n".join(f"Copied as letter {number}." for number in range(count))

    @letters.update
    async def letters_sort() -> Page[Letter]:
        """Sort all letters."""
        post.after()
        return Page([Letter(id="a"), Letter(id="b")], next=("b",), total=3)

    @letters.read(cache=60)
    async def letters_count() -> str:
        """Count the letters."""
        return f"{len(post.sent)} letters"

    @letters.read(subject="letters")
    async def letters_read() -> str:
        """Read all letters."""
        return "\n".join(post.sent)

    return letters


class Held:
    """A SQLite store that another process can hold."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.store = SqliteStore(path, patience=0.05)
        self._holder: sqlite3.Connection | None = None

    def hold(self) -> None:
        self._holder = sqlite3.connect(self.path, isolation_level=None)
        self._holder.execute("BEGIN IMMEDIATE")

    def free(self) -> None:
        if self._holder is not None:
            self._holder.close()
            self._holder = None

    @contextmanager
    def held(self) -> Iterator[None]:
        self.hold()
        try:
            yield
        finally:
            self.free()


@pytest.fixture
def state(tmp_path: Path) -> Iterator[Held]:
    held = Held(tmp_path / "state.db")
    with closing(sqlite3.connect(held.path)):
        yield held
    held.free()


async def _call(endpoint: Endpoint, tool: str, **arguments: Any) -> Answer:
    return await endpoint.call_tool(tool, arguments, SilentPeer())


async def _send(endpoint: Endpoint, **arguments: Any) -> Answer:
    return await _call(endpoint, "letters_send", text="a", **arguments)


async def test_a_write_is_a_success_when_the_state_store_is_held_by_another_process(state: Held) -> None:
    post = Post()
    endpoint = Endpoint([_toolset(post)], state=state.store, kept=MemoryStore())
    await _call(endpoint, "letters_count")  # opens the file
    with state.held():
        answer = await _send(endpoint)
    assert answer.failure is None
    assert answer.text == (
        "Sent letter 1.\n\nNote: Cached reads may show the state before this call for a while."
    )
    assert post.sent == ["a"]


async def test_a_read_after_a_write_that_could_not_clear_the_cache_is_not_old(state: Held) -> None:
    endpoint = Endpoint([_toolset(Post())], state=state.store, kept=MemoryStore())
    before = (await _call(endpoint, "letters_count")).text
    with state.held():
        await _send(endpoint)
        during = (await _call(endpoint, "letters_count")).text
    assert [before, during, (await _call(endpoint, "letters_count")).text] == [
        "0 letters",
        "1 letters",
        "1 letters",
    ]


async def test_another_process_shows_nothing_old_after_a_write_that_never_said_it_ended(state: Held) -> None:
    post = Post()
    first, second = (
        Endpoint([_toolset(post)], state=SqliteStore(state.path, patience=0.05)) for _ in range(2)
    )
    assert (await _call(second, "letters_count")).text == "0 letters"
    post.after = state.hold  # as after a kill: that it began is recorded, that it ended is not
    assert (await _send(first)).failure is None
    state.free()
    assert (await _call(second, "letters_count")).text == "1 letters"


async def test_a_cached_read_works_while_the_store_is_down(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where a folder should be")
    endpoint = Endpoint([_toolset(Post())], state=SqliteStore(tmp_path / "state" / "state.db"))
    assert (await _call(endpoint, "letters_count")).text == "0 letters"


async def test_a_keyed_write_that_could_not_be_recorded_is_a_success_with_a_note(state: Held) -> None:
    post = Post()
    post.after = state.hold
    endpoint = Endpoint([_toolset(post)], state=state.store, kept=MemoryStore())
    first = await _send(endpoint, idempotency_key="k")
    during = await _send(endpoint, idempotency_key="k")
    state.free()
    after = await _send(endpoint, idempotency_key="k")
    elsewhere = await _send(Endpoint([_toolset(post)], state=state.store), idempotency_key="k")
    other = await _call(endpoint, "letters_send", text="other", idempotency_key="k")
    assert first.failure is None
    assert first.text.startswith("Sent letter 1.\n\n")
    assert NOT_RECORDED in first.text
    assert all(KEY in answer.text for answer in (during, after, elsewhere))
    assert "was used for another call" in other.text
    assert post.sent == ["a"]


async def test_a_key_whose_call_had_no_effect_is_free_even_if_the_store_could_not_be_told(
    state: Held,
) -> None:
    post = Post()

    def refuse() -> None:
        post.sent.clear()
        state.hold()
        raise UpstreamDown("The post office is closed.", changed=False)

    post.after = refuse
    endpoint = Endpoint([_toolset(post)], state=state.store, kept=MemoryStore())
    refused = await _send(endpoint, idempotency_key="k")
    state.free()
    post.after = lambda: None
    assert "This call changed nothing." in refused.text
    assert (await _send(endpoint, idempotency_key="k")).text == "Sent letter 1."


async def test_a_call_that_could_not_claim_its_key_changed_nothing_and_can_be_repeated(state: Held) -> None:
    post = Post()
    endpoint = Endpoint([_toolset(post)], state=state.store, kept=MemoryStore())
    await _call(endpoint, "letters_count")
    with state.held():
        refused = await _send(endpoint, idempotency_key="k")
    assert "state.db was held by another process for too long. Try again later." in refused.text
    assert "This call changed nothing." in refused.text
    assert post.sent == []
    assert (await _send(endpoint, idempotency_key="k")).text == "Sent letter 1."


@pytest.mark.needs("redis")
async def test_redis_that_dies_during_a_call_and_comes_back_empty_repeats_nothing(tmp_path: Path) -> None:
    post = Post()
    with RedisServer(tmp_path) as redis:
        endpoint = Endpoint([_toolset(post)], state=RedisStore(redis.url), kept=MemoryStore())
        post.after = redis.kill
        first = await _send(endpoint, idempotency_key="k")
        unkeyed = await _send(endpoint)
        redis.start()
        second = await _send(endpoint, idempotency_key="k")
        await endpoint.close()
    assert first.failure is None and NOT_RECORDED in first.text
    assert unkeyed.text.startswith("Sent letter 2.")
    assert KEY in second.text
    assert post.sent == ["a", "a"]


@pytest.mark.needs("redis")
async def test_redis_that_lost_a_record_during_the_call_gets_it_again(tmp_path: Path) -> None:
    post = Post()
    with RedisServer(tmp_path) as redis:

        def restart() -> None:
            redis.kill()
            redis.start()

        endpoint = Endpoint([_toolset(post)], state=RedisStore(redis.url), kept=MemoryStore())
        post.after = restart
        first = await _send(endpoint, idempotency_key="k")
        again = await _send(endpoint, idempotency_key="k")
        await endpoint.close()
    assert first.text.startswith("Sent letter 1.") and NOT_RECORDED not in first.text
    assert "Already done" in again.text
    assert post.sent == ["a"]


async def test_the_guard_against_repetitions_never_turns_a_write_into_a_failure(state: Held) -> None:
    post = Post()
    post.after = state.hold
    endpoint = Endpoint(
        [_toolset(post)], state=state.store, kept=MemoryStore(), settings=Settings(repeats=60)
    )
    answer = await _send(endpoint)
    assert answer.failure is None
    assert "A repetition of this call would not be noticed." in answer.text


async def test_a_kept_text_that_a_write_made_old_is_refused_though_the_store_was_held(state: Held) -> None:
    post = Post()
    post.sent = ["a long letter"] * 100
    endpoint = Endpoint(
        [_toolset(post)], state=MemoryStore(), kept=state.store, settings=Settings(budget=900)
    )
    handle = (await _call(endpoint, "letters_read")).text.partition("handle='")[2].partition("'")[0]
    with state.held():
        sent = await _send(endpoint)
    read = await _call(endpoint, "read_on", handle=handle, lines="1-2")
    assert sent.text == "Sent letter 101.\n\nNote: Texts kept before this call may be out of date."
    assert "was changed since it was kept" in read.text


async def test_a_long_answer_of_a_write_that_cannot_be_kept_aside_is_shown_whole(state: Held) -> None:
    post = Post()
    post.after = state.hold
    endpoint = Endpoint(
        [_toolset(post)], state=MemoryStore(), kept=state.store, settings=Settings(budget=900)
    )
    answer = await _call(endpoint, "letters_copy", count=200)
    assert answer.failure is None
    assert "Copied as letter 199." in answer.text
    assert "its rest could not be kept aside" in answer.text


async def test_a_page_of_a_write_whose_cursor_cannot_be_kept_is_a_success(state: Held) -> None:
    post = Post()
    post.after = state.hold
    endpoint = Endpoint([_toolset(post)], state=state.store, kept=MemoryStore())
    answer = await _call(endpoint, "letters_sort")
    assert answer.failure is None
    assert "Note: The next page cannot be shown: its cursor could not be kept." in answer.text


async def test_a_write_that_is_done_is_not_stopped_while_it_is_recorded(state: Held) -> None:
    sent: list[str] = []
    quick = Toolset("quick")

    @quick.create(deadline=0.5)
    async def quick_send() -> str:
        """Send something."""
        await asyncio.sleep(0)
        sent.append("a")
        state.hold()
        return "Sent."

    store = SqliteStore(state.path, patience=1)
    answer = await _call(Endpoint([quick], state=store), "quick_send", idempotency_key="k")
    assert answer.text == f"Sent.\n\n{NOT_RECORDED}"


def _raising(error: Exception) -> tuple[Toolset, list[str]]:
    """A toolset that raises this after an effect."""
    made: list[str] = []
    broken = Toolset("broken")

    @broken.create
    async def broken_make() -> str:
        """Make something, then fail."""
        made.append("made")
        raise error

    @broken.read
    async def broken_read() -> str:
        """Fail."""
        raise error

    return broken, made


@pytest.mark.parametrize(
    "error",
    [
        UpstreamDown("The line broke."),
        TimedOut("Nobody answered."),
        Failure("It is Sunday."),
        Bug("Oops."),
        StoreDown("The disk is full."),
        ValueError("oops"),
        Conflict("Half of it exists.", changed=None),
    ],
)
async def test_what_fails_inside_a_write_leaves_it_not_known_and_the_key_used(error: Exception) -> None:
    toolset, made = _raising(error)
    async with connect(toolset) as client:
        first, second, third = [await client.call("broken_make", idempotency_key="k") for _ in range(3)]
        read = await client.call("broken_read")
    assert NOT_KNOWN in first.text
    assert "Try again later" not in first.text + first.error.get("next", "")  # it would contradict
    assert "changed" not in first.error
    assert KEY in second.text and KEY in third.text
    assert made == ["made"]
    if not isinstance(error, Conflict):
        assert read.error["changed"] is False


@pytest.mark.parametrize(
    "error",
    [
        BadArguments("No."),
        NotFound("Thing", "x"),
        Conflict("It exists."),
        Refused("Not here."),
        TooLarge("It is too large."),
        RateLimited("Too often."),
        Taken("It exists."),
        Missing("It is gone."),
        OutsideFolder("It is elsewhere."),
        UpstreamDown("The line is dead.", changed=False),
        Failure("It is Sunday.", changed=False),
    ],
)
async def test_a_callers_mistake_and_an_assertion_leave_the_key_free(error: Exception) -> None:
    toolset, made = _raising(error)
    async with connect(toolset) as client:
        first, second = [await client.call("broken_make", idempotency_key="k") for _ in range(2)]
    assert NOT_KNOWN not in first.text
    assert first.error["changed"] is False
    assert second.error["code"] == first.error["code"]
    assert made == ["made", "made"]


def _shelf(folder: Folder, error: Exception) -> Toolset:
    """A toolset whose writes raise this after an effect that the kit can see."""
    shelf = Toolset("shelf", provides=(Folder,))

    @shelf.factory
    async def shelf_open(_: object) -> AsyncIterator[Folder]:
        yield folder

    @shelf.create
    async def shelf_put(folder: Folder) -> str:
        """Put something on the shelf, then fail."""
        folder.write("a.md", "a")
        raise error

    @shelf.create
    def shelf_put_new(folder: Folder) -> str:
        """Put something new on the shelf in a thread, then fail."""
        folder.write_new("b.md", "b")
        raise error

    @shelf.delete
    async def shelf_clear(folder: Folder) -> str:
        """Clear the shelf, then fail."""
        folder.delete("c.md")
        raise error

    @shelf.update
    async def shelf_tell(changes: Changes) -> str:
        """Tell that the shelf changed, then fail."""
        await changes.tell("resource", "shelf://a")
        raise error

    @shelf.update
    async def shelf_look(folder: Folder) -> str:
        """Look at the shelf, then fail."""
        folder.names()
        folder.delete("missing.md")
        raise error

    return shelf


HARMLESS = [NotFound("Thing", "x"), Conflict("It exists."), BadArguments("No."), Taken("It exists.")]


@pytest.mark.parametrize("error", HARMLESS)
@pytest.mark.parametrize("tool", ["shelf_put", "shelf_put_new", "shelf_clear", "shelf_tell"])
async def test_a_callers_mistake_found_after_an_effect_does_not_say_that_nothing_was_changed(
    tool: str, error: Exception, tmp_path: Path
) -> None:
    (tmp_path / "c.md").write_text("c")
    async with connect(_shelf(Folder(tmp_path), error)) as client:
        reply = await client.call(tool)
    assert NOT_KNOWN in reply.text
    assert "changed" not in reply.error


@pytest.mark.parametrize("error", HARMLESS)
async def test_a_callers_mistake_found_by_looking_says_that_nothing_was_changed(
    error: Exception, tmp_path: Path
) -> None:
    (tmp_path / "c.md").write_text("c")
    async with connect(_shelf(Folder(tmp_path), error)) as client:
        await client.call("shelf_put")  # what another call wrote does not count
        reply = await client.call("shelf_look")
    assert reply.error["changed"] is False


async def test_an_assertion_holds_even_after_an_effect_that_the_kit_saw(tmp_path: Path) -> None:
    undone = Conflict("It exists, and the copy was taken away again.", changed=False)
    async with connect(_shelf(Folder(tmp_path), undone)) as client:
        reply = await client.call("shelf_put")
    assert reply.error["changed"] is False


@pytest.mark.parametrize("asserts", [True, False])
async def test_a_store_of_an_author_can_assert_that_nothing_was_written(asserts: bool) -> None:
    toolset = Toolset("ledger")

    @toolset.create
    async def ledger_add() -> str:
        """Add a line."""
        with nothing_written() if asserts else nullcontext():
            raise StoreDown("The ledger is locked.")

    async with connect(toolset) as client:
        reply = await client.call("ledger_add")
    assert ("This call changed nothing." in reply.text) is asserts
    assert (NOT_KNOWN in reply.text) is not asserts


@pytest.mark.parametrize(
    ("tool", "settings"), [("letters_page", Settings()), ("letters_read", Settings(budget=900))]
)
async def test_a_read_whose_cursor_or_long_answer_cannot_be_kept_fails(
    tool: str, settings: Settings, state: Held
) -> None:
    post = Post()
    post.sent = ["a long letter"] * 100
    letters = _toolset(post)

    @letters.read
    async def letters_page(window: Window = Window(size=1)) -> Page[Letter]:
        """List letters."""
        return window.cut([Letter(id="a"), Letter(id="b")], key=lambda letter: (letter.id,))

    endpoint = Endpoint([letters], state=state.store, kept=state.store, settings=settings)
    with state.held():
        during = await _call(endpoint, tool)
    assert during.failure is not None and during.failure.changed is False
    assert (await _call(endpoint, tool)).failure is None


@pytest.mark.parametrize("changed", [{}, {"changed": False}])
async def test_a_failure_of_one_of_several_tasks_says_nothing_about_the_others(changed: Any) -> None:
    sent: list[str] = []
    toolset = Toolset("mail")

    @toolset.create
    async def mail_send() -> str:
        """Send to three."""

        async def send(to: str) -> None:
            if to == "c":
                raise NotFound("Address", to, **changed)
            sent.append(to)

        async with asyncio.TaskGroup() as group:
            for to in "abc":
                group.create_task(send(to))
        return "Sent."

    async with connect(toolset) as client:
        first, second = [await client.call("mail_send", idempotency_key="k") for _ in range(2)]

    assert NOT_KNOWN in first.text
    assert KEY in second.text
    assert sent == ["a", "b"]


async def test_an_author_says_that_a_part_was_done() -> None:
    toolset, _ = _raising(UpstreamDown("The line is dead.", changed=True))
    async with connect(toolset) as client:
        reply = await client.call("broken_make", idempotency_key="k")
        again = await client.call("broken_make", idempotency_key="k")
    assert "Part of it was done before it failed." in reply.text
    assert reply.error["changed"] is True
    assert KEY in again.text


@pytest.mark.parametrize("error", [NotFound("Thing", "x"), SystemExit(3)])
async def test_what_fails_after_the_function_returned_is_not_known(error: BaseException) -> None:
    toolset, made = _raising(ValueError())

    async def broken_step(call: Any, inner: Any) -> Answer:
        await inner(call)
        raise error

    @toolset.create
    async def broken_done() -> str:
        """Make something."""
        made.append("made")
        return "Made."

    async with connect(toolset, settings=Settings(steps=[broken_step])) as client:
        reply = await client.call("broken_done")
    assert NOT_KNOWN in reply.text


async def test_what_fails_before_the_function_is_started_changed_nothing(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where a folder should be")
    post = Post()
    store = SqliteStore(tmp_path / "state" / "state.db")
    async with connect(
        endpoint=Endpoint([_toolset(post)], state=store, settings=Settings(rate=10))
    ) as client:
        reply = await client.call("letters_send", text="a")
    assert "This call changed nothing." in reply.text
    assert post.sent == []


def _cancelling() -> tuple[Toolset, list[str]]:
    made: list[str] = []
    cancelling = Toolset("cancelling")

    @cancelling.create
    async def cancelling_make() -> str:
        """Make something, then behave as if cancelled."""
        made.append("made")
        raise asyncio.CancelledError

    @cancelling.read
    async def cancelling_wait() -> str:
        """Wait for work that was cancelled."""
        work = asyncio.create_task(asyncio.sleep(60))
        work.cancel()
        await work
        return "never"

    @cancelling.update
    def cancelling_thread() -> str:
        """Behave as if cancelled, in a thread."""
        raise asyncio.CancelledError

    return cancelling, made


@pytest.mark.parametrize("over", WIRES)
@pytest.mark.parametrize("era", ERAS)
async def test_a_tool_that_raises_cancelled_error_itself_is_answered_as_a_bug(over: Over, era: str) -> None:
    toolset, made = _cancelling()
    async with connect(toolset, over=over, era=era) as client:
        async with asyncio.timeout(20):
            write = await client.call("cancelling_make", idempotency_key="k")
            again = await client.call("cancelling_make", idempotency_key="k")
            read = await client.call("cancelling_wait")
            thread = await client.call("cancelling_thread")
    assert [reply.error["code"] for reply in (write, read, thread)] == ["INTERNAL_ERROR"] * 3
    assert NOT_KNOWN in write.text and NOT_KNOWN in thread.text
    assert NOT_KNOWN not in read.text
    assert KEY in again.text
    assert made == ["made"]


def _leaving(error: type[BaseException]) -> tuple[Toolset, list[str]]:
    leaving = Toolset("leaving")
    made: list[str] = []

    @leaving.create
    async def leaving_make() -> str:
        """Make something, then raise."""
        made.append("made")
        raise error

    @leaving.create
    def leaving_thread() -> str:
        """Make something in a thread, then raise."""
        made.append("made in a thread")
        raise error

    @leaving.read
    def leaving_look() -> str:
        """Raise in a thread."""
        raise error

    @leaving.create
    async def leaving_group() -> str:
        """Raise several at once."""
        raise BaseExceptionGroup("several", [error(), error()])

    return leaving, made


@pytest.mark.parametrize("over", WIRES)
@pytest.mark.parametrize("error", [StopIteration, GeneratorExit, SystemExit, KeyboardInterrupt])
async def test_a_tool_that_raises_what_would_end_a_program_is_answered_as_a_bug(
    error: type[BaseException], over: Over, caplog: pytest.LogCaptureFixture
) -> None:
    toolset, made = _leaving(error)
    async with connect(toolset, over=over) as client:
        async with asyncio.timeout(20):
            write = await client.call("leaving_make", idempotency_key="k")
            again = await client.call("leaving_make", idempotency_key="k")
            thread = await client.call("leaving_thread")
            read = await client.call("leaving_look")
            group = await client.call("leaving_group")
    assert [one.error["code"] for one in (write, thread, read, group)] == ["INTERNAL_ERROR"] * 4
    assert all(NOT_KNOWN in one.text for one in (write, thread, group))
    assert NOT_KNOWN not in read.text
    assert KEY in again.text
    assert made == ["made", "made in a thread"]
    assert error.__name__ in caplog.text


async def test_a_call_that_nobody_continues_is_closed_quietly() -> None:
    ended: list[str] = []

    async def wait() -> None:
        try:
            await asyncio.sleep(60)
        except GeneratorExit:
            ended.append("closed")
            raise

    call = run(wait, {})
    call.send(None)
    asyncio.get_running_loop().call_soon(call.close)  # outside of its task, as at the end of a program
    await asyncio.sleep(0)
    assert ended == ["closed"]
