"""The look of the window: colour and size tokens, turned into a palette and one style sheet."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from string import Template

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from integrator.domain.files.reading import SMALL_BYTES, read_text
from integrator.domain.words import QT_TRANSLATE_NOOP
from integrator.ui.widgets.icons import IconSet
from integrator.ui.widgets.translation import translate


class ThemeChoice(StrEnum):
    """The user's choice in the View menu."""

    SYSTEM = "system"
    DARK = "dark"
    LIGHT = "light"


_TITLES = {
    ThemeChoice.SYSTEM: QT_TRANSLATE_NOOP("Theme", "Follow the system"),
    ThemeChoice.DARK: QT_TRANSLATE_NOOP("Theme", "Dark"),
    ThemeChoice.LIGHT: QT_TRANSLATE_NOOP("Theme", "Light"),
}


def theme_titles() -> dict[ThemeChoice, str]:
    """Every choice of a theme with its title, in the user's language."""
    return {choice: translate("Theme", title) for choice, title in _TITLES.items()}


@dataclass(frozen=True, slots=True)
class Colors:
    """Colour tokens by role. A view never names a colour of its own."""

    canvas: str  # behind the panels
    chrome: str  # top bar, status bar, panel headers
    panel: str
    raised: str  # buttons, chips, fields on a panel
    hover: str
    sunken: str  # text fields and tracks
    stripe: str  # every other row of a table
    border: str
    text: str
    secondary: str
    faint: str
    disabled: str  # text and icons that can not be used now
    accent: str
    accent_hover: str
    on_accent: str
    accent_soft: str  # selection behind text
    link: str  # addresses
    good: str
    bad: str
    warn: str
    good_soft: str
    bad_soft: str
    warn_soft: str
    screen: str  # around the picture


DARK = Colors(
    canvas="#0f1115",
    chrome="#181b20",
    panel="#1d2027",
    raised="#2a2e36",
    hover="#353a44",
    sunken="#14161a",
    stripe="#1a1c22",
    border="#2b2f38",
    text="#e7e9ee",
    secondary="#b1b6c0",
    faint="#9fa5b1",
    disabled="#6d7482",
    accent="#2f6fed",
    accent_hover="#2a64d6",
    on_accent="#ffffff",
    accent_soft="#24395f",
    link="#74a7ff",
    good="#4fc98d",
    bad="#f5878a",
    warn="#e6bf6e",
    good_soft="#1d3529",
    bad_soft="#3c2226",
    warn_soft="#3a3120",
    screen="#0b0c0f",
)

LIGHT = Colors(
    canvas="#e6e8ec",
    chrome="#f4f5f7",
    panel="#ffffff",
    raised="#eceef2",
    hover="#dfe3e9",
    sunken="#f3f4f7",
    stripe="#f7f8fa",
    border="#d9dce2",
    text="#1b1e24",
    secondary="#4a515d",
    faint="#5e6470",
    disabled="#8a909c",
    accent="#2563eb",
    accent_hover="#1d54d0",
    on_accent="#ffffff",
    accent_soft="#d8e5ff",
    link="#1d5bd6",
    good="#0f7342",
    bad="#bb2d3a",
    warn="#865d09",
    good_soft="#dcf3e6",
    bad_soft="#fde3e4",
    warn_soft="#fbf0d6",
    screen="#15171b",
)


@dataclass(frozen=True, slots=True)
class Sizes:
    """Lengths in device-independent pixels, type sizes in points."""

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

_UI_FAMILIES = ("Inter", "Segoe UI Variable", "Segoe UI", "SF Pro Text", "Noto Sans", "DejaVu Sans")
_MONO_FAMILIES = (
    "JetBrains Mono",
    "Cascadia Mono",
    "SF Mono",
    "Consolas",
    "Noto Sans Mono",
    "DejaVu Sans Mono",
)


@cache
def _first_installed(families: tuple[str, ...]) -> str | None:
    return next((family for family in families if QFontDatabase.hasFamily(family)), None)


def ui_font(points: float = SIZES.font, *, bold: bool = False) -> QFont:
    """The proportional font."""
    family = _first_installed(_UI_FAMILIES)
    font = QFont(family) if family else QFont()
    font.setPointSizeF(points)
    font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    return font


def mono_font(points: float = SIZES.font - 0.5) -> QFont:
    """The fixed-width font, for numbers, addresses and code."""
    family = _first_installed(_MONO_FAMILIES)
    font = QFont(family) if family else QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(points)
    font.setStyleHint(QFont.StyleHint.Monospace)
    return font


