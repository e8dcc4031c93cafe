"""Rate limits over REST: reads and writes are counted apart, per minute and per day, for each caller."""

import time
from pathlib import Path

import pytest

from laconic.kit import Tokens
from laconic.stores.errors import StoreDown
from tests.unit.web.conftest import ORIGIN, serving

TOKENS = Tokens(f"{ORIGIN}/mcp", {"ann": "the-token-of-ann", "bob": "the-token-of-bob"})
ANN, BOB = ({"Authorization": f"Bearer the-token-of-{name}"} for name in ("ann", "bob"))


async def test_reads_and_writes_are_counted_apart_and_for_each_caller(tmp_path: Path) -> None:
    address = str(tmp_path / "library.db")
    async with serving(address, tmp_path, tokens=TOKENS, read_rate=3, write_rate=2) as api:
        path = "/api/notes/"
        first = await api.get(path, headers=ANN)
        assert (first.headers["x-ratelimit-limit"], first.headers["x-ratelimit-remaining"]) == ("3", "2")
        assert 0 < int(first.headers["x-ratelimit-reset"]) - time.time() <= 62
        note = await api.post(path, json={"title": "a"}, headers=ANN)
        assert note.headers["x-ratelimit-remaining"] == "1"
        for _ in range(5):  # uses are not counted
            used = await api.post(f"{path}{note.json()['id']}/track-usage", headers=ANN)
            assert used.status_code == 204 and "x-ratelimit-limit" not in used.headers
        assert [(await api.get(path, headers=ANN)).status_code for _ in range(3)] == [200, 200, 429]
        late = await api.get(path, headers=ANN)
        assert late.headers["x-ratelimit-remaining"] == "0" and int(late.headers["retry-after"]) <= 60
        assert late.json()["detail"] == "More than 3 reads per minute."
        assert (await api.post(path, json={"title": "b"}, headers=ANN)).status_code == 201
        assert (await api.post(path, json={"title": "c"}, headers=ANN)).status_code == 429
        assert (await api.get(path, headers=BOB)).status_code == 200
        assert (await api.get("/health")).status_code == 200


async def test_all_tokens_of_a_person_share_the_limits_of_that_person(tmp_path: Path) -> None:
    async with serving(str(tmp_path / "library.db"), tmp_path, tokens=TOKENS, read_rate=4) as api:
        made = [
            await api.post("/api/tokens/", json={"name": name}, headers=owner)
            for name, owner in (("one", ANN), ("two", ANN), ("three", BOB))
        ]
        one, two, three = [{"Authorization": f"Bearer {token.json()['token']}"} for token in made]
        left = [
            (await api.get("/api/tags/", headers=who)).headers["x-ratelimit-remaining"]
            for who in (ANN, one, two, BOB, three)
        ]
        assert left == ["3", "2", "1", "3", "2"]
        assert [(await api.get("/api/tags/", headers=who)).status_code for who in (one, ANN, two)] == [
            200,
            429,
            429,
        ]
        assert (await api.get("/api/tags/", headers=three)).status_code == 200


async def test_a_day_has_a_limit_of_its_own(tmp_path: Path) -> None:
    address = str(tmp_path / "library.db")
    async with serving(address, tmp_path, tokens=TOKENS, read_rate=100, read_day=2) as api:
        answers = [await api.get("/api/tags/", headers=ANN) for _ in range(3)]
        assert [one.headers["x-ratelimit-remaining"] for one in answers] == ["1", "0", "0"]
        assert (answers[2].status_code, answers[2].json()["detail"]) == (429, "More than 2 reads per day.")
        assert int(answers[2].headers["retry-after"]) > 3600


async def test_what_cannot_be_counted_is_refused_and_the_process_lives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*given: object) -> None:
        raise StoreDown("Redis cannot be reached.")

    async with serving(str(tmp_path / "library.db"), tmp_path, tokens=TOKENS, read_rate=9) as api:
        monkeypatch.setattr(api.library.endpoint.state, "count", away)  # type: ignore[attr-defined]
        for _ in range(2):
            assert (await api.get("/api/tags/", headers=ANN)).status_code == 502
        assert (await api.get("/health")).status_code == 200
        monkeypatch.undo()
        assert (await api.get("/api/tags/", headers=ANN)).status_code == 200


async def test_the_user_of_this_machine_has_no_limit(tmp_path: Path) -> None:
    async with serving(str(tmp_path / "library.db"), tmp_path, read_rate=1) as api:
        assert [(await api.get("/api/tags/")).status_code for _ in range(3)] == [200] * 3
