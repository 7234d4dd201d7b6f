"""Shows a game while its console is tried: the picture, the memory found, and remarks."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QLabel, QScrollArea, QTableWidgetItem, QWidget

from integrator.session.library.consoles.console_trial import NO_MEMORY, ConsoleTrial
from integrator.ui.screen.screen_view import wrap_frame
from integrator.ui.widgets.panels.parts import role_label, vbox
from integrator.ui.widgets.panels.table import FixedTable
from integrator.ui.widgets.translation import counted
from libretro_host.frame import Frame

_ROOM = QSize(320, 240)


class TrialView(QWidget):
    """The newest picture of the game that is tried, and the facts once it has ended."""

    def __init__(self) -> None:
        super().__init__()
        self.picture = QLabel(self.tr("No game was tried yet."))
        self.picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.picture.setFixedSize(_ROOM)
        self.memory = FixedTable(
            self.tr("Memory"), (self.tr("address"), self.tr("bytes"), self.tr("name"))
        )
        self.words = role_label("", "secondary", wraps=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop)
        column = vbox(self.picture, (self.memory, 2), on=self, margins=0)
        words = QScrollArea(widgetResizable=True)
        words.setFrameShape(QScrollArea.Shape.NoFrame)
        words.setWidget(self.words)
        column.addWidget(words, 3)
        self.setFixedWidth(_ROOM.width())

    def show_frame(self, frame: Frame) -> None:
        """Show a picture of the game."""
        image = wrap_frame(frame)
        fitting = image.scaled(
            _ROOM, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
        self.picture.setPixmap(QPixmap.fromImage(fitting))

    def show_trial(self, trial: ConsoleTrial, remarks: Sequence[str] = ()) -> None:
        """Show memory and states as they were found, and the draft's further remarks."""
        regions = trial.info.regions
        self.memory.setRowCount(len(regions))
        for row, region in enumerate(regions):
            texts = (f"0x{region.address:X}", f"{region.size:,}", region.name)
            for at, text in enumerate(texts):
                self.memory.setItem(row, at, QTableWidgetItem(text))
        ram = self.tr("{0} bytes of memory, {1} of them changed by themselves.").format(
            f"{trial.info.ram_bytes:,}", f"{trial.changed_bytes:,}"
        )
        lines = [ram if regions else NO_MEMORY]
        lines.append(
            trial.state_remark
            or (self.tr("States are exact.") if regions else self.tr("States load."))
        )
        told = [answer for answer in trial.answered if answer is not None]
        if told:
            text = self.tr("{0} of {1} button[|s] make[s|] a difference.", None, len(told))
            lines.append(counted(text, len(told)).format(sum(told), len(told)))
        known = {trial.state_remark, *lines}
        self.show_lines([*lines, *(one for one in remarks if one not in known)])

    def show_lines(self, lines: Sequence[str]) -> None:
        """Show sentences below the memory, a line each."""
        self.words.setText("\n".join(lines))

    def clear(self) -> None:
        """Forget the game that was tried."""
        self.picture.setPixmap(QPixmap())
        self.picture.setText(self.tr("No game was tried yet."))
        self.memory.setRowCount(0)
        self.words.setText("")
