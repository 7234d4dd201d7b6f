"""The progress of a proof, over the whole width of a panel, with a button to stop it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QProgressBar

from integrator.ui.widgets.panels.parts import hbox, push_button, role_label
from integrator.ui.widgets.theme import SIZES, Theme


class ProofBar(QFrame):
    """Hidden while nothing runs. ``cancel_requested``: stop, and keep the results so far."""

    cancel_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("PanelFooter")
        self.text = role_label("", "secondary")
        self.bar = QProgressBar(textVisible=False)
        self.bar.setFixedHeight(4)
        self.bar.setMinimumWidth(24)
        icon, tip = theme.icons.icon("stop"), self.tr("Stop, and keep what was found so far")
        cancelled = self.cancel_requested.emit
        self.cancel = push_button(self.tr("Cancel"), cancelled, tip, "flat", icon)
        margins = (SIZES.pad, 5, SIZES.pad, 5)
        hbox(self.text, (self.bar, 1), self.cancel, on=self, margins=margins, gap=10)
        self.hide()

    def begin(self, text: str) -> None:
        self.text.setText(text)
        self.bar.setRange(0, 0)
        self.cancel.setEnabled(True)
        self.show()

    def show_progress(self, done: int, total: int) -> None:
        self.bar.setRange(0, max(1, total))
        self.bar.setValue(done)

    def ending(self) -> None:
        self.text.setText(self.tr("Stopping…"))
        self.cancel.setEnabled(False)
