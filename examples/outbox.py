"""A message that is sent once, however often the call is repeated: an idempotency key.

Every create takes one. The first answer is stored for a day, across restarts, and returned again; the same
key with another message is refused; without a key each call sends a message.

    laconic call --server examples.outbox:toolset message_send to=ann text=Hello idempotency_key=k1
    laconic serve examples.outbox:toolset
"""

from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from typing import Annotated, Any

from pydantic import StringConstraints

from laconic.kit import Page, Record, Toolset, Window


class Message(Record, formats={"minimal": ("to",), "full": ("to", "sent", "words")}):
    id: str
    to: str
    sent: datetime
    words: str


class Outbox:
    """A file that only grows, one message per line."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def send(self, to: str, text: str) -> Message:
        """Append a message."""
        message = Message(id=token_hex(4), to=to, sent=datetime.now(UTC), words=text)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(message.model_dump_json() + "\n")
        return message

    def messages(self) -> list[Message]:
        """Everything that was sent."""
        lines = self._path.read_text(encoding="utf-8").splitlines() if self._path.exists() else []
        return [Message.model_validate_json(line) for line in lines]


toolset = Toolset("outbox", "Messages that wait to be fetched.", provides=(Outbox,))


@toolset.factory
async def open_outbox(section: Mapping[str, Any]) -> AsyncIterator[Outbox]:
    """Open the outbox of the workspace."""
    yield Outbox(Path(section.get("workspace", ".")) / "outbox.jsonl")


@toolset.create(hint="message_list")
async def message_send(
    outbox: Outbox,
    to: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1), "Whom."],
    text: Annotated[str, StringConstraints(min_length=1), "What to say."],
) -> Message:
    """Send a message."""
    return outbox.send(to, text)


@toolset.read
async def message_list(outbox: Outbox, window: Window = Window(size=20)) -> Page[Message]:
    """List what was sent, newest first."""
    return window.cut(outbox.messages(), key=lambda one: (one.sent.timestamp(), one.id), reverse=True)
