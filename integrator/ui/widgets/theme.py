"""The look of the window: colors and sizes as a palette and a style sheet, and the icons."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from dataclasses import fields as fields_of
from enum import StrEnum
from pathlib import Path
from string import Template
from typing import ClassVar

from PySide6 import QtGui
from PySide6.QtCore import QObject, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from integrator.domain.files.reading import SMALL_BYTES, read_text
from integrator.ui.widgets.texts import translate


class IconSet(QObject):
    """Icons by name (the stem of the file) in the colors of the theme by role. An application has
    one set, like one palette and one style sheet, so a second window reuses the icons."""

    def __init__(self, app: QApplication, folder: Path) -> None:
        super().__init__(app)
        self._folder = folder
        self.colors: Mapping[str, str] = {}
        self._icons: dict[tuple[str, str], QtGui.QIcon] = {}
        # Qt owns the copies that it makes of engines, but does not keep their Python halves.
        self.copies: list[QtGui.QIconEngine] = []
        self._pixmaps: dict[tuple[str, str, int], QtGui.QPixmap] = {}

    def icon(self, name: str, role: str = "normal") -> QtGui.QIcon:
        if (name, role) not in self._icons:
            self._icons[name, role] = QtGui.QIcon(_IconEngine(self, name, role))
        return self._icons[name, role]

    def drawn(self, name: str, color: str, size: int) -> QtGui.QPixmap:
        """Return a cached picture of an icon, ``size`` device pixels wide and high."""
        key = (name, color, size)
        if key not in self._pixmaps:
            source = read_text(self._folder / f"{name}.svg", SMALL_BYTES)
            pixmap = self._pixmaps[key] = QtGui.QPixmap(size, size)
            pixmap.fill(Qt.GlobalColor.transparent)
            painter = QtGui.QPainter(pixmap)
            painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
            renderer = QSvgRenderer(source.replace("currentColor", color).encode())
            renderer.render(painter, QRectF(pixmap.rect()))
            painter.end()
        return self._pixmaps[key]


class _IconEngine(QtGui.QIconEngine):
    """Draws an icon in the colors that the theme has when it is painted. Without a role, an icon
    has the colors ``normal``, ``active`` and ``disabled`` in its states."""

    def __init__(self, icons: IconSet, name: str, role: str) -> None:
        super().__init__()
        self._icons, self._name, self._role = icons, name, role

    def clone(self) -> QtGui.QIconEngine:
        copy = _IconEngine(self._icons, self._name, self._role)
        self._icons.copies.append(copy)
        return copy

    def pixmap(
        self, size: QSize, mode: QtGui.QIcon.Mode, state: QtGui.QIcon.State
    ) -> QtGui.QPixmap:
        colors = self._icons.colors
        plain = mode is QtGui.QIcon.Mode.Normal and state is QtGui.QIcon.State.Off
        color = colors.get(self._role) if self._role != "normal" else None
        color = color or colors["normal" if plain else "active"]
        color = colors["disabled"] if mode is QtGui.QIcon.Mode.Disabled else color
        return self._icons.drawn(self._name, color, min(size.width(), size.height()))

    def paint(
        self, painter: QtGui.QPainter, rect: QRect, mode: QtGui.QIcon.Mode, state: QtGui.QIcon.State
    ) -> None:
        size = rect.size() * painter.device().devicePixelRatioF()
        painter.drawPixmap(rect, self.pixmap(size, mode, state))


def icon(name: str) -> QtGui.QIcon:
    """Return an icon of the application's set by its name, with a role after a space: ``pin`` or
    ``pin on_accent``. As with style sheet roles, only the application knows the colors."""
    if (app := QApplication.instance()) is None or (icons := app.findChild(IconSet)) is None:
        raise LookupError("there are no icons before the first Theme")
    return icons.icon(*name.split())


class ThemeChoice(StrEnum):
    """The theme that the user chose in the View menu."""

    SYSTEM = "system"
    DARK = "dark"
    LIGHT = "light"


def theme_titles() -> dict[ThemeChoice, str]:
    return {
        ThemeChoice.SYSTEM: translate("Theme", "Follow the system"),
        ThemeChoice.DARK: translate("Theme", "Dark"),
        ThemeChoice.LIGHT: translate("Theme", "Light"),
    }


def _token(dark: str, light: str) -> str:
    """Return a field whose default is the dark color; its metadata hold the light one."""
    token: str = field(default=dark, metadata={"light": light})
    return token


@dataclass(frozen=True, slots=True)
class Colors:
    """Color tokens by role, each for dark and light. Views use only these colors."""

    canvas: str = _token("#0f1115", "#e6e8ec")  # behind the panels
    chrome: str = _token("#181b20", "#f4f5f7")  # top bar, status bar, panel headers
    panel: str = _token("#1d2027", "#ffffff")
    raised: str = _token("#2a2e36", "#eceef2")  # buttons, chips, fields on a panel
    hover: str = _token("#353a44", "#dfe3e9")
    sunken: str = _token("#14161a", "#f3f4f7")  # text fields and tracks
    stripe: str = _token("#1a1c22", "#f7f8fa")  # every other row of a table
    border: str = _token("#2b2f38", "#d9dce2")
    text: str = _token("#e7e9ee", "#1b1e24")
    secondary: str = _token("#b1b6c0", "#4a515d")
    faint: str = _token("#9fa5b1", "#5e6470")
    disabled: str = _token("#6d7482", "#8a909c")  # text and icons that are disabled
    accent: str = _token("#2f6fed", "#2563eb")
    accent_hover: str = _token("#2a64d6", "#1d54d0")
    on_accent: str = _token("#ffffff", "#ffffff")
    accent_soft: str = _token("#24395f", "#d8e5ff")  # background of selected text
    link: str = _token("#74a7ff", "#1d5bd6")  # addresses
    good: str = _token("#4fc98d", "#0f7342")
    bad: str = _token("#f5878a", "#bb2d3a")
    warn: str = _token("#e6bf6e", "#865d09")
    good_soft: str = _token("#1d3529", "#dcf3e6")
    bad_soft: str = _token("#3c2226", "#fde3e4")
    warn_soft: str = _token("#3a3120", "#fbf0d6")
    screen: str = _token("#0b0c0f", "#15171b")  # around the picture

    @property
    def curves(self) -> tuple[str, ...]:
        return (self.link, self.good, self.warn, self.bad, self.secondary)


def faded(color: str, alpha: int) -> QtGui.QColor:
    """Return a color with an alpha value; 0 is transparent, 255 is opaque."""
    shade = QtGui.QColor(color)
    shade.setAlpha(alpha)
    return shade


def fill_with(painter: QtGui.QPainter, color: QtGui.QColor | str) -> None:
    """Let a painter fill shapes with a color, without an outline."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QtGui.QColor(color))


