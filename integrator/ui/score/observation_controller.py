"""Feeds the Observation panel with each frame's observation, while the panel can be seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QObject

from integrator.domain.frames.observation import Box, ObservationRule, Picture, stack
from integrator.domain.scenario.tree import Crop
from integrator.session.edits import commands as edits
from integrator.session.edits import scenario as scenario_edits
from integrator.session.edits.snapshot import Documents, GameSnapshot
from integrator.session.frame.observing import observe
from integrator.session.frame.result import FrameResult
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.bridge.sight import Sight
from integrator.ui.score.crop_view import crop_of
from integrator.ui.score.observation_view import SMALL, STACKED, ObservationView
from integrator.ui.widgets.panels.docks import is_in_sight
from libretro_host.frame import Frame
from libretro_host.reduction import Reduction

_KEPT = STACKED * (STACKED - 1) + 1
"""Frames from the oldest picture of a stack to the newest."""


class ObservationController(QObject):
    """Keeps the last frames for a stack, and turns a drawn rectangle into the scenario's crop."""

    def __init__(
        self,
        bridge: SessionBridge,
        controller: GameController,
        view: ObservationView,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._controller = controller
        self._view = view
        self._rule = ObservationRule(0, 0)
        self._frames: dict[int, Frame] = {}
        bridge.opened.connect(self._opened)
        bridge.closed.connect(self._closed)
        bridge.frame_ready.connect(self._keep)
        sight = Sight(bridge, view)
        sight.follow(bridge.readout_ready, lambda _: self.refresh())
        sight.appeared.connect(self.refresh)
        controller.follow(self._follow_crop, "scenario")
        view.changed.connect(self.refresh)
        view.crop_drawn.connect(self._set_crop)

    def _opened(self, game: GameSnapshot) -> None:
        self._rule = game.observation
        self._frames.clear()
        self._follow_crop(game.documents)

    def _closed(self) -> None:
        self._frames.clear()
        self._view.show_picture(None)

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
        """Show the newest frame's observation."""
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
            pictures = stack([self._prepared(each) for each in chosen], STACKED)
            picture = np.vstack([np.hstack(pictures[:2]), np.hstack(pictures[2:])])
        self._view.show_picture(picture, note, self._warning(frame))

    def _prepared(self, frame: Frame) -> Picture:
        picture = observe(frame, self._rule)
        gray, small = self._view.gray.isChecked(), self._view.small.isChecked()
        if not picture.size or not (gray or small):
            return picture
        height, width, _ = picture.shape
        return Reduction((height, width), (SMALL, SMALL) if small else None, gray=gray).reduce(
            picture
        )

    def _note(self, frame: Frame, picture: Picture) -> str:
        """Shape of an observation, its colors, and the size of the picture that it comes from."""
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
            edits.change_scenario(lambda root: scenario_edits.set_crop(root, 0, list(crop)))
        )
