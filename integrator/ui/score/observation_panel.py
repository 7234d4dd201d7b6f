"""The picture that an agent gets: the Crop panel sets its crop, the Observation panel shows it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import QLineEdit

from integrator.domain.frames.observation import Box, ObservationRule, Picture
from integrator.domain.frames.observation import stack as stacked
from integrator.domain.scenario.tree import Crop
from integrator.session.edits import commands as edits
from integrator.session.edits.snapshot import Documents, GameSnapshot
from integrator.session.frame.pipeline import observe
from integrator.session.frame.result import FrameResult
from integrator.ui import widgets as ui
from integrator.ui.score.reward_view import RewardView
from integrator.ui.screen.crop_tool import WHOLE_PICTURE, CropTool
from integrator.ui.screen.screen_view import ScreenView
from integrator.ui.window_context import PanelView
from libretro_host.host import Frame, PixelFormat
from libretro_host.stepper import Reduction


def crop_of(scenario: Mapping[str, Any], player: int) -> Box:
    """Return a player's crop (x, y, width, height); the whole picture for an invalid one."""
    crops = scenario.get("crops")
    crop = scenario.get("crop")
    if isinstance(crops, list):
        crop = crops[player] if player < len(crops) else None
    fits = isinstance(crop, list) and len(crop) == 4 and all(isinstance(n, int) for n in crop)
    return (crop[0], crop[1], crop[2], crop[3]) if fits and crop else WHOLE_PICTURE


class CropView(ui.FitsSize, PanelView):
    """The four numbers of each player's crop, and the tool that draws it."""

    def _set_up(self) -> None:
        self.tool = CropTool(self._screen.game_screen)
        self.tool.drawn.connect(self._drawn)
        self.fields: dict[str, QLineEdit] = {}
        self.players_box = players = ui.PlayerSegments()
        players.player_chosen.connect(self.show_player)
        tip = self.tr("Drag a rectangle on the screen")
        self.draw = ui.push_button(self.tr("Draw"), self._draw, tip, icon="crop")
        text, tip = self.tr("Whole"), self.tr("Let training see the whole picture")
        set_crop = self.set_crop
        self.clear = ui.push_button(text, lambda: set_crop(players.player, None), tip, "flat")
        text = self.tr("stable-retro cannot load a scenario with a crop for each player (“crops”).")
        self.warning = ui.role_label(text, "warn", wraps=True)
        numbers = ui.hbox(gap=6)
        for key, tip in (
            ("x", self.tr("Left edge, in pixels of the console")),
            ("y", self.tr("Upper edge")),
            ("w", self.tr("Width; 0 is the whole picture's")),
            ("h", self.tr("Height; 0 is the whole picture's")),
        ):
            # The field drops an invalid text when it loses focus.
            numeric = QIntValidator(0, 4095, self)
            field = ui.line_edit(tip, "", tip=tip, validator=numeric, maximumWidth=58)
            field.setFont(ui.mono_font())
            self.fields[key] = field
            field.editingFinished.connect(self._typed)
            numbers.addWidget(ui.role_label(key, "faint"))
            numbers.addWidget(field)
        numbers.addStretch(1)
        buttons = ui.hbox(self.draw, self.clear, None, self.players_box)
        ui.vbox(numbers, buttons, self.warning, None, on=self, margins=(11, 9, 11, 9), gap=8)
        self._controller.follow(lambda _: self._show(), "scenario", "variables")
        self._docks = (self._dock, ui.dock_of(self._parts[RewardView]))
        for dock in self._docks:
            dock.visibilityChanged.connect(lambda _: self._outline())

    def _closed(self) -> None:
        self.show_player(0)

    def show_player(self, player: int) -> None:
        self.players_box.show_player(player)
        self._show()

    def _show(self) -> None:
        crop = self._crop()
        for field, number in zip(self.fields.values(), crop, strict=True):
            field.setText(str(number))
        self.clear.setEnabled(any(crop))
        self.warning.setVisible("crops" in self._controller.scenario)
        self._fit()
        self._outline()

    def _outline(self) -> None:
        """Draw the crop on the screen while this panel or the Reward panel is visible."""
        screen, game = self._screen.game_screen, self._controller.game
        if game is None or not any(dock.isVisible() for dock in self._docks):
            screen.outline(None)
            return
        screen.outline(replace(game.observation, crop=Crop(*self._crop())))

    def _crop(self) -> Box:
        return crop_of(self._controller.scenario, self.players_box.player)

    def _draw(self) -> None:
        game, frame = self._controller.game, self._screen.game_screen.frame
        if game is not None and frame is not None:
            self.tool.begin(game.observation.place_in(frame.width, frame.height, frame.rotation))

    def _drawn(self, box: Box) -> None:
        game, frame = self._controller.game, self._screen.game_screen.frame
        if game is not None and frame is not None:
            crop = game.observation.crop_of(box, frame.width, frame.height, frame.rotation)
            self.set_crop(self.players_box.player, crop)

    def set_crop(self, player: int, crop: Box | None) -> None:
        """Set the part of the picture that training sees; None is the whole picture."""
        numbers = None if crop is None else list(crop)
        self._controller.edit(edits.change_scenario(edits.set_crop, player, numbers))

    def _fit(self) -> None:
        """Take the warning's space from the panels above, because the warning is rarely shown."""
        if (layout := self.layout()) is not None:
            self.setMinimumHeight(max(90, layout.minimumHeightForWidth(self.width())))

    def _typed(self) -> None:
        x, y, width, height = (int(field.text() or 0) for field in self.fields.values())
        if (crop := (x, y, width, height)) != self._crop():
            self.set_crop(self.players_box.player, crop if any(crop) else None)


