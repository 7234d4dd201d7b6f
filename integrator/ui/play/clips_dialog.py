"""The Save clip dialog: frames, kind of file, progress."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFormLayout,
    QProgressBar,
    QPushButton,
    QWidget,
)

from integrator.ui.widgets.panels.parts import NumberBox, Segments, hbox, role_label, vbox
from integrator.ui.widgets.texts import clock_text
from integrator.ui.widgets.theme import Theme

_SECONDS = (5, 10, 30, 60)
MAX_SCALE = 4


@dataclass(frozen=True, slots=True)
class ClipRequest:
    """Frames ``start`` to ``stop - 1``, as ``suffix`` says, pixels repeated ``scale`` times."""

    start: int
    stop: int
    suffix: str
    scale: int
    sound: bool


class ClipDialog(QDialog):
    """Stays open while the clip is written; the game can be played meanwhile.

    ``length`` frames are on the timeline and ``shown`` is on the screen: clips end there, unless
    frames were ``chosen`` (first and last) on the slider.
    """

    write_requested = Signal(object)
    stop_requested = Signal()

    def __init__(
        self,
        theme: Theme,
        fps: float,
        length: int,
        shown: int,
        chosen: tuple[int, int] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Save clip"))
        self._fps = fps
        self._shown = shown
        self._chosen = chosen
        self._writing = False
        self._build_fields(theme, length)
        self._build_ui()
        self.kind.chosen.connect(self._kind_chosen)
        self.write.clicked.connect(lambda _=False: self.write_requested.emit(self.request()))
        self.stop.clicked.connect(lambda _=False: self.stop_requested.emit())
        self.close_button.clicked.connect(self.close)
        if chosen is not None:
            self.choose_range()
        else:
            self.choose_seconds(10)

    def _build_fields(self, theme: Theme, length: int) -> None:
        self.kind = Segments([(".mp4", self.tr("Video"), ""), (".gif", self.tr("GIF"), "")])
        self.kind.select(".mp4")
        self.suffix = ".mp4"
        self.first = NumberBox()
        self.last = NumberBox()
        for box, name in (
            (self.first, self.tr("First frame")),
            (self.last, self.tr("Last frame")),
        ):
            box.setRange(1, length)
            box.setMinimumWidth(90)
            box.setAccessibleName(name)
            box.valueChanged.connect(self._frames_changed)
        self.scale = NumberBox()
        self.scale.setRange(1, MAX_SCALE)
        self.scale.setValue(2)
        self.scale.setSuffix("×")
        self.scale.setToolTip(self.tr("Screen pixels for each pixel of the console"))
        self.sound = QCheckBox(self.tr("With sound"))
        self.sound.setChecked(True)
        self.note = role_label("", "secondary")
        self.progress = QProgressBar(textVisible=False)
        self.progress.setFixedHeight(6)
        self.progress.hide()
        self.write = QPushButton(theme.icons.icon("clip", "on_accent"), self.tr("Save clip…"))
        self.write.setProperty("role", "primary")
        self.stop = QPushButton(self.tr("Stop"))
        self.stop.hide()
        self.close_button = QPushButton(self.tr("Close"))

    def _build_ui(self) -> None:
        quick = hbox(gap=6)
        for seconds in _SECONDS:
            chip = QPushButton(self.tr("last {0} s").format(seconds), autoDefault=False)
            chip.setProperty("role", "chip")
            chip.clicked.connect(lambda _=False, s=seconds: self.choose_seconds(s))
            quick.addWidget(chip)
        if self._chosen is not None:
            chip = QPushButton(self.tr("range on the slider"), autoDefault=False)
            chip.setProperty("role", "chip")
            chip.clicked.connect(lambda _=False: self.choose_range())
            quick.addWidget(chip)
        quick.addStretch(1)
        frames = hbox(self.first, 4, role_label(self.tr("to"), "faint"), 4, self.last, None)
        kind = hbox(self.kind, 8, self.sound, None)
        form = QFormLayout(horizontalSpacing=14, verticalSpacing=10)
        form.addRow("", quick)
        form.addRow(self.tr("Frames"), frames)
        form.addRow(self.tr("File"), kind)
        form.addRow(self.tr("Pixels"), self.scale)
        bottom = hbox((self.note, 1), self.stop, self.close_button, self.write)
        vbox(form, self.progress, bottom, on=self, margins=(20, 16, 20, 14), gap=12)
        self.setMinimumWidth(470)

    def request(self) -> ClipRequest:
        """The request that the fields make."""
        return ClipRequest(
            self.first.value(),
            self.last.value() + 1,
            self.suffix,
            self.scale.value(),
            self.sound.isChecked(),
        )

    def choose_seconds(self, seconds: float) -> None:
        """Choose the last seconds up to the frame on the screen."""
        self.last.setValue(self._shown)
        self.first.setValue(max(1, self._shown - round(seconds * self._fps) + 1))

    def choose_range(self) -> None:
        """The frames that were chosen on the slider."""
        if self._chosen is not None:
            self.first.setValue(self._chosen[0])
            self.last.setValue(self._chosen[1])

    def _kind_chosen(self, suffix: str) -> None:
        self.suffix = suffix
        self.sound.setEnabled(suffix != ".gif")

    def _frames_changed(self) -> None:
        frames = self.last.value() - self.first.value() + 1
        self.write.setEnabled(frames > 0 and not self._writing)
        if frames > 0:
            self.note.setText(self.tr("{0} of play").format(clock_text(frames, self._fps)))
        else:
            self.note.setText(self.tr("The last frame comes before the first"))

    def show_progress(self, done: int, total: int) -> None:
        """Show the number of frames that are written."""
        self._writing = True
        self.progress.setRange(0, total)
        self.progress.setValue(done)
        self.progress.show()
        self.stop.show()
        self.write.setEnabled(False)
        self.note.setText(self.tr("Writing frame {0} of {1}").format(done, total))

    def show_end(self, path: object) -> None:
        """The clip was written; or it was stopped, or failed."""
        self._writing = False
        self.progress.hide()
        self.stop.hide()
        self._frames_changed()
        self.note.setText(self.tr("Saved") if path is not None else self.tr("No clip was saved"))
