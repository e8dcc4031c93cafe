"""Memory and SQLite stores do what a dict with a clock would do, whatever the order of operations."""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from laconic.stores import KeyValue, MemoryStore, SqliteStore
from laconic.stores.keyvalue.protocol import Counted, weigh
from tests.chance import examples
from tests.unit.stores.keepers import FakeClock

LIMIT = 1_200
KEYS = st.sampled_from(["a", "ab", "b", "b*", "é", "é/1", ""])
VALUES = st.sampled_from([b"", b"0", b"7", b"x" * 80, b"y" * 400, b"\x00\xff"])
LIVES = st.sampled_from([None, 1, 5, 30])


@dataclass
class Kept:
    value: bytes
    expires: float


class StoresLikeADict(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.clock = FakeClock()
        self.folder = tempfile.TemporaryDirectory()
        path = Path(self.folder.name) / "state.db"
        self.stores: list[KeyValue] = [
            MemoryStore(LIMIT, self.clock),
            SqliteStore(path, LIMIT, self.clock),
        ]
        self.model: dict[str, Kept] = {}  # least recently used first
        self.runner = asyncio.Runner()

    def teardown(self) -> None:
        for store in self.stores:
            self.runner.run(self._await(store.close()))
        self.runner.close()
        self.folder.cleanup()

    async def _await(self, awaitable: Awaitable[Any]) -> Any:
        return await awaitable

    def expect(self, answer: object, ask: Callable[[KeyValue], Awaitable[object]]) -> None:
        for store in self.stores:
            said = self.runner.run(self._await(ask(store)))
            assert said == answer, f"{type(store).__name__}: {said!r}, not {answer!r}"

    def keep(self, key: str, value: bytes, expires: float) -> None:
        self.model.pop(key, None)
        self.model[key] = Kept(value, expires)
        while sum(weigh(key, kept.value, LIMIT) for key, kept in self.model.items()) > LIMIT:
            del self.model[next(iter(self.model))]

    def end(self, ttl: float | None) -> float:
        return float("inf") if ttl is None else self.clock() + ttl

    @rule(key=KEYS)
    def get(self, key: str) -> None:
        kept = self.model.pop(key, None)
        if kept:
            self.model[key] = kept
        self.expect(kept.value if kept else None, lambda store: store.get(key))

    @rule(key=KEYS, value=VALUES, ttl=LIVES)
    def put(self, key: str, value: bytes, ttl: float | None) -> None:
        self.keep(key, value, self.end(ttl))
        self.expect(None, lambda store: store.put(key, value, ttl))

    @rule(key=KEYS, value=VALUES, ttl=LIVES)
    def put_new(self, key: str, value: bytes, ttl: float | None) -> None:
        is_new = key not in self.model
        if is_new:
            self.keep(key, value, self.end(ttl))
        self.expect(is_new, lambda store: store.put_new(key, value, ttl))

    @rule(key=KEYS, old=VALUES, new=VALUES, ttl=LIVES)
    def replace(self, key: str, old: bytes, new: bytes, ttl: float | None) -> None:
        fits = key in self.model and self.model[key].value == old
        if fits:
            self.keep(key, new, self.end(ttl))
        self.expect(fits, lambda store: store.replace(key, old, new, ttl))

    @rule(key=KEYS)
    def delete(self, key: str) -> None:
        was_there = self.model.pop(key, None) is not None
        self.expect(was_there, lambda store: store.delete(key))

    @rule(key=KEYS, ttl=LIVES)
    def touch(self, key: str, ttl: float | None) -> None:
        kept = self.model.get(key)
        if kept:
            self.keep(key, kept.value, self.end(ttl))
        self.expect(kept is not None, lambda store: store.touch(key, ttl))

    @rule(key=KEYS.map("#{}".format), window=st.sampled_from([1, 5, 30]))
    def count(self, key: str, window: float) -> None:
        kept = self.model.get(key) or Kept(b"0", self.end(window))
        number = int(kept.value) + 1
        self.keep(key, b"%d" % number, kept.expires)
        left = kept.expires - self.clock()
        self.expect(Counted(number, left), lambda store: store.count(key, window))

    @rule(seconds=st.sampled_from([0.5, 1, 4, 25]))
    def let_time_pass(self, seconds: float) -> None:
        self.clock.time += seconds
        now = self.clock()
        self.model = {key: kept for key, kept in self.model.items() if kept.expires > now}

    @rule()
    def restart(self) -> None:
        self.runner.run(self._await(self.stores[1].close()))

    @invariant()
    def the_same_keys_are_there(self) -> None:
        self.expect(sorted(self.model), lambda store: store.keys())

    @rule(prefix=st.sampled_from(["a", "b", "b*", "é", "#"]))
    def keys(self, prefix: str) -> None:
        fitting = sorted(key for key in self.model if key.startswith(prefix))
        self.expect(fitting, lambda store: store.keys(prefix))


TestStoresLikeADict = StoresLikeADict.TestCase
TestStoresLikeADict.settings = examples(60, stateful_step_count=40)
