"""Claims: an issue is held by one agent in one work tree of a clone, whatever the other work trees contain.

A claim is recorded before the file is changed, and ends after it: a process that is killed in between leaves
a claim that its holder can repeat or end, never an issue with two holders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Final

from laconic.data import dataclass
from laconic.kit import Conflict, one_line
from laconic.servers.issues.claims.claims_file import Claim, Claimed, ClaimsFile
from laconic.servers.issues.claims.siblings import Siblings
from laconic.servers.issues.git.worktrees import WorkTree, other_trees, work_tree
from laconic.servers.issues.index.entries import Entry
from laconic.servers.issues.index.layout import ARCHIVE, Layout
from laconic.servers.issues.models import COMPLETE, Issue
from laconic.servers.issues.phrases import lasting
from laconic.servers.issues.timestamps import stamp
from laconic.stores import StoreDown, StoreError
from laconic.stores.errors import nothing_written

_FREE: Final = "Take another: issues_list with ready: true shows what is free."
_OPEN: Final = "Take another: issues_list with ready: true shows what is open."
_OVER: Final = "takeOver: true takes it all the same."


@dataclass(frozen=True)
class Wish:
    """What somebody wants: to hold an issue, if need be against the will of its holder."""

    holder: str
    takes_over: bool = False


@dataclass(frozen=True)
class Held:
    """A claim that counts, as seen from one work tree."""

    holder: str
    tree: str  # in words; empty if it is this one
    seconds: float

    @property
    def words(self) -> str:
        """Who holds it, where and for how long."""
        place = f" in {self.tree}" if self.tree else ""
        return one_line(f"held by {self.holder}{place}{lasting(self.seconds)}")


class Taken(Conflict):
    """An issue that somebody else holds."""

    code = "RESOURCE_LOCKED"

    def __init__(self, id: str, words: str) -> None:
        super().__init__(f"Issue {id} is {words}.", advice=f"{_FREE} {_OVER}")


@dataclass(frozen=True)
class _View:
    """The claims as one work tree sees them at one moment."""

    here: WorkTree
    trees: Mapping[tuple[str, int], WorkTree]
    claims: Claimed

    def tree(self, claim: Claim) -> WorkTree | None:
        """Return the work tree of a claim; None if it is gone."""
        return self.trees.get((claim.worktree, claim.made))

    def is_here(self, claim: Claim) -> bool:
        return (claim.worktree, claim.made) == (self.here.name, self.here.made)


class Claims:
    """The claims of one workspace, in all work trees of its clone; outside a repository there are none."""

    def __init__(
        self,
        layout: Layout,
        siblings: Siblings,
        lease: float = 0.0,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Open them; `lease` is after how many seconds without a change a claim lapses, 0: never."""
        self._layout, self._siblings, self._lease, self._now = layout, siblings, lease, now
        self._file: tuple[WorkTree, ClaimsFile] | None = None

    def held(self) -> dict[str, Held]:
        """Return who holds which issue now; nothing if that cannot be read, which the doctor reports."""
        with suppress(StoreError):
            view = self._view()
            return {id: one for id, one in self._counting(view)} if view else {}
        return {}

    def take(self, entry: Entry, wish: Wish) -> Callable[[], None]:
        """Record that an issue is taken, before its file is changed; return what undoes that.

        The caller must hold the repository's lock.

        Raises:
            Conflict: it is complete, here or in another work tree, or somebody else holds it.
            StoreDown: the claim cannot be recorded.
        """
        if entry.status in COMPLETE:
            raise Conflict(f"Issue {entry.id} is {entry.status} already.", advice=_OPEN)
        view = self._view()
        if not wish.takes_over:
            self._refuse(view, entry, wish)
        if view is None:
            return lambda: None
        before, now = view.claims.get(entry.id), stamp(self._now())
        is_again = before is not None and view.is_here(before) and before.holder == wish.holder
        at = before.at if before is not None and is_again else now
        new = Claim(wish.holder, view.here.name, view.here.made, entry.path, at, now)
        with nothing_written():
            self._write({**view.claims, entry.id: new})
        return lambda: self._restore(entry.id, before)

    def follow(self, issue: Issue) -> str:
        """Let the claim of an issue follow a change of its file; return what the caller should know.

        A claim ends when the issue is complete or nobody's, in the work tree that made it.
        """
        try:
            view = self._view()
            claim = view.claims.get(issue.id) if view else None
            if view is None or claim is None:
                return ""
            if view.is_here(claim) or view.tree(claim) is None:
                self._keep(view.claims, issue, claim)
                return ""
            held = dict(self._counting(view)).get(issue.id)
            return f"It is {held.words}." if held else ""
        except StoreError as error:
            return f"Its claim could not be changed: {error}"

    def end(self, id: str) -> bool:
        """End a claim, whoever has it; the caller must hold the repository's lock."""
        view = self._view()
        if view is None or id not in view.claims:
            return False
        with nothing_written():
            self._write({name: one for name, one in view.claims.items() if name != id})
        return True

    def rename(self, old: str, issue: Issue) -> None:
        """Let the claim of an issue of this work tree follow its new id."""
        with suppress(StoreError):
            view = self._view()
            claim = view.claims.get(old) if view else None
            if view and claim and view.is_here(claim) and claim.holder == issue.assignee:
                kept = {name: one for name, one in view.claims.items() if name != old}
                self._write({**kept, issue.id: replace(claim, path=issue.path)})

    def left(self) -> dict[str, Claim]:
        """Return the claims whose work tree is gone.

        Raises:
            StoreDown: the claims cannot be read.
        """
        view = self._view()
        return {id: one for id, one in view.claims.items() if view.tree(one) is None} if view else {}

    def _keep(self, claims: Claimed, issue: Issue, claim: Claim) -> None:
        if issue.is_complete or not issue.assignee:
            self._write({name: one for name, one in claims.items() if name != issue.id})
            return
        new = replace(claim, holder=issue.assignee, path=issue.path)
        new = replace(new, seen=stamp(self._now())) if self._lease else new
        if new != claim:
            self._write({**claims, issue.id: new})

    def _refuse(self, view: _View | None, entry: Entry, wish: Wish) -> None:
        held = dict(self._counting(view)).get(entry.id) if view else None
        if held is not None and (held.tree or held.holder != wish.holder):
            raise Taken(entry.id, held.words)
        lapsed = view.claims.get(entry.id) if view and held is None else None
        free = {None, "", wish.holder, lapsed.holder if lapsed else None}
        if entry.assignee not in free:
            raise Taken(entry.id, f"held by {one_line(entry.assignee or '')}")
        for found in self._siblings.seen(entry):
            if found.status in COMPLETE:
                said = f"Issue {entry.id} is {found.status} in {found.tree.words}."
                raise Conflict(said, code=Taken.code, advice=f"Merge its branch, or take another. {_OVER}")

    def _counting(self, view: _View) -> Iterator[tuple[str, Held]]:
        """Return the claims that count, without those of work trees that are gone, lapsed or finished."""
        now = self._now()
        for id, claim in view.claims.items():
            tree = view.tree(claim)
            is_over = tree is None or bool(self._lease and claim.silence(now) > self._lease)
            if tree is not None and not is_over and not self._is_finished(tree, claim):
                place = "" if view.is_here(claim) else tree.words
                yield id, Held(claim.holder, place, claim.age(now))

    def _is_finished(self, tree: WorkTree, claim: Claim) -> bool:
        """True if the issue is in the archive of its work tree, but its holder was killed before the end."""
        place = tree.top / self._workspace(tree) / claim.path
        if place.exists():
            return False
        kind = self._layout.collection(claim.path)
        return (tree.top / self._workspace(tree) / self._layout.folders[kind] / ARCHIVE / place.name).exists()

    def _workspace(self, here: WorkTree) -> PurePosixPath:
        top = self._file[0].top if self._file else here.top
        return PurePosixPath(self._layout.root.relative_to(top).as_posix())

    def _view(self) -> _View | None:
        here = work_tree(self._layout.root)
        if here is None:
            return None
        if self._file is None or self._file[0] != here:
            workspace = self._layout.root.relative_to(here.top).as_posix()
            self._file = here, ClaimsFile(here.common, workspace)
        claims = self._file[1].read()
        trees = [here, *(other_trees(here) if claims else ())]
        return _View(here, {(tree.name, tree.made): tree for tree in trees}, claims)

    def _write(self, claims: Claimed) -> None:
        if self._file is not None:
            self._file[1].write(claims)

    def _restore(self, id: str, before: Claim | None) -> None:
        with suppress(StoreDown):
            view = self._view()
            if view is not None:
                others = {name: one for name, one in view.claims.items() if name != id}
                self._write({**others, **({id: before} if before else {})})