DARK = Colors()
LIGHT = Colors(**{each.name: each.metadata["light"] for each in fields_of(Colors)})


@dataclass(frozen=True, slots=True)
class Sizes:
    """Lengths in device-independent pixels, and font sizes in points."""

    gap: int = 6
    pad: int = 12
    radius: int = 6
    radius_small: int = 5
    control: int = 28
    row: int = 26
    font: float = 9.5
    font_small: float = 8.5
    font_title: float = 16.0


SIZES = Sizes()


def ui_font(points: float = SIZES.font, *, bold: bool = False) -> QtGui.QFont:
    """Return the window's font, which is in ``resources/fonts`` and loaded by the first Theme."""
    font = QtGui.QFont("Inter")
    font.setPointSizeF(points)
    font.setWeight(QtGui.QFont.Weight.DemiBold if bold else QtGui.QFont.Weight.Normal)
    return font


def mono_font(points: float = SIZES.font - 0.5) -> QtGui.QFont:
    font = QtGui.QFont("Noto Sans Mono")
    font.setPointSizeF(points)
    font.setStyleHint(QtGui.QFont.StyleHint.Monospace)
    return font


def build_palette(colors: Colors) -> QtGui.QPalette:
    """Return the palette by which Fusion paints everything that the style sheet leaves out."""
    palette, roles = QtGui.QPalette(), QtGui.QPalette.ColorRole
    for color, painted in (
        (colors.canvas, (roles.Window,)),
        (colors.text, (roles.Text, roles.WindowText, roles.ButtonText)),
        (colors.text, (roles.HighlightedText, roles.ToolTipText)),
        (colors.panel, (roles.Base,)),
        (colors.stripe, (roles.AlternateBase,)),
        (colors.faint, (roles.PlaceholderText,)),
        (colors.raised, (roles.Button, roles.ToolTipBase)),
        (colors.bad, (roles.BrightText,)),
        (colors.accent_soft, (roles.Highlight,)),
        (colors.link, (roles.Link,)),
        (colors.border, (roles.Mid, roles.Dark)),
        (colors.hover, (roles.Light,)),
        (colors.accent, (roles.Accent,)),
    ):
        for role in painted:
            palette.setColor(role, QtGui.QColor(color))
    for role in (roles.Text, roles.ButtonText, roles.WindowText):
        palette.setColor(QtGui.QPalette.ColorGroup.Disabled, role, QtGui.QColor(colors.disabled))
    return palette


