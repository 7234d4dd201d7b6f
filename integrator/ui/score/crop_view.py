"""The Crop panel: the part of the picture that training sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QIntValidator, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from integrator.domain.frames.observation import Box
from integrator.ui.screen.crop_tool import WHOLE_PICTURE
from integrator.ui.widgets.panels.parts import PlayerSegments, hbox, push_button, role_label, vbox
from integrator.ui.widgets.theme import Theme, mono_font

_LEAST_HEIGHT = 90


def crop_of(scenario: Mapping[str, Any], player: int) -> Box | None:
    """A player's crop (x, y, width, height); None for a missing or malformed one."""
    crops = scenario.get("crops")
    crop = scenario.get("crop")
    if isinstance(crops, list):
        crop = crops[player] if player < len(crops) else None
    fits = isinstance(crop, list) and len(crop) == 4 and all(isinstance(n, int) for n in crop)
    return (crop[0], crop[1], crop[2], crop[3]) if fits and crop and any(crop) else None


class NumberField(QLineEdit):
    """A number of pixels; anything else is taken back when the field is left."""

    def __init__(self) -> None:
        super().__init__("0")
        self.setFont(mono_font())
        self.setValidator(QIntValidator(0, 4095, self))

    def value(self) -> int:
        """The number; 0 for an empty field."""
        return int(self.text() or 0)

    def show_value(self, number: int) -> None:
        """Show a number."""
        self.setText(str(number))


class CropView(QWidget):
    """Four numbers and the tool. ``crop_changed``: (player, (x, y, w, h) or None for all)."""

    crop_changed = Signal(int, object)
    draw_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._scenario: Mapping[str, Any] = {}
        self.player = 0
        self.fields: dict[str, NumberField] = {}
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
            self.tr("stable-retro can not load a scenario with a crop for each player (“crops”)."),
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
            field = NumberField()
            field.setToolTip(tip)
            field.setAccessibleName(tip)
            field.setMaximumWidth(58)
            field.editingFinished.connect(self._typed)
            numbers.addWidget(role_label(key, "faint"))
            numbers.addWidget(field)
            self.fields[key] = field
        numbers.addStretch(1)
        buttons = hbox(self.draw, self.clear, None, self.players_box)
        vbox(numbers, buttons, self.warning, None, on=self, margins=(11, 9, 11, 9), gap=8)

    def show_player(self, player: int) -> None:
        """Show another player's crop."""
        self.player = player
        self.players_box.show_player(player)
        self.show_scenario(self._scenario)

    def show_scenario(self, scenario: Mapping[str, Any]) -> None:
        """Show the crop of a scenario."""
        self._scenario = scenario
        crop = crop_of(scenario, self.player) or WHOLE_PICTURE
        for field, number in zip(self.fields.values(), crop, strict=True):
            field.show_value(number)
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
        x, y, width, height = (field.value() for field in self.fields.values())
        crop = (x, y, width, height)
        if crop != (crop_of(self._scenario, self.player) or WHOLE_PICTURE):
            self.crop_changed.emit(self.player, crop if any(crop) else None)
