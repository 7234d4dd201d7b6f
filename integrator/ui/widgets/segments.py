"""A row of buttons of which one is on."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QToolButton,
)

from integrator.ui.widgets.room.boxes import hbox


class Segments(QFrame):
    """A row of buttons of which one is on: the workspaces."""

    chosen = Signal(str)

    def __init__(self, entries: Sequence[tuple[str, str, str]], name: str = "{0}") -> None:
        """``entries`` are (key, text, tooltip); ``name`` is what a screen reader says of a text."""
        super().__init__()
        self.setObjectName("Segments")
        self._group = QButtonGroup(self, exclusive=True)
        self._buttons: dict[str, QToolButton] = {}
        row = hbox(on=self, margins=3, gap=2)
        for key, text, tooltip in entries:
            button = QToolButton()
            button.setText(text)
            button.setToolTip(tooltip)
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setAccessibleName(name.format(text))
            button.clicked.connect(lambda _=False, k=key: self.chosen.emit(k))
            self._group.addButton(button)
            self._buttons[key] = button
            row.addWidget(button)

    def button(self, key: str) -> QToolButton:
        """The button of one entry."""
        return self._buttons[key]

    def select(self, key: str) -> None:
        """Mark one entry, without a signal."""
        self._buttons[key].setChecked(True)
