"""Icons: our own SVG files, drawn in the theme's colours at the size that is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer


class _Tint:
    """Colours shared by all icons of a set: a change of theme reaches icons already handed out."""

    def __init__(self) -> None:
        self.normal = "#888888"
        self.active = "#ffffff"
        self.disabled = "#555555"
        self.on_accent = "#ffffff"
        self.roles: Mapping[str, str] = {}
        self.generation = 0


class _SvgEngine(QIconEngine):
    """Paints one SVG whose strokes are ``currentColor``."""

    def __init__(self, source: str, tint: _Tint, role: str) -> None:
        super().__init__()
        self._source = source
        self._tint = tint
        self._role = role
        self._cache: dict[tuple[int, int, str, int], QPixmap] = {}

    def clone(self) -> QIconEngine:
        """Another engine with the same picture and the same live colours."""
        return _SvgEngine(self._source, self._tint, self._role)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        """Draw the icon into ``rect``."""
        ratio = painter.device().devicePixelRatioF()
        pixmap = self.scaledPixmap(rect.size(), mode, state, ratio)
        painter.drawPixmap(rect, pixmap)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """The icon at ``size``."""
        return self.scaledPixmap(size, mode, state, 1.0)

    def scaledPixmap(  # noqa: N802 - Qt's name
        self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float
    ) -> QPixmap:
        """The icon at ``size``, with ``scale`` device pixels for each pixel."""
        color = self._color(mode, state)
        key = (size.width(), round(scale * 100), color, self._tint.generation)
        cached = self._cache.get(key)
        if cached is None:
            if len(self._cache) > 16:
                self._cache.clear()
            cached = self._cache[key] = render_svg(self._source, color, size, scale)
        return cached

    def _color(self, mode: QIcon.Mode, state: QIcon.State) -> str:
        if mode is QIcon.Mode.Disabled:
            return self._tint.disabled
        if self._role == "on_accent":
            return self._tint.on_accent
        if self._role in self._tint.roles:
            return self._tint.roles[self._role]
        lit = mode in (QIcon.Mode.Active, QIcon.Mode.Selected) or state is QIcon.State.On
        return self._tint.active if lit else self._tint.normal


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
    """Icons by name (the file's stem). Icons follow the colours even after they were handed out."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._tint = _Tint()
        self._sources: dict[str, str] = {}

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
        self._tint.normal, self._tint.active = normal, active
        self._tint.disabled, self._tint.on_accent = disabled, on_accent
        self._tint.roles = dict(roles)
        self._tint.generation += 1

    def icon(self, name: str, role: str = "normal") -> QIcon:
        """An icon; ``role`` is ``normal``, ``on_accent`` or a role given to ``set_colors``."""
        return QIcon(_SvgEngine(self._source(name), self._tint, role))

    def pixmap(self, name: str, color: str, size: int, scale: float = 1.0) -> QPixmap:
        """A picture of an icon in one fixed colour."""
        return render_svg(self._source(name), color, QSize(size, size), scale)

    def _source(self, name: str) -> str:
        if name not in self._sources:
            path = self._folder / f"{name}.svg"
            self._sources[name] = path.read_text(encoding="utf-8")
        return self._sources[name]
