"""The picture that an agent gets: the Crop panel cuts it, the Observation panel shows it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIntValidator, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QPushButton, QToolButton, QWidget

from integrator.domain.frames.observation import Box, ObservationRule, Picture
from integrator.domain.frames.observation import stack as stacked
from integrator.domain.scenario.tree import Crop
from integrator.session.edits import commands as edits
from integrator.session.edits.snapshot import Documents, GameSnapshot
from integrator.session.frame.pipeline import observe
from integrator.session.frame.result import FrameResult
from integrator.ui.desk import PanelController
from integrator.ui.screen.crop_tool import WHOLE_PICTURE, CropTool
from integrator.ui.screen.screen_view import ScreenView
from integrator.ui.widgets.docks import is_in_sight
from integrator.ui.widgets.parts import (
    EmptyOr,
    EmptyState,
    PlayerSegments,
    hbox,
    line_edit,
    push_button,
    role_label,
    set_role,
    stack,
    vbox,
)
from integrator.ui.widgets.theme import Theme, mono_font
from libretro_host.host import Frame, PixelFormat
from libretro_host.stepper import Reduction

_LEAST_HEIGHT = 90


def crop_of(scenario: Mapping[str, Any], player: int) -> Box | None:
    """A player's crop (x, y, width, height); None for a missing or malformed one."""
    crops = scenario.get("crops")
    crop = scenario.get("crop")
    if isinstance(crops, list):
        crop = crops[player] if player < len(crops) else None
    fits = isinstance(crop, list) and len(crop) == 4 and all(isinstance(n, int) for n in crop)
    return (crop[0], crop[1], crop[2], crop[3]) if fits and crop and any(crop) else None


