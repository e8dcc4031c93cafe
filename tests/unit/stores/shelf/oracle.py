"""What a search must find, computed from the items themselves: every text is read, and nothing is indexed."""

from dataclasses import dataclass

from laconic.stores import Item, ItemKind, ItemQuery
from laconic.stores.shelf.search.language import Clause, TextQuery, parse
from laconic.stores.shelf.search.words import FIELDS, fold, stems

TAG = 400


@dataclass(frozen=True)
class Read:
    """An item as search reads it."""

    item: Item
    kind: ItemKind

    @property
    def texts(self) -> dict[str, str]:
        """The folded text of each field."""
        return {field: fold(getattr(self.item, field)) for field in FIELDS}

    def best(self, text: str) -> int:
        """The weight of the best field that contains a text."""
        return max(
            (getattr(self.kind, field) for field, whole in self.texts.items() if text in whole), default=0
        )

    def weight(self, word: str) -> int:
        """The weights of the fields that have a word."""
        return sum(getattr(self.kind, field) for field, whole in self.texts.items() if word in stems(whole))

    def contains(self, text: str) -> bool:
        """True if a field contains a text."""
        return any(text in whole for whole in self.texts.values())

    def holds(self, clause: Clause) -> bool:
        """True if a word or phrase is there in some form, or is one of the tags; without the minus."""
        if not clause.words:
            return self.contains(clause.text)
        return all(self.weight(word) for word in clause.words) or clause.text in self.item.tags

    def is_hit(self, query: TextQuery) -> bool:
        """True if one alternative holds, or the whole query is there as it is written."""
        return self.contains(query.whole) or any(
            all(self.holds(clause) == clause.is_wanted for clause in clauses)
            for clauses in query.alternatives
        )

    def score(self, query: TextQuery) -> int:
        """The rank of a hit."""
        wanted = [clause for clauses in query.alternatives for clause in clauses if clause.is_wanted]
        texts = {query.whole, *(clause.text for clause in wanted if not clause.words)}
        words = {word for clause in wanted for word in clause.words}
        tags = sum(TAG for clause in wanted if clause.words and clause.text in self.item.tags)
        return sum(map(self.best, texts)) + sum(map(self.weight, words)) + tags


def ranked(items: list[Item], query: ItemQuery, kinds: dict[str, ItemKind]) -> list[str]:
    """Return the ids of what a query by relevance finds, in order."""
    text = parse(query.text)
    assert text is not None
    read = [Read(item, kinds.get(item.kind) or ItemKind(item.kind)) for item in items]
    hits = [one for one in read if one.item.kind in query.kinds and one.item.state in query.states]
    halves = {"active", "archived"} <= set(query.states)

    def place(one: Read) -> tuple[float, object, str]:
        is_half = halves and one.item.state == "archived"
        return one.score(text) / (2 if is_half else 1), one.item.created_at, one.item.id

    return [one.item.id for one in sorted((one for one in hits if one.is_hit(text)), key=place, reverse=True)]