def build_style_sheet(template: str, colors: Colors, icons: Path) -> str:
    """Fill in ``$tokens``; ``icons`` has small pictures. Raises KeyError for an unknown token."""
    tokens = asdict(colors) | asdict(SIZES) | {"mono": mono_font().family()}
    return Template(template).substitute(tokens, icons=icons.as_posix())


class Theme(QObject):
    """Applies the dark or light theme to the application, and emits ``changed`` after a change.
    ``now`` is the theme of the application. It follows the system unless ``choose`` fixes it.
    ``resources`` is the folder with ``fonts``, ``icons`` and ``theme``. Without ``styled``, the
    style sheet is set later, by :meth:`style`, or Qt would apply it to each new widget."""

    changed = Signal()
    now: ClassVar["Theme"]

    def __init__(
        self, app: QApplication, resources: Path, choice: ThemeChoice, *, styled: bool = True
    ) -> None:
        super().__init__(app)
        Theme.now = self
        self._app = app
        self._resources = resources
        self._template = read_text(resources / "theme" / "app.qss", SMALL_BYTES)
        self._styled = styled
        self.colors = DARK
        app.setStyle("Fusion")
        if (icons := app.findChild(IconSet)) is None:
            icons = IconSet(app, resources / "icons")
            for file in (resources / "fonts").glob("*.ttf"):
                QtGui.QFontDatabase.addApplicationFont(str(file))
        self.icons = icons
        app.setFont(ui_font())
        QtGui.QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)
        self.choose(choice)

    @property
    def is_dark(self) -> bool:
        return self.colors is DARK

    def choose(self, choice: ThemeChoice) -> None:
        self.choice = choice
        light = choice is ThemeChoice.LIGHT
        if choice is ThemeChoice.SYSTEM:
            light = QtGui.QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Light
        self.colors = colors = LIGHT if light else DARK
        names = {"normal": colors.secondary, "active": colors.text, "accent": colors.link}
        self.icons.colors = asdict(colors) | names
        self._app.setPalette(build_palette(colors))
        if self._styled:
            self.style()
        self.changed.emit()

    def _follow_system(self) -> None:
        if self.choice is ThemeChoice.SYSTEM:
            self.choose(self.choice)

    def style(self) -> None:
        self._styled = True
        icons = self._resources / "theme" / ("dark" if self.is_dark else "light")
        # Qt takes five times as long to replace a style sheet as to remove it and set another.
        self._app.setStyleSheet("")
        self._app.setStyleSheet(build_style_sheet(self._template, self.colors, icons))
