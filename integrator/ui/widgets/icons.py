"""Icons: our own SVG files, drawn in the theme's colours at the size that is asked for.

Qt draws them itself, from copies in which ``currentColor`` is a colour. An icon engine written in
Python cannot be used: Qt copies engines, and PySide frees the copy while Qt goes on using it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QIcon, QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton, QWidget

from integrator.domain.files.reading import SMALL_BYTES, read_text
from libretro_host.processes.temporary import OwnedFolder


class IconSet:
    """Icons by name (the file's stem), in the ``colors`` of a theme by role.

    The roles ``normal``, ``active`` and ``disabled`` are the states of icons without a role.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._colors: Mapping[str, str] = {}
        # Qt keeps the files of an icon for ever, so the icons of each theme are made once.
        self._by_colors: dict[tuple[str, ...], dict[tuple[str, str], QIcon]] = {}
        self._handed_out: dict[int, tuple[str, str]] = {}
        self._pixmaps: dict[tuple[str, str, int, float], QPixmap] = {}

    def set_colors(self, colors: Mapping[str, str]) -> None:
        """Take the colours of a theme by role."""
        self._colors = colors

    def icon(self, name: str, role: str = "normal") -> QIcon:
        """An icon in the present colour of a role."""
        icons = self._by_colors.setdefault(tuple(self._colors.values()), {})
        key = (name, role)
        if key not in icons:
            icon = icons[key] = self._make(name, role)
            self._handed_out[icon.cacheKey()] = key
        return QIcon(icons[key])

    def refresh(self, widgets: Iterable[QWidget]) -> None:
        """Let buttons and actions of ``widgets`` show their icons in the present colours."""
        holders: dict[int, QAbstractButton | QAction] = {}
        for widget in widgets:
            if isinstance(widget, QAbstractButton):
                holders[id(widget)] = widget
            holders |= {id(action): action for action in widget.actions()}
        for holder in holders.values():
            key = self._handed_out.get(holder.icon().cacheKey())
            if key is not None:
                holder.setIcon(self.icon(*key))

    def pixmap(self, name: str, color: str, size: int, scale: float = 1.0) -> QPixmap:
        """A picture of an icon in one fixed colour; the same one each time."""
        key = (name, color, size, scale)
        if key not in self._pixmaps:
            source = _source(self._folder / f"{name}.svg")
            self._pixmaps[key] = render_svg(source, color, QSize(size, size), scale)
        return self._pixmaps[key]

    def _make(self, name: str, role: str) -> QIcon:
        fixed = None if role == "normal" else self._colors.get(role)
        normal = fixed or self._colors["normal"]
        lit = fixed or self._colors["active"]
        modes, states, icon = QIcon.Mode, QIcon.State, QIcon()
        for mode, off, on in (
            (modes.Normal, normal, lit),
            (modes.Active, lit, lit),
            (modes.Selected, lit, lit),
            (modes.Disabled, self._colors["disabled"], self._colors["disabled"]),
        ):
            for color, state in ((off, states.Off), (on, states.On)):
                file = _colored(self._folder / f"{name}.svg", color)
                icon.addFile(file, QSize(), mode, state)
        return icon


def render_svg(source: str, color: str, size: QSize, scale: float = 1.0) -> QPixmap:
    """Draw an SVG text with ``currentColor`` replaced, on a transparent ground."""
    renderer = QSvgRenderer(QByteArray(source.replace("currentColor", color).encode()))
    image = QImage(size * scale, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    renderer.render(painter, QRectF(image.rect()))
    painter.end()
    pixmap = QPixmap.fromImage(image)
    pixmap.setDevicePixelRatio(scale)
    return pixmap


@cache
def _source(file: Path) -> str:
    return read_text(file, SMALL_BYTES)


@cache
def _copies() -> OwnedFolder:
    """The folder of coloured copies, which the icons of all windows share."""
    return OwnedFolder()


@cache
def _colored(file: Path, color: str) -> str:
    """The path of an icon's copy in which ``currentColor`` is this colour."""
    copy = _copies().path / f"{file.stem}-{color.removeprefix('#')}.svg"
    copy.write_text(_source(file).replace("currentColor", color), encoding="utf-8")
    return str(copy)
