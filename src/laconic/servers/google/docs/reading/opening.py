"""Opening a document: all of its tabs, with what is suggested beside the text that is there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from laconic.servers.google.api.access import Access
from laconic.servers.google.docs.reading.document import Document, parse
from laconic.servers.google.kept import HeldWords, Holding, KeptText, own_revision

VIEW: Final = "markdown"  # how a document is kept that is read
CHANGED: Final = "The document was changed since you began"
GONE: Final = "The document was changed, and the version that you began to read is not kept any longer."
_WORDS: Final = HeldWords(
    as_then=f"{CHANGED}: these places, and their indices, are as they were then.",
    ours="You changed the document since the page before, so places may have moved.",
    gone=GONE,
)


async def ask(access: Access, id: str) -> dict[str, Any]:
    """Ask for a document, and return what the API answers.

    By default it shows suggestions to those who may see them, so that indices are those of edits; asked
    for by name, they would be refused to those who may only read.
    """
    return await access.call("docs_get", documentId=id, includeTabsContent=True)


async def read(access: Access, id: str) -> Document:
    """Ask for a document as it is now; texts of it that were kept before are asked for again if need be."""
    answer = await ask(access, id)
    access.kept.tell(id, revision_of(answer))
    return parse(answer)


def revision_of(answer: Mapping[str, Any]) -> str:
    """Return the revision of a document; one of our own for somebody who may only read."""
    return str(answer.get("revisionId") or own_revision(answer))


async def is_present(access: Access, id: str, revision: str) -> bool:
    """True if a document still has a revision."""
    return await _holding(access, id).is_present(revision)


async def hold(access: Access, id: str, answer: Mapping[str, Any], began: float) -> str:
    """Keep what the API answered, so that further pages are of the same version; return its mark."""
    found = _as_text(answer, began)
    await _holding(access, id).hold(found)
    return found.mark


async def reopened(access: Access, id: str, mark: str) -> tuple[Document, str, str]:
    """Return a document at the version that was held, its mark, and what to say if it is not the present one.

    Raises:
        Conflict: it is not kept any longer, and somebody else changed the document.
    """
    found, remark = await _holding(access, id).reopened(mark)
    return parse(found.data), found.mark, remark


def _as_text(answer: Mapping[str, Any], began: float) -> KeptText:
    return KeptText.of_data(answer, revision_of(answer), began)


def _holding(access: Access, id: str) -> Holding:
    async def ask_whole() -> KeptText:
        began = access.kept.now()
        return _as_text(await ask(access, id), began)

    async def ask_revision() -> str:
        return revision_of(await access.call("docs_get", documentId=id, fields="revisionId"))

    return Holding(access.kept, id, "document", ask_whole, ask_revision, _WORDS)
