"""What the window shows before a game is open: how to open one, and the recent ones."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from integrator.ui.actions import Actions
from integrator.ui.panels import action_button, role_label, set_role
from integrator.ui.theme import Theme


class Welcome(QWidget):
    """A place to drop a game on, buttons to open one, and recent games."""

    recent_chosen = Signal(str)

    def __init__(self, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self._theme = theme
        self._actions = actions
        self._picture = QLabel()
        self._picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.zone = QFrame()
        self.zone.setObjectName("DropZone")
        self.zone.setFixedWidth(520)
        self._recent = QVBoxLayout()
        self._recent.setSpacing(1)
        self._recent_title = role_label(self.tr("Recent"), "faint")
        self._build_ui()
        theme.changed.connect(self._draw_picture)
        self._draw_picture()

    def _build_ui(self) -> None:
        heading = role_label(self.tr("Open a game to begin"), "heading")
        text = role_label(
            self.tr("Drop a ROM, an integration folder, a movie or a state here."), "secondary"
        )
        for label in (heading, text):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            label.setWordWrap(True)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        rom_icon = self._theme.icons.icon("rom", "on_accent")
        buttons.addWidget(action_button(self._actions["open_rom"], role="primary", icon=rom_icon))
        buttons.addWidget(action_button(self._actions["open_integration"]))
        buttons.addStretch(1)
        inner = QVBoxLayout(self.zone)
        inner.setContentsMargins(32, 30, 32, 30)
        inner.setSpacing(10)
        inner.addWidget(self._picture)
        inner.addWidget(heading)
        inner.addWidget(text)
        inner.addSpacing(6)
        inner.addLayout(buttons)
        column = QVBoxLayout()
        column.setSpacing(8)
        column.addStretch(2)
        column.addWidget(self.zone)
        column.addSpacing(10)
        column.addWidget(self._recent_title)
        column.addLayout(self._recent)
        column.addStretch(3)
        outer = QHBoxLayout(self)
        outer.addStretch(1)
        outer.addLayout(column)
        outer.addStretch(1)

    def set_recent(self, paths: Sequence[str]) -> None:
        """List recent games, newest first."""
        while (item := self._recent.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        self._recent_title.setVisible(bool(paths))
        for path in paths[:6]:
            button = QPushButton(f"{Path(path).name}   —   {Path(path).parent}")
            set_role(button, "link")
            button.setToolTip(path)
            button.setAccessibleName(self.tr("Open {0}").format(path))
            button.clicked.connect(lambda _=False, p=path: self.recent_chosen.emit(p))
            self._recent.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)

    def set_hot(self, hot: bool) -> None:
        """Something that can be opened hovers over the window."""
        self.zone.setProperty("hot", hot)
        self.zone.style().unpolish(self.zone)
        self.zone.style().polish(self.zone)

    def _draw_picture(self) -> None:
        color = self._theme.colors.link
        pixmap = self._theme.icons.pixmap("gamepad", color, 44, self.devicePixelRatioF())
        self._picture.setPixmap(pixmap)
