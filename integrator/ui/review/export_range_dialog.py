"""Asks for a range of the timeline that becomes a movie, and explains ranges that can not."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QWidget,
)

from integrator.ui.time_slider.timeline_facts import TimelineFacts
from integrator.ui.widgets.number_box import NumberBox
from integrator.ui.widgets.panels.labels import role_label, set_role
from integrator.ui.widgets.room.boxes import hbox, vbox
from integrator.ui.widgets.texts import clock_text
from integrator.ui.widgets.translation import counted

Range = tuple[int, int]
"""First and last frame."""


class ExportRangeDialog(QDialog):
    """A range of frames, by its kind or by its two ends. ``range`` holds the choice."""

    def __init__(
        self, facts: TimelineFacts, chosen: Range | None, fps: float, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Export a range as a movie"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._facts = facts
        self._fps = fps
        self._offers = self._ranges(chosen)
        self.kind = QComboBox()
        for text, _ in self._offers:
            self.kind.addItem(text)
        self.kind.addItem(self.tr("Frames by number"))
        self.first, self.last = NumberBox(), NumberBox()
        for field, name in (
            (self.first, self.tr("First frame")),
            (self.last, self.tr("Last frame")),
        ):
            field.setRange(1, max(facts.length, 1))
            field.setGroupSeparatorShown(True)
            field.setAccessibleName(name)
            field.setMinimumWidth(96)
        self.note = role_label("", "secondary", wraps=True)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel
        )
        self._save = self.buttons.button(QDialogButtonBox.StandardButton.Save)
        self._save.setText(self.tr("Save movie…"))
        set_role(self._save, "primary")
        self._build_ui()
        self.kind.currentIndexChanged.connect(self._take_offer)
        self.first.valueChanged.connect(self._changed)
        self.last.valueChanged.connect(self._changed)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self._take_offer(0)

    @property
    def range(self) -> Range:
        """First and last frame, both in the movie."""
        return self.first.value(), self.last.value()

    def _ranges(self, chosen: Range | None) -> list[tuple[str, Range]]:
        facts, here = self._facts, max(self._facts.position, 1)
        run = facts.run_of(here)
        offers = [] if chosen is None else [(self.tr("The range chosen on the slider"), chosen)]
        offers.append((self.tr("This run: up to a reset, state or poke"), run))
        marks = facts.between_marks(here)
        if marks != run:
            offers.append((self.tr("Between the marks around this frame"), marks))
        if run[0] < here < run[1]:
            offers.append((self.tr("From this frame on"), (here, run[1])))
            offers.append((self.tr("Up to this frame"), (run[0], here)))
        return offers

    def _build_ui(self) -> None:
        ends = hbox(self.first, QLabel(self.tr("to")), self.last, None)
        form = QFormLayout(horizontalSpacing=12)
        form.addRow(self.tr("Take"), self.kind)
        form.addRow(self.tr("Frames"), ends)
        vbox(form, self.note, self.buttons, on=self, margins=(16, 16, 16, 14), gap=12)
        self.setMinimumWidth(440)

    def _take_offer(self, index: int) -> None:
        if index >= len(self._offers):
            return
        first, last = self._offers[index][1]
        for field, value in ((self.first, first), (self.last, last)):
            field.blockSignals(True)  # noqa: FBT003 - Qt's signature
            field.setValue(value)
            field.blockSignals(False)  # noqa: FBT003 - Qt's signature
        self._judge()

    def _changed(self) -> None:
        own = len(self._offers)
        if (
            self.kind.currentIndex() < own
            and self._offers[self.kind.currentIndex()][1] != self.range
        ):
            self.kind.setCurrentIndex(own)
        self._judge()

    def _judge(self) -> None:
        """Say how long the movie is, or why these frames are none."""
        first, last = self.range
        end = self._facts.run_of(first)[1]
        if last < first:
            problem = self.tr("The last frame lies before the first.")
        elif last > end:
            problem = self.tr(
                "After frame {0} something else than a button changed the game, which a movie "
                "can not hold: take frames up to {0}, or from {1} on."
            ).format(end, end + 1)
        else:
            problem = ""
        self._save.setEnabled(not problem)
        set_role(self.note, "warn" if problem else "secondary")
        frames = last - first + 1
        told = self.tr("{0} frame[|s], {1}, with the state before [it|them].", None, frames)
        told = counted(told, frames)
        self.note.setText(problem or told.format(f"{frames:,}", clock_text(frames, self._fps)))
