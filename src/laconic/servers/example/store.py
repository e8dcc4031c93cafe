"""Memos as files: a header with title and tags, then the text."""

import hashlib
from datetime import UTC, datetime

from laconic.servers.example.models import Memo
from laconic.stores import Folder, Header
from laconic.stores.header.composing import compose


class MemoStore:
    """Reads and writes the files of one folder."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder

    def all(self) -> list[Memo]:
        """Return all memos."""
        return [self.read(name.removesuffix(".md")) for name in self._folder.names()]

    def names(self) -> list[str]:
        """Return the names of all memos."""
        return [name.removesuffix(".md") for name in self._folder.names()]

    def read(self, name: str) -> Memo:
        """Read a memo; a file without a proper header is a memo too."""
        text = self._folder.read(f"{name}.md")
        header = Header.of(text)
        known = {} if header.is_broken else header.values()
        tags = known.get("tags")
        return Memo(
            name=name,
            title=str(known.get("title") or name),
            tags=[str(tag) for tag in tags] if isinstance(tags, list) else [],
            updated=datetime.fromtimestamp(self._folder.stat(f"{name}.md").mtime_ns / 1e9, UTC),
            version=hashlib.blake2b(text.encode(), digest_size=4).hexdigest(),
            body=header.body.strip("\n"),
        )

    def write(self, name: str, title: str, tags: list[str], body: str, *, is_new: bool) -> Memo:
        """Write a whole memo."""
        text = compose({"title": title, "tags": tags}, (), body)
        write = self._folder.write_new if is_new else self._folder.write
        write(f"{name}.md", text)
        return self.read(name)

    def delete(self, name: str) -> bool:
        """Delete a memo; False if there was none."""
        return self._folder.delete(f"{name}.md")
