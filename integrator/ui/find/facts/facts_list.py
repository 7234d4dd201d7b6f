"""The pinned facts of the Facts panel: lines with a tick, each about play or about a movie."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem

from integrator.domain.errors import DomainError
from integrator.domain.query.facts import parse_facts
from integrator.domain.timeline.line import run_at
from integrator.session.hidden.solving import PinnedFact, last_frame
from integrator.ui.actions.panel_keys import panel_action
from integrator.ui.time_slider.timeline_painter import FactMark, marks_of, moved
from integrator.ui.widgets.theme import Theme, mono_font

_SETTLE_MS = 250
_SOURCE = Qt.ItemDataRole.UserRole
_RUN = Qt.ItemDataRole.UserRole + 1
_MOST_HEIGHT = 124
_ROW_HEIGHT = 26


def _run_of(item: QListWidgetItem) -> int | None:
    """The known run of a fact; a fact that was put to another frame is about the shown line."""
    frame, run = item.data(_RUN) or (-1, None)
    return run if frame == last_frame(item.text()) else None


class FactsList(QListWidget):
    """``settled``: facts changed, and then rested for a moment; ``changed``: at once."""

    settled = Signal()
    changed = Signal()
    refused = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._runs: tuple[tuple[int, int], ...] = ()
        self.setAccessibleName(self.tr("Facts"))
        self.setToolTip(
            self.tr("Untick a fact to leave it out, double-click to change it, Del to remove it")
        )
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settle.timeout.connect(self.settled)
        self.itemChanged.connect(self._item_changed)
        panel_action("facts.remove", self, lambda: self.remove(self.currentRow()))

    @property
    def facts(self) -> tuple[PinnedFact, ...]:
        items = [self.item(row) for row in range(self.count())]
        return tuple(
            PinnedFact(
                item.text().partition("#")[0].strip(),
                item.data(_SOURCE),
                item.checkState() is Qt.CheckState.Checked,
                _run_of(item),
            )
            for item in items
        )

    @property
    def marks(self) -> tuple[FactMark, ...]:
        facts = enumerate(self.facts)
        return marks_of([(row, each.line, each.on) for row, each in facts if self._is_here(each)])

    def _is_here(self, fact: PinnedFact) -> bool:
        known = fact.run is not None and bool(self._runs)
        same = not known or run_at(self._runs, last_frame(fact.line)) == fact.run
        return fact.source is None and same

    def learn_runs(self, runs: Mapping[str, int]) -> None:
        for row, fact in enumerate(self.facts):
            if fact.source is None and fact.run is None and fact.line in runs:
                with QSignalBlocker(self):
                    self.item(row).setData(_RUN, (last_frame(fact.line), runs[fact.line]))
        self._tell_places()

    def show_line(self, runs: Sequence[tuple[int, int]]) -> None:
        if tuple(runs) != self._runs:
            self._runs = tuple(runs)
            self._tell_places()

    def _tell_places(self) -> None:
        elsewhere = self.tr("in another branch")
        for row, fact in enumerate(self.facts):
            if fact.source is None:
                note = "" if self._is_here(fact) else f"   # {elsewhere}"
                with QSignalBlocker(self):
                    self.item(row).setText(f"{fact.line}{note}")
        self.viewport().update()
        self.changed.emit()

    def add(self, line: str, source: Path | None = None) -> None:
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
        item = self.item(row)
        ticked = item.checkState() is Qt.CheckState.Checked
        item.setCheckState(Qt.CheckState.Unchecked if ticked else Qt.CheckState.Checked)

    def remove(self, row: int) -> None:
        if row >= 0:
            self.takeItem(row)
            self._note()

    def clear_facts(self) -> None:
        self._settle.stop()
        self.clear()
        self.changed.emit()

    def _item_changed(self, item: QListWidgetItem) -> None:
        try:
            parse_facts(item.text())
        except DomainError as error:
            self.refused.emit(str(error))
            return
        self._note()

    def _note(self) -> None:
        self.setFixedHeight(min(_MOST_HEIGHT, 4 + _ROW_HEIGHT * self.count()))
        self._settle.start()
        self.changed.emit()
