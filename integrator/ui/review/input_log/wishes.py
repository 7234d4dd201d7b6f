"""The edits that the input log offers: one table, which the menu follows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto


class Wish(Enum):
    """An edit of the selected frames."""

    UNDO = auto()
    REDO = auto()
    INSERT = auto()
    CLONE = auto()
    DELETE = auto()
    CLEAR = auto()
    COPY = auto()
    PASTE = auto()
    PASTE_INSERT = auto()
    MARK = auto()
    UNMARK = auto()


@dataclass(frozen=True, slots=True)
class Offer:
    """A wish as the menu shows it. ``group`` parts the menu by lines."""

    wish: Wish
    group: int
    icon: str = ""

    @property
    def key(self) -> str:
        """The key of its row in the table of panels' keys."""
        return f"input_log.{self.wish.name.lower()}"


OFFERS: tuple[Offer, ...] = (
    Offer(Wish.UNDO, 0, "undo"),
    Offer(Wish.REDO, 0, "redo"),
    Offer(Wish.INSERT, 1, "plus"),
    Offer(Wish.CLONE, 1),
    Offer(Wish.DELETE, 1, "trash"),
    Offer(Wish.CLEAR, 1),
    Offer(Wish.COPY, 2),
    Offer(Wish.PASTE, 2),
    Offer(Wish.PASTE_INSERT, 2),
    Offer(Wish.MARK, 3, "pin"),
    Offer(Wish.UNMARK, 3),
)
