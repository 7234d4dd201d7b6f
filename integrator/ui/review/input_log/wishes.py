"""The edits that the input log offers: one table, which keys and menu follow."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from PySide6.QtGui import QKeySequence

from integrator.domain.words import QT_TRANSLATE_NOOP


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
    text: str
    keys: str
    group: int
    icon: str = ""


OFFERS: tuple[Offer, ...] = (
    Offer(Wish.UNDO, QT_TRANSLATE_NOOP("InputLogView", "Undo"), "Ctrl+Z", 0, "undo"),
    Offer(Wish.REDO, QT_TRANSLATE_NOOP("InputLogView", "Redo"), "Ctrl+Shift+Z", 0, "redo"),
    Offer(Wish.INSERT, QT_TRANSLATE_NOOP("InputLogView", "Insert frames"), "Ins", 1, "plus"),
    Offer(Wish.CLONE, QT_TRANSLATE_NOOP("InputLogView", "Clone frames"), "Ctrl+D", 1),
    Offer(Wish.DELETE, QT_TRANSLATE_NOOP("InputLogView", "Delete frames"), "Del", 1, "trash"),
    Offer(Wish.CLEAR, QT_TRANSLATE_NOOP("InputLogView", "Let go of all buttons"), "Backspace", 1),
    Offer(Wish.COPY, QT_TRANSLATE_NOOP("InputLogView", "Copy as text"), "Ctrl+C", 2),
    Offer(Wish.PASTE, QT_TRANSLATE_NOOP("InputLogView", "Paste over"), "Ctrl+V", 2),
    Offer(
        Wish.PASTE_INSERT,
        QT_TRANSLATE_NOOP("InputLogView", "Paste as new frames"),
        "Ctrl+Shift+V",
        2,
    ),
    Offer(Wish.MARK, QT_TRANSLATE_NOOP("InputLogView", "Mark and name this frame…"), "M", 3, "pin"),
    Offer(Wish.UNMARK, QT_TRANSLATE_NOOP("InputLogView", "Remove the mark"), "Shift+M", 3),
)


def wish_of(keys: QKeySequence) -> Wish | None:
    """The wish that keys stand for."""
    return next((offer.wish for offer in OFFERS if QKeySequence(offer.keys) == keys), None)