class CropView(QWidget):
    """Four numbers and the tool. ``crop_changed``: (player, (x, y, w, h) or None for all)."""

    crop_changed = Signal(int, object)
    draw_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._scenario: Mapping[str, Any] = {}
        self.player = 0
        self.fields: dict[str, QLineEdit] = {}
        self.players_box = PlayerSegments()
        self.players_box.player_chosen.connect(self.show_player)
        self.draw = push_button(
            self.tr("Draw"),
            self.draw_requested.emit,
            self.tr("Drag a rectangle on the screen"),
            icon=theme.icons.icon("crop"),
        )
        self.clear = push_button(
            self.tr("Whole"),
            lambda: self.crop_changed.emit(self.player, None),
            self.tr("Let training see the whole picture"),
            "flat",
        )
        self.warning = role_label(
            self.tr("stable-retro cannot load a scenario with a crop for each player (“crops”)."),
            "warn",
            wraps=True,
        )
        numbers = hbox(gap=6)
        names = {
            "x": self.tr("Left edge, in pixels of the console"),
            "y": self.tr("Upper edge"),
            "w": self.tr("Width; 0 is the whole picture's"),
            "h": self.tr("Height; 0 is the whole picture's"),
        }
        for key, tip in names.items():
            field = line_edit(tip, "", tip=tip)
            field.setFont(mono_font())
            # Anything but a number is taken back when the field is left.
            field.setValidator(QIntValidator(0, 4095, field))
            field.setMaximumWidth(58)
            field.editingFinished.connect(self._typed)
            numbers.addWidget(role_label(key, "faint"))
            numbers.addWidget(field)
            self.fields[key] = field
        numbers.addStretch(1)
        buttons = hbox(self.draw, self.clear, None, self.players_box)
        vbox(numbers, buttons, self.warning, None, on=self, margins=(11, 9, 11, 9), gap=8)

    def show_player(self, player: int) -> None:
        self.player = player
        self.players_box.show_player(player)
        self.show_scenario(self._scenario)

    def show_scenario(self, scenario: Mapping[str, Any]) -> None:
        self._scenario = scenario
        crop = crop_of(scenario, self.player) or WHOLE_PICTURE
        for field, number in zip(self.fields.values(), crop, strict=True):
            field.setText(str(number))
        self.clear.setEnabled(any(crop))
        self.warning.setVisible("crops" in scenario)
        self._keep_whole()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Keep room for the lines that the warning has in this width."""
        super().resizeEvent(event)
        self._keep_whole()

    def _keep_whole(self) -> None:
        """Take the room of a warning from the panels above, because it is seldom there."""
        layout = self.layout()
        if layout is not None:
            self.setMinimumHeight(max(_LEAST_HEIGHT, layout.minimumHeightForWidth(self.width())))

    def _typed(self) -> None:
        x, y, width, height = (int(field.text() or 0) for field in self.fields.values())
        crop = (x, y, width, height)
        if crop != (crop_of(self._scenario, self.player) or WHOLE_PICTURE):
            self.crop_changed.emit(self.player, crop if any(crop) else None)


SMALL = 84  # side of the square that training usually shrinks pictures to
STACKED = 4  # pictures that training usually stacks, as many frames apart


class ObservationView(QWidget):
    """Shows a picture given to it. ``changed``: other steps of preprocessing are chosen.
    ``crop_drawn`` gives (x, y, width, height) in pixels of the picture that was shown."""

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
        self.note = role_label("", "faint", wraps=True)
        self.warning = role_label("", "warn", wraps=True)
        self._build_ui(theme)
        self.tool.drawn.connect(self.crop_drawn)
        self.tool.ended.connect(self.changed)
        self.draw.clicked.connect(self.tool.begin)
        self.draw.clicked.connect(self.changed)
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
        content = QWidget()
        parts = (row, (self.screen_view, 1), self.note, self.warning)
        vbox(*parts, on=content, margins=(9, 8, 9, 8), gap=6)
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
        return self.tool.isVisibleTo(self.screen_view)

    def show_picture(self, picture: Picture | None, note: str = "", warning: str = "") -> None:
        """Show an observation, of shape (height, width[, 3]); None before there is one."""
        self.pages.show_content(picture is not None)
        self.screen_view.show_frame(None if picture is None else _as_frame(picture))
        self.note.setText(note)
        self.warning.setText(warning)
        self.warning.setVisible(bool(warning))


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


_KEPT = STACKED * (STACKED - 1) + 1  # frames from the oldest picture of a stack to the newest


class ObservationController(PanelController[ObservationView]):
    """Keeps the last frames for a stack, and turns a drawn rectangle into the scenario's crop."""

    def _set_up(self) -> None:
        bridge, view = self._bridge, self._view
        self._rule = ObservationRule(0, 0)
        self._frames: dict[int, Frame] = {}
        bridge.closed.connect(self._frames.clear)
        bridge.closed.connect(lambda: view.show_picture(None))
        bridge.frame_ready.connect(self._keep)
        self._sight.follow(bridge.readout_ready, lambda _: self.refresh())
        self._sight.appeared.connect(self.refresh)
        self._controller.follow(self._follow_crop, "scenario")
        view.changed.connect(self.refresh)
        view.crop_drawn.connect(self._set_crop)

    def _opened(self, game: GameSnapshot) -> None:
        self._rule = game.observation
        self._frames.clear()
        self._follow_crop(game.documents)

    def _follow_crop(self, documents: Documents) -> None:
        crop = crop_of(documents.scenario, 0)
        self._rule = replace(self._rule, crop=Crop(*crop) if crop else Crop())
        self.refresh()

    def _keep(self, result: FrameResult) -> None:
        """Remember a frame; after a jump those before it are of another course of play."""
        newest = max(self._frames, default=result.number)
        if not 0 <= result.number - newest <= _KEPT:
            self._frames.clear()
        if result.frame is not None:
            self._frames[result.number] = result.frame
        for number in [n for n in self._frames if n <= result.number - _KEPT]:
            del self._frames[number]

    def refresh(self) -> None:
        if not self._frames or not is_in_sight(self._view):
            return
        newest = max(self._frames)
        frame = self._frames[newest]
        if self._view.drawing:
            self._view.show_picture(observe(frame, replace(self._rule, crop=Crop())))
            return
        wanted = range(newest - _KEPT + 1, newest + 1, STACKED)
        chosen = [self._frames[n] for n in wanted if n in self._frames]
        picture = self._prepared(frame)
        note = self._note(frame, picture)
        if self._view.stacked.isChecked() and picture.size:
            pictures = stacked([self._prepared(each) for each in chosen], STACKED)
            picture = np.vstack([np.hstack(pictures[:2]), np.hstack(pictures[2:])])
        self._view.show_picture(picture, note, self._warning(frame))

    def _prepared(self, frame: Frame) -> Picture:
        picture = observe(frame, self._rule)
        gray, small = self._view.gray.isChecked(), self._view.small.isChecked()
        if not picture.size or not (gray or small):
            return picture
        height, width, _ = picture.shape
        size = (SMALL, SMALL) if small else None
        return Reduction((height, width), size, gray=gray).reduce(picture)

    def _note(self, frame: Frame, picture: Picture) -> str:
        bits = "-".join(str(n) for n in frame.pixel_format.channel_bits)
        text = f"{picture.shape[1]} × {picture.shape[0]}"
        if self._view.stacked.isChecked():
            text += f" × {STACKED}"
        gray = self._view.gray.isChecked()
        text += " · " + (self.tr("gray") if gray else self.tr("{0} bits of color").format(bits))
        if picture.shape[:2] == (self._rule.height, self._rule.width):
            return text
        whole = self.tr("of {0} × {1}").format(self._rule.width, self._rule.height)
        return f"{text} · {whole}"

    def _warning(self, frame: Frame) -> str:
        texts = (self._rule.lost(frame.width, frame.height), self._rule.crop_fault)
        return " ".join(f"{text[:1].upper()}{text[1:]}." for text in texts if text)

    def _set_crop(self, box: Box) -> None:
        frame = self._frames[max(self._frames)]
        crop = self._rule.crop_of(box, self._rule.width, self._rule.height, frame.rotation)
        self._controller.edit(
            edits.change_scenario(lambda root: edits.set_crop(root, 0, list(crop)))
        )