SMALL = 84  # side in pixels of the square to which training usually shrinks pictures
STACKED = 4  # number of pictures that training usually stacks, each that many frames apart
_KEPT = STACKED * (STACKED - 1) + 1  # frames from the oldest picture of a stack to its newest


class ObservationView(PanelView):
    """Shows the newest frames as an agent gets them, after the selected preprocessing steps. A
    rectangle that the user draws on the picture becomes the scenario's crop."""

    def _set_up(self) -> None:
        self._rule = ObservationRule(0, 0)
        self._frames: dict[int, Frame] = {}
        traits = {"minimumSize": QSize(80, 60), "focusPolicy": Qt.FocusPolicy.NoFocus}
        self.screen_view = ui.named(ScreenView(), self.tr("Observation"), **traits)
        self.tool = CropTool(self.screen_view)
        tip = self.tr("Brightness only, as training usually reduces colors")
        self.gray = ui.toggle_button(self.tr("gray"), tip)
        tip = self.tr("Shrunk to a square; each pixel is the mean of the area that it covers")
        self.small = ui.toggle_button(self.tr("{0} × {0}").format(SMALL), tip)
        tip = self.tr(
            "This picture and those {0}, {1} and {2} frames before, oldest first; frames that "
            "were not shown repeat their neighbor"
        ).format(*(STACKED * n for n in range(1, STACKED)))
        self.stacked = ui.toggle_button(self.tr("stack {0}").format(STACKED), tip)
        for step in (self.gray, self.small, self.stacked):
            step.toggled.connect(self._refresh)
        tip = self.tr("Drag a rectangle over the whole picture that stable-retro hands out")
        self.draw = ui.push_button(self.tr("Draw"), self._draw, tip, "flat", icon="crop")
        self.draw.setAccessibleName(self.tr("Draw the crop on the observation"))
        self.note = ui.role_label("", "faint", wraps=True)
        self.warning = ui.NoteLabel("warn")
        looks = ui.hbox(self.gray, self.small, self.stacked, None, gap=5)
        row = ui.FoldingRow(looks, ui.hbox(self.draw, None), 5)
        parts = (row, (self.screen_view, 1), self.note, self.warning)
        self._fill(ui.vbox(*parts, margins=(9, 8, 9, 8), gap=6), "camera", "observation")
        self.tool.drawn.connect(self._set_crop)
        self.tool.ended.connect(self._refresh)
        self._show(None)
        self._bridge.frame_ready.connect(self._keep)
        self._sight.follow(self._bridge.readout_ready, lambda _: self._refresh())
        self._sight.appeared.connect(self._refresh)
        self._controller.follow(self._follow_crop, "scenario")

    def _draw(self) -> None:
        self.tool.begin()
        self._refresh()

    def _show(self, picture: Picture | None, note: str = "", warning: str = "") -> None:
        """Show an observation of shape (height, width[, 3]), or None without one."""
        self.pages.show_content(picture is not None)
        self.screen_view.show_frame(None if picture is None else _as_frame(picture))
        self.note.setText(note)
        self.warning.setText(warning)

    def _opened(self, game: GameSnapshot) -> None:
        self._rule = game.observation
        self._frames.clear()
        self._follow_crop(game.documents)

    def _closed(self) -> None:
        self._frames.clear()
        self._show(None)

    def _follow_crop(self, documents: Documents) -> None:
        self._rule = replace(self._rule, crop=Crop(*crop_of(documents.scenario, 0)))
        self._refresh()

    def _keep(self, result: FrameResult) -> None:
        """Store a frame. After a jump, earlier frames belong to other play, and are dropped."""
        newest = max(self._frames, default=result.number)
        if not 0 <= result.number - newest <= _KEPT:
            self._frames.clear()
        if result.frame is not None:
            self._frames[result.number] = result.frame
        for number in [n for n in self._frames if n <= result.number - _KEPT]:
            del self._frames[number]

    def _refresh(self, *_: object) -> None:
        if not self._frames or not ui.is_in_sight(self):
            return
        newest = max(self._frames)
        frame = self._frames[newest]
        if self.tool.isVisibleTo(self.screen_view):
            self._show(observe(frame, replace(self._rule, crop=Crop())))
            return
        wanted = range(newest - _KEPT + 1, newest + 1, STACKED)
        chosen = [self._frames[n] for n in wanted if n in self._frames]
        picture = self._prepared(frame)
        note = self._note(frame, picture)
        if self.stacked.isChecked() and picture.size:
            pictures = stacked([self._prepared(each) for each in chosen], STACKED)
            picture = np.vstack([np.hstack(pictures[:2]), np.hstack(pictures[2:])])
        faults = (self._rule.lost(frame.width, frame.height), self._rule.crop_fault)
        warning = " ".join(f"{text[:1].upper()}{text[1:]}." for text in faults if text)
        self._show(picture, note, warning)

    def _prepared(self, frame: Frame) -> Picture:
        picture = observe(frame, self._rule)
        gray, small = self.gray.isChecked(), self.small.isChecked()
        if not picture.size or not (gray or small):
            return picture
        size = (SMALL, SMALL) if small else None
        return Reduction(picture.shape[:2], size, gray=gray).reduce(picture)

    def _note(self, frame: Frame, picture: Picture) -> str:
        bits = "-".join(map(str, frame.pixel_format.channel_bits))
        text = f"{picture.shape[1]} × {picture.shape[0]}"
        text += f" × {STACKED}" if self.stacked.isChecked() else ""
        gray = self.gray.isChecked()
        text += " · " + (self.tr("gray") if gray else self.tr("{0} bits of color").format(bits))
        if picture.shape[:2] == (self._rule.height, self._rule.width):
            return text
        whole = self.tr("of {0} × {1}").format(self._rule.width, self._rule.height)
        return f"{text} · {whole}"

    def _set_crop(self, box: Box) -> None:
        frame, rule = self._frames[max(self._frames)], self._rule
        crop = rule.crop_of(box, rule.width, rule.height, frame.rotation)
        self._parts[CropView].set_crop(0, crop)


def _as_frame(picture: Picture) -> Frame | None:
    """Return the picture in a format that the screen paints; None if it has no pixels."""
    if not picture.size:
        return None
    colors = picture if picture.ndim == 3 else np.repeat(picture[:, :, None], 3, axis=2)
    height, width, _ = colors.shape
    pixels = np.empty((height, width, 4), np.uint8)
    pixels[:, :, 2::-1] = colors
    pixels[:, :, 3] = 0xFF
    return Frame(pixels.reshape(height, -1), width, height, PixelFormat.XRGB8888)
