"""The steps of a search as chips."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from integrator.domain.search import Search
from integrator.domain.search_json import Step
from integrator.ui.find_status import step_text
from integrator.ui.flow_layout import FlowLayout
from integrator.ui.panels import set_role


class StepChips(QWidget):
    """``command_requested``: undo back to the chip that was clicked."""

    command_requested = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._flow = FlowLayout(self)
        self.hide()

    def show_steps(self, steps: Sequence[Step]) -> None:
        """One chip a step, the last one lit."""
        while (item := self._flow.takeAt(0)) is not None:
            chip = item.widget()
            if chip is not None:
                chip.hide()
                chip.deleteLater()
        for at, step in enumerate(steps):
            chip = QPushButton(f"{step_text(step)}   {step.count:,}")
            set_role(chip, "chip")
            chip.setCheckable(True)
            chip.setChecked(at == len(steps) - 1)
            chip.setToolTip(self.tr("Go back to this step"))
            back = len(steps) - 1 - at
            chip.clicked.connect(lambda _=False, n=back: self._go_back(n))
            self._flow.addWidget(chip)
        self.setVisible(bool(steps))

    def _go_back(self, steps: int) -> None:
        def undo(search: Search) -> None:
            for _ in range(steps):
                search.undo()

        # The chips are rebuilt by the answer: not while one of them still handles its click.
        QTimer.singleShot(0, self, lambda: self.command_requested.emit(undo))
