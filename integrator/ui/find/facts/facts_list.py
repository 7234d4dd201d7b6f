"""The pinned facts of the Facts panel: lines with a tick, each about play or about a movie."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem

from integrator.domain.errors import IntegratorError
from integrator.domain.query.recorded.text import parse_facts
from integrator.ui.actions.panel_keys import panel_action
from integrator.ui.time_slider.fact_marks import FactMark, marks_of, moved
from integrator.ui.widgets.theme import Theme, mono_font

_SETTLE_MS = 250
_SOURCE = Qt.ItemDataRole.UserRole
_MOST_HEIGHT = 124
_ROW_HEIGHT = 26


@dataclass(frozen=True, slots=True)
class PinnedFact:
    """One line, its movie (None: the play in the window), and True when it is ticked."""

    line: str
    source: Path | None
    on: bool


class FactsList(QListWidget):
    """``settled``: facts changed, and then rested for a moment; ``changed``: at once."""

    settled = Signal()
    changed = Signal()
    refused = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setAccessibleName(self.tr("Facts"))
        self.setToolTip(
            self.tr("Untick a fact to leave it out, double-click to change it, Del to remove it")
        )
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLE_MS)
        self._settle.timeout.connect(self.settled)
        self.itemChanged.connect(self._item_changed)
        panel_action("facts.remove", self, lambda: self.remove(self.currentRow()))

    @property
    def facts(self) -> tuple[PinnedFact, ...]:
        """All facts, ticked or not."""
        items = [self.item(row) for row in range(self.count())]
        return tuple(
            PinnedFact(
                item.text().partition("#")[0].strip(),
                item.data(_SOURCE),
                item.checkState() is Qt.CheckState.Checked,
            )
            for item in items
        )

    @property
    def marks(self) -> tuple[FactMark, ...]:
        """Facts about the play in the window, as the time slider draws them."""
        facts = enumerate(self.facts)
        return marks_of([(row, each.line, each.on) for row, each in facts if each.source is None])

    def add(self, line: str, source: Path | None = None) -> None:
        """Add a fact, ticked."""
        text = line if source is None else f"{line}   # {source.stem}"
        item = QListWidgetItem(text)
        item.setFont(mono_font())
        item.setData(_SOURCE, source)
        if source is not None:
            item.setIcon(self._theme.icons.icon("movie"))
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsEditable)
        item.setCheckState(Qt.CheckState.Checked)
        self.addItem(item)
        self._note()

    def move_fact(self, row: int, which: int, frame: int) -> None:
        """Put one of a fact's frames elsewhere; a place that makes no fact is ignored."""
        item = self.item(row)
        line = moved(item.text(), which, frame)
        if line is not None and line != item.text():
            item.setText(line)

    def toggle(self, row: int) -> None:
        """Tick a fact or untick it."""
        item = self.item(row)
        ticked = item.checkState() is Qt.CheckState.Checked
        item.setCheckState(Qt.CheckState.Unchecked if ticked else Qt.CheckState.Checked)

    def remove(self, row: int) -> None:
        """Take out a fact."""
        if row >= 0:
            self.takeItem(row)
            self._note()

    def clear_facts(self) -> None:
        """Take out all, without asking anybody."""
        self._settle.stop()
        self.clear()
        self.changed.emit()

    def _item_changed(self, item: QListWidgetItem) -> None:
        try:
            parse_facts(item.text())
        except IntegratorError as error:
            self.refused.emit(str(error))
            return
        self._note()

    def _note(self) -> None:
        self.setFixedHeight(min(_MOST_HEIGHT, 4 + _ROW_HEIGHT * self.count()))
        self._settle.start()
        self.changed.emit()
