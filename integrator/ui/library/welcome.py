"""The page before a game is open: ways to open one, recent ones, the library."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QWidget

from integrator.ui.actions.actions import Actions
from integrator.ui.library.library_tile import GAP
from integrator.ui.library.library_view import LibraryView
from integrator.ui.widgets.fitting import FlowBox, FoldingRow
from integrator.ui.widgets.panels.parts import (
    action_button,
    hbox,
    push_button,
    role_label,
    set_trait,
    vbox,
)
from integrator.ui.widgets.theme import Theme

_MOST_RECENT = 5
_LOW_LINES = 22


class Welcome(QWidget):
    """A place to drop a game on, buttons to open one, recent games, and the library below.
    ``back_requested``: show the open game again."""

    recent_chosen = Signal(str)
    back_requested = Signal()

    def __init__(self, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self._theme = theme
        self._actions = actions
        self._has_recent = False
        self._picture = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self.zone = QFrame()
        self.zone.setObjectName("DropZone")
        self.library = LibraryView(theme, actions["import_roms"])
        self._recent_row = FlowBox()
        self._recent_title = role_label(self.tr("Recent"), "faint")
        self.heading = role_label("", "heading")
        hint = self.tr("Drop a ROM, an integration folder, a movie or a state here.")
        self._drop_hint = role_label(hint, "secondary", wraps=True)
        self.back = QPushButton(theme.icons.icon("play"), "")
        self.back.clicked.connect(self.back_requested)
        self.back.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        self.setObjectName("LibraryPage")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._build_ui()
        theme.changed.connect(self._draw_picture)
        self._draw_picture()
        self.show_game("")

    def _build_ui(self) -> None:
        words = vbox(self.heading, self._drop_hint, gap=3)
        rom_icon = self._theme.icons.icon("rom", "on_accent")
        said = hbox(self._picture, (words, 1), gap=16)
        buttons = hbox(
            action_button(self._actions["open_rom"], role="primary", icon=rom_icon),
            action_button(self._actions["open_integration"]),
            action_button(self._actions["new_integration"]),
            None,
            gap=10,
        )
        hbox(FoldingRow(said, buttons, 10), on=self.zone, margins=(22, 16, 18, 16))
        parts = (self.back, self._recent_title, (self._recent_row, 1))
        recent = hbox(*parts, margins=(GAP + 2, 0, GAP, 0), gap=8)
        top = hbox(self.zone, margins=(GAP, GAP, GAP, 0))
        vbox(top, recent, (self.library, 1), on=self, margins=0, gap=10)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Show games before words where height is short, as in a low window."""
        super().resizeEvent(event)
        self._fit_height()

    def _fit_height(self) -> None:
        low = self.height() < _LOW_LINES * self.fontMetrics().lineSpacing()
        for words in (self._picture, self.heading):
            words.setHidden(low)
        for recent in (self._recent_title, self._recent_row):
            recent.setVisible(self._has_recent and not low)

    def show_game(self, name: str) -> None:
        opened = bool(name)
        self.heading.setText(
            self.tr("Open another game") if opened else self.tr("Open a game to begin")
        )
        self._drop_hint.setHidden(opened)  # the slider takes room then
        self.back.setVisible(opened)
        self.back.setText(self.tr("Back to {0}").format(name))
        self.back.setToolTip(self.tr("Show the open game again (Esc)"))

    def set_recent(self, paths: Sequence[str]) -> None:
        self._recent_row.clear()
        self._has_recent = bool(paths)
        self._fit_height()
        for path in paths[:_MOST_RECENT]:
            chosen = partial(self.recent_chosen.emit, path)
            button = push_button(Path(path).name, chosen, path, "chip")
            button.setAccessibleName(self.tr("Open {0}").format(path))
            self._recent_row.add(button)

    def set_hot(self, hot: bool) -> None:
        set_trait(self.zone, "hot", hot)

    def _draw_picture(self) -> None:
        color = self._theme.colors.link
        pixmap = self._theme.icons.pixmap("gamepad", color, 40, self.devicePixelRatioF())
        self._picture.setPixmap(pixmap)
