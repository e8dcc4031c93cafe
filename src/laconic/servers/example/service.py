"""What can be done with memos."""

from laconic.kit import Conflict, Guard, NotFound, Page, Window
from laconic.servers.example.models import Memo
from laconic.servers.example.store import MemoStore
from laconic.stores import Missing, Taken
from laconic.text import nearest


class Memos:
    """Finds, creates and changes memos."""

    def __init__(self, store: MemoStore) -> None:
        self._store = store

    def find(self, window: Window, tag: str | None, text: str | None) -> Page[Memo]:
        """List memos, newest change first."""
        found = [memo for memo in self._store.all() if _matches(memo, tag, text)]
        return window.cut(found, key=lambda memo: (memo.updated.timestamp(), memo.name), reverse=True)

    def get(self, name: str) -> Memo:
        """Read a memo."""
        try:
            return self._store.read(name)
        except Missing:
            raise NotFound("Memo", name, near=nearest(name, self._store.names())) from None

    def add(self, name: str, title: str, body: str, tags: list[str]) -> Memo:
        """Create a memo."""
        try:
            return self._store.write(name, title, tags, body, is_new=True)
        except Taken:
            raise Conflict(
                f"A memo called {name} exists.",
                advice="Use memo_update to change it, or choose another name.",
            ) from None

    def change(
        self, name: str, guard: Guard, title: str | None, body: str | None, tags: list[str] | None
    ) -> Memo:
        """Change some fields of a memo."""
        memo = self.get(name)
        guard.check(f"Memo {name}", memo.version)
        return self._store.write(
            name,
            memo.title if title is None else title,
            memo.tags if tags is None else tags,
            memo.body if body is None else body,
            is_new=False,
        )

    def remove(self, name: str) -> None:
        """Delete a memo."""
        self.get(name)
        self._store.delete(name)

    def names(self, typed: str) -> list[str]:
        """Return names that contain what was typed."""
        return [name for name in self._store.names() if typed in name]


def _matches(memo: Memo, tag: str | None, text: str | None) -> bool:
    if tag is not None and tag not in memo.tags:
        return False
    return text is None or text.lower() in f"{memo.title}\n{memo.body}".lower()
