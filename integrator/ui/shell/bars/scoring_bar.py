"""In the status bar: how far recorded frames are scored again, and the way to stop."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QPushButton

from integrator.session.frame.result import RecordedScored, RecordedScoring
from integrator.ui.widgets.panels.labels import role_label, set_role


class ScoringBar(QFrame):
    """Hidden while recorded frames have the scores of today's documents.

    ``shown`` tells when it comes and goes.
    """

    shown = Signal(bool)
    stop_requested = Signal()
    again_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.text = role_label("", "secondary")
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setFixedSize(90, 4)
        self.bar.setAccessibleName(self.tr("Recorded frames scored"))
        self.stop = QPushButton(self.tr("Stop"))
        self.stop.setToolTip(self.tr("Recorded frames keep the scores that they had"))
        self.stop.clicked.connect(self.stop_requested)
        self.again = QPushButton(self.tr("Score again"))
        self.again.clicked.connect(self.again_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSizeConstraint(QHBoxLayout.SizeConstraint.SetMinimumSize)
        row.setSpacing(8)
        for widget in (self.text, self.bar, self.stop, self.again):
            row.addWidget(widget)
        for button in (self.stop, self.again):
            set_role(button, "flat")
        self.hide()

    def setVisible(self, visible: bool) -> None:  # noqa: N802 - Qt's name
        """Come or go."""
        super().setVisible(visible)
        self.shown.emit(visible)

    def show_progress(self, event: RecordedScoring) -> None:
        """Show the progress of scoring."""
        self.text.setText(self.tr("scoring again"))
        set_role(self.text, "secondary")
        self.setToolTip(self.tr("Recorded frames to score: {0}").format(f"{event.frames:,}"))
        self.bar.setValue(round(event.share * 1000))
        self._show(running=True)

    def show_end(self, event: RecordedScored) -> None:
        """Show that all is scored, or keeps the scores from before the last edit."""
        if event.result is not None:
            self.hide()
            return
        self.text.setText(self.tr("recorded frames have old scores"))
        set_role(self.text, "warn")
        self.setToolTip(event.text)
        self._show(running=False)

    def _show(self, *, running: bool) -> None:
        self.bar.setVisible(running)
        self.stop.setVisible(running)
        self.again.setVisible(not running)
        self.show()
