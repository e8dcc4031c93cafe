"""Batches: the same for several issues, each of which succeeds or fails on its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from laconic.kit import Batch, Failure
from laconic.servers.issues.store import IssueStore
from laconic.stores import StoreError

__all__ = ["each"]

Item = TypeVar("Item")
Result = TypeVar("Result")


def each(
    store: IssueStore, items: Iterable[tuple[str, Item]], do: Callable[[Item], Result], word: str
) -> Batch[Result]:
    """Do something with each item, in one scan of the files; one that fails does not affect the others."""
    done: list[Result] = []
    failed: dict[str, str] = {}
    with store.one_scan():
        for place, (name, item) in enumerate(items):
            label = f"{name} (item {place})" if name in failed else name
            try:
                done.append(do(item))
            except Failure as failure:
                failed[label] = failure.words
            except StoreError as error:  # concerns this file only
                failed[label] = str(error)
    return Batch(done, failed, word)
