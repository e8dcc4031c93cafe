"""Questions: what an agent asked people when it paused, and what they answered; read from the audit log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from laconic.data import dataclass
from laconic.servers.issues.sessions.audit import AuditEntry
from laconic.servers.issues.sessions.models import ENDED
from laconic.servers.issues.tolerant import as_word

QUESTION: Final = "question"
ANSWER: Final = "answer"
_ON: Final = frozenset({"resumed", "started"})  # what follows a pause when the work goes on


@dataclass(frozen=True)
class Question:
    """The last question of a session; closed: the work went on, or ended, without an answer."""

    text: str
    asked_at: str
    state: Literal["open", "answered", "closed"]
    answer: str = ""

    def wire(self) -> dict[str, str]:
        """The same as data."""
        known = {"text": self.text, "askedAt": self.asked_at, "state": self.state, "answer": self.answer}
        return {name: value for name, value in known.items() if value}


def last_question(entries: Sequence[AuditEntry], status: str) -> Question | None:
    """Find the last question in the log of a session with that status."""
    later: AuditEntry | None = None  # the first entry after a pause with which the work goes on
    for entry in reversed(entries):
        asked = as_word(entry.more.get(QUESTION)) if entry.status == "paused" else ""
        if asked:
            return _question(asked, entry.timestamp, later, status)
        if entry.status in _ON:
            later = entry
    return None


def _question(text: str, at: str, later: AuditEntry | None, status: str) -> Question:
    answer = as_word(later.more.get(ANSWER)) if later else ""
    if answer:
        return Question(text, at, "answered", answer)
    return Question(text, at, "closed" if later or status in ENDED else "open")


def lines_of(question: Mapping[str, Any] | None) -> dict[str, str]:
    """Put a question into words: a name and a text for each line."""
    if not question:
        return {}
    name = {"open": "Open question", "closed": "Closed question"}.get(question["state"], "Question")
    return {name: question["text"], "Answer": question.get("answer", "")}
