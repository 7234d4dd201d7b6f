"""The parts of a panel, one below the other."""

from __future__ import annotations

from PySide6.QtWidgets import QLayout, QVBoxLayout, QWidget


def stack(widget: QWidget, *parts: QWidget | QLayout, grows: QWidget | None = None) -> QVBoxLayout:
    """Lay ``parts`` one below the other in ``widget``, edge to edge; ``grows`` takes all room left.

    Without ``grows``, all parts share it as their size policies say.
    """
    layout = QVBoxLayout(widget)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    for part in parts:
        if isinstance(part, QLayout):
            layout.addLayout(part)
        else:
            layout.addWidget(part, int(part is grows))
    return layout
