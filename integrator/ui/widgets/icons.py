"""Icons: our own SVG files, drawn in the theme's colours at the size that is asked for.

Qt draws them itself, from copies in which ``currentColor`` is a colour. An icon engine written in
Python can not be used: Qt copies engines, and PySide frees the copy while Qt goes on using it.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QIcon, QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton, QWidget

from integrator.domain.files.reading import SMALL_BYTES, read_text


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


class IconSet:
    """Icons by name (the file's stem). ``refresh`` gives those handed out the present colours."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._normal = self._active = self._disabled = self._on_accent = "#888888"
        self._roles: Mapping[str, str] = {}
        self._by_colors: dict[tuple[object, ...], dict[tuple[str, str], QIcon]] = {}
        self._icons: dict[tuple[str, str], QIcon] = {}
        self._handed_out: dict[int, tuple[str, str]] = {}
        self._pixmaps: dict[tuple[str, str, int, float], QPixmap] = {}

    def set_colors(
        self,
        *,
        normal: str,
        active: str,
        disabled: str,
        on_accent: str,
        roles: Mapping[str, str],
    ) -> None:
        """Take the colours of a theme."""
        self._normal, self._active = normal, active
        self._disabled, self._on_accent = disabled, on_accent
        self._roles = dict(roles)
        # Kept, because each icon made anew would also have to be known for ever.
        colors = (normal, active, disabled, on_accent, *roles.items())
        self._icons = self._by_colors.setdefault(colors, {})

    def icon(self, name: str, role: str = "normal") -> QIcon:
        """An icon; ``role`` is ``normal``, ``on_accent`` or a role given to ``set_colors``."""
        key = (name, role)
        if key not in self._icons:
            icon = self._icons[key] = self._make(name, role)
            self._handed_out[icon.cacheKey()] = key
        return QIcon(self._icons[key])

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
            self._pixmaps[key] = render_svg(self._source(name), color, QSize(size, size), scale)
        return self._pixmaps[key]

    def _make(self, name: str, role: str) -> QIcon:
        fixed = self._on_accent if role == "on_accent" else self._roles.get(role)
        lit = fixed or self._active
        icon = QIcon()
        on, off = QIcon.State.On, QIcon.State.Off
        for color, mode, state in (
            (fixed or self._normal, QIcon.Mode.Normal, off),
            (lit, QIcon.Mode.Normal, on),
            (lit, QIcon.Mode.Active, off),
            (lit, QIcon.Mode.Active, on),
            (lit, QIcon.Mode.Selected, off),
            (lit, QIcon.Mode.Selected, on),
            (self._disabled, QIcon.Mode.Disabled, off),
            (self._disabled, QIcon.Mode.Disabled, on),
        ):
            icon.addFile(self._file(name, color), QSize(), mode, state)
        return icon

    def _file(self, name: str, color: str) -> str:
        return _colored(self._folder / f"{name}.svg", color)

    def _source(self, name: str) -> str:
        return _source(self._folder / f"{name}.svg")


@cache
def _source(file: Path) -> str:
    return read_text(file, SMALL_BYTES)


@cache
def _copies() -> Path:
    """The folder of coloured copies; the icons of all windows share it."""
    folder = Path(tempfile.mkdtemp(prefix="integrator-icons-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@cache
def _colored(file: Path, color: str) -> str:
    """The path of an icon's copy in which ``currentColor`` is this colour."""
    copy = _copies() / f"{file.stem}-{color.removeprefix('#')}.svg"
    copy.write_text(_source(file).replace("currentColor", color), encoding="utf-8")
    return str(copy)
