"""Boxes: widgets and layouts side by side, or one below the other."""

from __future__ import annotations

from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

Part = QWidget | QLayout | tuple[QWidget | QLayout, int] | int | None
"""A part of a box. (part, 2) has a stretch factor of 2; a number is so many empty pixels; None
takes all room that is left."""
Margins = int | tuple[int, int, int, int] | None
"""One number for all sides, or left, top, right and bottom; None for the style's own."""


def hbox(
    *parts: Part, on: QWidget | None = None, margins: Margins = None, gap: int | None = None
) -> QHBoxLayout:
    """The parts side by side, as the layout of ``on`` if given."""
    box = QHBoxLayout() if on is None else QHBoxLayout(on)
    _fill(box, parts, margins, gap)
    return box


def vbox(
    *parts: Part, on: QWidget | None = None, margins: Margins = None, gap: int | None = None
) -> QVBoxLayout:
    """The parts one below the other, as the layout of ``on`` if given."""
    box = QVBoxLayout() if on is None else QVBoxLayout(on)
    _fill(box, parts, margins, gap)
    return box


def stack(widget: QWidget, *parts: QWidget | QLayout, grows: QWidget | None = None) -> QVBoxLayout:
    """The parts of ``widget`` one below the other, edge to edge; ``grows`` takes all room left.

    Without ``grows``, all parts share it as their size policies say.
    """
    return vbox(*((part, int(part is grows)) for part in parts), on=widget, margins=0, gap=0)


def _fill(box: QBoxLayout, parts: tuple[Part, ...], margins: Margins, gap: int | None) -> None:
    if margins is not None:
        box.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
    if gap is not None:
        box.setSpacing(gap)
    for part in parts:
        if part is None:
            box.addStretch(1)
        elif isinstance(part, int):
            box.addSpacing(part)
        else:
            item, stretch = part if isinstance(part, tuple) else (part, 0)
            if isinstance(item, QLayout):
                box.addLayout(item, stretch)
            else:
                box.addWidget(item, stretch)
