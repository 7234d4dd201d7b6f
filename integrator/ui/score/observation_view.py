"""The Observation panel: the picture that an agent gets of the frame on the screen."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget

from integrator.domain.frames.observation import Picture
from integrator.ui.screen.crop_tool import CropTool
from integrator.ui.screen.screen_view import ScreenView
from integrator.ui.widgets.panels.empty import EmptyOr, EmptyState
from integrator.ui.widgets.panels.labels import role_label, set_role
from integrator.ui.widgets.room.boxes import hbox, stack, vbox
from integrator.ui.widgets.theme import Theme
from libretro_host.frame import Frame, PixelFormat

SMALL = 84
"""Side of the square that training usually shrinks pictures to."""
STACKED = 4
"""Pictures that training usually stacks, as many frames apart."""


class ObservationView(QWidget):
    """Shows a picture given to it. ``changed``: other steps of preprocessing are chosen.

    ``crop_drawn`` gives (x, y, width, height) in pixels of the picture that was shown.
    """

    changed = Signal()
    crop_drawn = Signal(tuple)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.screen_view = ScreenView(theme)
        self.screen_view.setMinimumSize(QSize(80, 60))
        self.screen_view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.screen_view.setAccessibleName(self.tr("Observation"))
        self.tool = CropTool(self.screen_view)
        self.gray = self._choice(
            self.tr("gray"), self.tr("Brightness only, as training usually reduces colors")
        )
        self.small = self._choice(
            self.tr("{0} × {0}").format(SMALL),
            self.tr("Shrunk to a square; each pixel is the mean of the area that it covers"),
        )
        self.stacked = self._choice(
            self.tr("stack {0}").format(STACKED),
            self.tr(
                "This picture and those {0}, {1} and {2} frames before, oldest first; frames that "
                "were not shown repeat their neighbour"
            ).format(*(STACKED * n for n in range(1, STACKED))),
        )
        self.draw = QPushButton(theme.icons.icon("crop"), self.tr("Draw"))
        self.draw.setAccessibleName(self.tr("Draw the crop on the observation"))
        self.draw.setToolTip(
            self.tr("Drag a rectangle over the whole picture that stable-retro hands out")
        )
        self.note = role_label("", "faint")
        self.warning = role_label("", "warn")
        self._build_ui(theme)
        self.tool.drawn.connect(self.crop_drawn)
        self.tool.ended.connect(self._drawing_ended)
        self.draw.clicked.connect(self._begin_drawing)
        self.show_picture(None)

    def _choice(self, text: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setToolTip(tip)
        button.setAccessibleName(text)
        button.setCheckable(True)
        button.toggled.connect(self.changed)
        return button

    def _build_ui(self, theme: Theme) -> None:
        row = hbox(self.gray, self.small, self.stacked, None, self.draw, gap=5)
        set_role(self.draw, "flat")
        for label in (self.note, self.warning):
            label.setWordWrap(True)
        content = QWidget()
        vbox(
            row,
            (self.screen_view, 1),
            self.note,
            self.warning,
            on=content,
            margins=(9, 8, 9, 8),
            gap=6,
        )
        empty = EmptyState(
            theme,
            "camera",
            self.tr("No picture yet"),
            self.tr("Open a game to see each frame as an agent gets it."),
        )
        self.pages = EmptyOr(empty, content)
        stack(self, self.pages)

    @property
    def drawing(self) -> bool:
        """True while a crop is drawn, for which the whole picture is needed."""
        return self.tool.isVisibleTo(self.screen_view)

    def show_picture(self, picture: Picture | None, note: str = "", warning: str = "") -> None:
        """Show an observation, of shape (height, width[, 3]); None before there is one."""
        self.pages.show_content(picture is not None)
        self.screen_view.show_frame(None if picture is None else _as_frame(picture))
        self.note.setText(note)
        self.warning.setText(warning)
        self.warning.setVisible(bool(warning))

    def _begin_drawing(self) -> None:
        self.tool.begin()
        self.changed.emit()

    def _drawing_ended(self) -> None:
        self.changed.emit()


def _as_frame(picture: Picture) -> Frame | None:
    """The picture in a format that the screen draws; None for one without pixels."""
    if not picture.size:
        return None
    colors = picture if picture.ndim == 3 else np.repeat(picture[:, :, None], 3, axis=2)
    height, width, _ = colors.shape
    pixels = np.empty((height, width, 4), np.uint8)
    pixels[:, :, 2::-1] = colors
    pixels[:, :, 3] = 0xFF
    return Frame(pixels.reshape(height, -1), width, height, PixelFormat.XRGB8888)