def build_palette(colors: Colors) -> QPalette:
    """The palette Fusion paints with where the style sheet is silent."""
    palette = QPalette()
    roles = {
        QPalette.ColorRole.Window: colors.canvas,
        QPalette.ColorRole.WindowText: colors.text,
        QPalette.ColorRole.Base: colors.panel,
        QPalette.ColorRole.AlternateBase: colors.stripe,
        QPalette.ColorRole.Text: colors.text,
        QPalette.ColorRole.PlaceholderText: colors.faint,
        QPalette.ColorRole.Button: colors.raised,
        QPalette.ColorRole.ButtonText: colors.text,
        QPalette.ColorRole.BrightText: colors.bad,
        QPalette.ColorRole.Highlight: colors.accent_soft,
        QPalette.ColorRole.HighlightedText: colors.text,
        QPalette.ColorRole.Link: colors.link,
        QPalette.ColorRole.ToolTipBase: colors.raised,
        QPalette.ColorRole.ToolTipText: colors.text,
        QPalette.ColorRole.Mid: colors.border,
        QPalette.ColorRole.Dark: colors.border,
        QPalette.ColorRole.Light: colors.hover,
        QPalette.ColorRole.Accent: colors.accent,
    }
    for role, value in roles.items():
        palette.setColor(role, QColor(value))
    for role in (
        QPalette.ColorRole.Text,
        QPalette.ColorRole.ButtonText,
        QPalette.ColorRole.WindowText,
    ):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(colors.disabled))
    return palette


def build_style_sheet(template: str, colors: Colors, icons: Path, sizes: Sizes = SIZES) -> str:
    """Fill the template's ``$tokens``. Raises KeyError for a token that does not exist.

    ``icons`` is a folder with the theme's own small pictures (check marks, arrows).
    """
    lengths = {name: str(value) for name, value in asdict(sizes).items()}
    mono = mono_font().family()
    return Template(template).substitute(
        **asdict(colors), **lengths, mono=mono, icons=icons.as_posix()
    )


class Theme(QObject):
    """Applies dark or light to the application and says when it changed.

    It follows the system until ``choose`` says otherwise. ``resources`` is the folder with
    ``icons`` and ``theme``. With ``styled`` false the style sheet comes with :meth:`style`, once
    the widgets are there: Qt would apply it again and again while they are put together.
    """

    changed = Signal()

    def __init__(
        self, app: QApplication, resources: Path, choice: ThemeChoice, *, styled: bool = True
    ) -> None:
        super().__init__(app)
        self._app = app
        self._resources = resources
        self._template = read_text(resources / "theme" / "app.qss", SMALL_BYTES)
        self._choice = choice
        self._styled = styled
        self.colors = DARK
        self.icons = IconSet(resources / "icons")
        app.setStyle("Fusion")
        app.setFont(ui_font())
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._system_changed)
        self._apply()

    @property
    def choice(self) -> ThemeChoice:
        """The last choice."""
        return self._choice

    @property
    def is_dark(self) -> bool:
        """True when the dark colours are in use."""
        return self.colors is DARK

    def choose(self, choice: ThemeChoice) -> None:
        """Follow the system, or stay dark or light."""
        self._choice = choice
        self._apply()

    def _system_changed(self) -> None:
        if self._choice is ThemeChoice.SYSTEM:
            self._apply()

    def _apply(self) -> None:
        self.colors = LIGHT if self._wants_light() else DARK
        self.icons.set_colors(
            normal=self.colors.secondary,
            active=self.colors.text,
            disabled=self.colors.disabled,
            on_accent=self.colors.on_accent,
            roles={
                "good": self.colors.good,
                "bad": self.colors.bad,
                "warn": self.colors.warn,
                "accent": self.colors.link,
                "faint": self.colors.faint,
            },
        )
        self._app.setPalette(build_palette(self.colors))
        if self._styled:
            self.style()
            self.icons.refresh(self._app.allWidgets())
        self.changed.emit()

    def style(self) -> None:
        """Apply the style sheet, and from now on with each change."""
        self._styled = True
        icons = self._resources / "theme" / ("dark" if self.is_dark else "light")
        # From one sheet to another takes Qt five times as long as to none and back.
        self._app.setStyleSheet("")
        self._app.setStyleSheet(build_style_sheet(self._template, self.colors, icons))

    def _wants_light(self) -> bool:
        if self._choice is ThemeChoice.SYSTEM:
            return QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Light
        return self._choice is ThemeChoice.LIGHT
