"""An address names a store."""

from pathlib import Path

import pytest

from laconic.stores import MemoryStore, RedisStore, SqliteStore, StoreError, open_keyvalue


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("memory:", MemoryStore),
        ("sqlite:state.db", SqliteStore),
        ("state/keys.db", SqliteStore),
        ("C:/state.db", SqliteStore),
        ("redis://localhost:6379/1", RedisStore),
        ("rediss://localhost", RedisStore),
    ],
)
def test_each_address_opens_its_store(url: str, kind: type) -> None:
    assert type(open_keyvalue(url)) is kind


@pytest.mark.parametrize("form", ["sqlite:{}", "sqlite://{}", "{}"])
async def test_a_path_may_be_written_in_three_ways(tmp_path: Path, form: str) -> None:
    path = tmp_path / "state.db"
    store = open_keyvalue(form.format(path))
    await store.put("a", b"1")
    await store.close()
    assert path.exists()


async def test_home_is_understood(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    store = open_keyvalue("sqlite:~/state.db")
    await store.put("a", b"1")
    await store.close()
    assert (tmp_path / "state.db").exists()


@pytest.mark.parametrize("url", ["postgres://me:secret@host/db", "", "sqlite:"])
def test_other_addresses_are_refused_without_repeating_them(url: str) -> None:
    with pytest.raises(StoreError, match=r"use .*sqlite:PATH") as caught:
        open_keyvalue(url)
    assert "secret" not in str(caught.value)
