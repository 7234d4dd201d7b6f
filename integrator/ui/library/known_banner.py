"""The banner that names the integration which a ROM belongs to already."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton

from integrator.domain.roms.match import KnownGame
from integrator.ui.widgets.room.boxes import hbox


class KnownBanner(QFrame):
    """Says which known game a ROM is of. ``chosen`` gives the KnownGame to take instead."""

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("Banner")
        self.setProperty("kind", "good")
        self.text = QLabel()
        self.text.setWordWrap(True)
        self.take = QPushButton(self.tr("Open that instead"))
        self.take.setAutoDefault(False)
        self.take.clicked.connect(self._choose)
        self._game: KnownGame | None = None
        hbox((self.text, 1), self.take, on=self, margins=(12, 8, 8, 8))
        self.hide()

    def show_games(self, games: Sequence[KnownGame]) -> None:
        """Show the first of the games; go away when there is none."""
        self._game = games[0] if games else None
        self.setVisible(bool(games))
        if games:
            others = self.tr(" (and {0} more)").format(len(games) - 1) if len(games) > 1 else ""
            text = self.tr("This is {0}{1}, which is integrated already, by the hash of its ROM.")
            self.text.setText(text.format(games[0].name, others))
            self.text.setToolTip(str(games[0].directory))

    def _choose(self) -> None:
        if self._game is not None:
            self.chosen.emit(self._game)
