"""A toolset of its own: its positions are so short that a cursor holds them whole."""

from laconic.kit import Page, Record, Toolset, Window

numbers = Toolset("numbers", "Numbers, for the upgrade test.")


class Number(Record, noun="number", formats={"summary": ("name",)}):
    """A number."""

    id: int
    name: str


_ALL = [Number(id=number, name=f"number-{number}") for number in range(20)]


@numbers.read
async def number_list(window: Window = Window(size=5)) -> Page[Number]:
    """List numbers."""
    return window.cut(_ALL, key=lambda number: (number.id,))
