"""Two movies side by side: the same frame of each, and where they part."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt, SignalInstance
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QDialog, QLabel, QPushButton, QSlider, QWidget

from integrator.session.hidden.movie_scores import MoviePair, PairFrame
from integrator.session.setup.plan import SessionPlan
from integrator.ui.bridge.background import Background
from integrator.ui.widgets.fields import address_text
from integrator.ui.widgets.fitting import fitted_pixmap, rgb_image
from integrator.ui.widgets.parts import hbox, role_label, set_role, vbox
from integrator.ui.widgets.texts import plain_number
from integrator.ui.widgets.theme import mono_font

_PICTURE = QSize(420, 320)


class SideBySide(QDialog):
    """Plays both movies in hidden cores, and shows the same frame of each. It goes when ``closed``
    says that the game does; ``background`` outlives it."""

    def __init__(
        self,
        background: Background,
        closed: SignalInstance,
        plan: SessionPlan,
        paths: tuple[Path, Path],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Two movies side by side"))
        self._pair: MoviePair | None = None
        self._wanted: int | None = None
        self._background = background
        self.pictures = [QLabel(alignment=Qt.AlignmentFlag.AlignCenter) for _ in paths]
        self.facts = [role_label("", "secondary", wraps=True) for _ in paths]
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setEnabled(False)
        self.slider.setAccessibleName(self.tr("Frame of both movies"))
        self.slider.valueChanged.connect(self.seek)
        self.state = role_label(self.tr("Playing both movies in hidden cores…"), "subheading")
        self.bytes = role_label("", "secondary", wraps=True)
        self.bytes.setFont(mono_font())
        names = self.tr("inputs"), self.tr("rewards"), self.tr("RAM")
        self.firsts = [QPushButton(name) for name in names]
        for button in self.firsts:
            button.setEnabled(False)
        columns = hbox(gap=12)
        for path, picture, facts in zip(paths, self.pictures, self.facts, strict=True):
            picture.setFixedSize(_PICTURE)
            picture.setAccessibleName(path.name)
            name = role_label(path.name, "secondary")
            name.setToolTip(str(path))
            columns.addLayout(vbox(name, picture, facts, gap=4))
        below = hbox(self.state, None, *self.firsts, gap=8)
        vbox(columns, self.slider, below, self.bytes, on=self)
        closed.connect(self.close)
        self._background.start(lambda _: MoviePair(plan, paths), self._ready, self._failed)

    def _ready(self, pair: MoviePair) -> None:
        self._pair = pair
        self.slider.setRange(1, pair.length)
        self.slider.setEnabled(True)
        for button, first in zip(self.firsts, pair.firsts.values(), strict=True):
            text = self.tr("{0}: from frame {1}") if first else self.tr("{0}: the same")
            button.setText(text.format(button.text(), f"{first:,}" if first else ""))
            button.setEnabled(bool(first))
            button.clicked.connect(partial(self.slider.setValue, first or 1))
        self.seek(1)

    def _failed(self, error: Exception) -> None:
        self.state.setText(str(error))
        set_role(self.state, "bad")

    def seek(self, frame: int) -> None:
        """Show a frame of both; of several wishes the latest counts."""
        pair = self._pair
        if pair is None:
            return
        waits = self._wanted is not None
        self._wanted = frame
        if not waits:
            self._background.start(lambda _: pair.at(frame), self._show, self._failed)

    def _show(self, shown: PairFrame) -> None:
        wanted, self._wanted = self._wanted, None
        length = self._pair.length if self._pair else 0
        self.state.setText(self.tr("frame {0} of {1}").format(f"{shown.frame:,}", f"{length:,}"))
        for side, picture, facts in zip(shown.sides, self.pictures, self.facts, strict=True):
            image = QImage() if side.picture is None else rgb_image(side.picture)
            ratio = self.devicePixelRatioF()
            picture.setPixmap(fitted_pixmap(image, _PICTURE, ratio, smooth=False))
            text = self.tr("{0} · reward {1} · so far {2}")
            numbers = plain_number(side.reward), plain_number(side.total)
            facts.setText(text.format(side.buttons, *numbers))
        cells = [f"{address_text(at)} {here}→{there}" for at, here, there in shown.bytes]
        self.bytes.setText("   ".join(cells) or self.tr("RAM is the same"))
        if wanted is not None and wanted != shown.frame:
            self.seek(wanted)

    def done(self, result: int) -> None:
        pair, self._pair = self._pair, None
        if pair is not None:
            self._background.start(lambda _: pair.close())
        super().done(result)
