"""The menu of a game's discs: opens the drive's tray, and puts in another disc."""

from collections.abc import Mapping
from functools import partial

from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu

from integrator.ui.desk import Part
from integrator.ui.widgets.notices import NoticeKind

_OPEN, _CLOSE, _INDEX = 0, 1, 2
"""Ids of a descriptor's axes of the device ``disc``."""


class DiscsMenu(Part):
    """Shown at the mouse. A disc is changed on the next frame, as a button is pressed."""

    def _set_up(self) -> None:
        self.menu = QMenu(self._window)
        self._desk.actions.on("discs", self.show)

    def show(self) -> None:
        game = self._controller.game
        if game is None:
            return
        if not any(each.axis.device == "disc" for each in game.axes):
            text = self.tr("{0} has no other disc; open a .m3u that lists the discs of a game")
            self._say(NoticeKind.INFO, text.format(game.rom.name))
            return
        self.menu.clear()
        self.menu.addAction(self.tr("Open the tray"), lambda: self._move({_OPEN: 1}))
        for index, name in enumerate(game.discs):
            text = self.tr("Put in disc {0}: {1}").format(index + 1, name.replace("&", "&&"))
            self.menu.addAction(text, partial(self._move, {_CLOSE: 1, _INDEX: index}))
        self.menu.popup(QCursor.pos())

    def _move(self, drive: Mapping[int, int]) -> None:
        game = self._controller.game
        if game is not None:
            self._bridge.live.nudge(
                tuple(
                    drive.get(each.axis.id, 0) if each.axis.device == "disc" else 0
                    for each in game.axes
                )
            )
