"""Dragging over a plot: with Shift, or while ranges are chosen, a range of frames; else panning."""

from __future__ import annotations

from collections.abc import Callable

import pyqtgraph as pg
from PySide6.QtCore import Qt


class RangeViewBox(pg.ViewBox):  # type: ignore[misc]  # pyqtgraph has no types
    """Calls ``selected`` with the first and last x of a drag."""

    def __init__(self, selecting: Callable[[], bool], selected: Callable[..., object]) -> None:
        super().__init__()
        self._selecting = selecting
        self._selected = selected

    def mouseDragEvent(self, ev: object, axis: int | None = None) -> None:  # noqa: N802 - pyqtgraph's name
        """Select with the left button; the rest is pyqtgraph's."""
        event: pg.GraphicsScene.mouseEvents.MouseDragEvent = ev
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.button() != Qt.MouseButton.LeftButton or not (shift or self._selecting()):
            super().mouseDragEvent(ev, axis)
            return
        event.accept()
        begin = self.mapSceneToView(event.buttonDownScenePos()).x()
        end = self.mapSceneToView(event.scenePos()).x()
        self._selected(min(begin, end), max(begin, end), event.isFinish())
