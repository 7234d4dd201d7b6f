"""Galleries: pictures with words below, all of one size, as many a row as there is room for."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QPixmap, QPixmapCache, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)


class TileDelegate(QStyledItemDelegate):
    """The size of tiles, in pixels; a subclass paints them.

    ``least`` is a tile's least width, ``gap`` lies between two; ``cell`` is the present sum of
    both. In a low place tiles shrink to the place's height, down to ``lowest``; 0 keeps them.
    """

    least = 100
    gap = 8
    lowest = 0

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.cell = QSize()
        self.fill(self.least + self.gap)

    def height_of(self, width: int) -> int:
        """Height of a tile of that width."""
        raise NotImplementedError

    def fill(self, width: int, height: int = 0) -> None:
        """Share out the width of a place, and fit a row of tiles into its height."""
        cell = width // max(1, width // (self.least + self.gap))
        whole = self.height_of(cell - self.gap) + self.gap
        self.cell = QSize(cell, min(whole, max(height, self.lowest)) if self.lowest else whole)

    def sizeHint(  # noqa: N802 - Qt's name
        self,
        option: QStyleOptionViewItem,  # noqa: ARG002 - Qt's signature
        index: QModelIndex | QPersistentModelIndex,  # noqa: ARG002 - Qt's signature
    ) -> QSize:
        """The same size for all tiles."""
        return self.cell


class TileList(QListView):
    """A gallery of tiles. One tile can be selected, and the wheel scrolls smoothly."""

    def __init__(self) -> None:
        super().__init__()
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setMouseTracking(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Tiles fill the width."""
        tiles = self.itemDelegate()
        if isinstance(tiles, TileDelegate):
            tiles.fill(self.viewport().width() - 4, self.viewport().height())
            if self.gridSize() != tiles.cell:
                self.setGridSize(tiles.cell)
        super().resizeEvent(event)


def cached_pixmap(file: Path | None, size: QSize, ratio: float) -> QPixmap | None:
    """The picture in ``file`` filling ``size``, not stretched; None when there is none."""
    if file is None:
        return None
    key = f"{file}|{size.width()}x{size.height()}|{ratio:.2f}"
    pixmap = QPixmap()
    if QPixmapCache.find(key, pixmap):
        return pixmap
    source = QPixmap(str(file))
    if source.isNull():
        return None
    wanted = size * ratio
    grown = source.scaled(
        wanted,
        Qt.AspectRatioMode.KeepAspectRatioByExpanding,
        Qt.TransformationMode.SmoothTransformation,
    )
    left = (grown.width() - wanted.width()) // 2
    top = (grown.height() - wanted.height()) // 2
    pixmap = grown.copy(left, top, wanted.width(), wanted.height())
    pixmap.setDevicePixelRatio(ratio)
    QPixmapCache.insert(key, pixmap)
    return pixmap
