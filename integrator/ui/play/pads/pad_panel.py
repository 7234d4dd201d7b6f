"""The pad on the screen: click to press, right-click to keep a button down."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QFrame, QWidget

from integrator.ui.play.pads.pad_view import PadView
from integrator.ui.widgets.panels.parts import PlayerSegments, hbox, role_label, vbox
from integrator.ui.widgets.theme import Theme
from libretro_host.host import MAX_PORTS

_MARGIN = 10
_SIZE = (300, 168)


class PadPanel(QFrame):
    """Lies over the lower right of the picture. ``masks_changed``: a mask a player."""

    masks_changed = Signal(object)

    def __init__(self, theme: Theme, stage: QWidget) -> None:
        super().__init__(stage)
        self.setObjectName("PadPanel")
        self._stage = stage
        self.view = PadView(theme, self)
        self.player = 0
        self._players = 1
        self._clicked: list[int] = [0]
        self._latched: list[int] = [0]
        self._held: tuple[int, ...] = ()
        self._keys: list[list[str]] = []
        self._buttons: tuple[str | None, ...] = ()
        self.choose_player = PlayerSegments(players=MAX_PORTS)
        self.choose_player.player_chosen.connect(self.show_player)
        hint = role_label(self.tr("right-click keeps a button down"), "faint")
        hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        chooser = hbox(None, self.choose_player, None)
        vbox(chooser, (self.view, 1), hint, on=self, margins=6, gap=2)
        self.view.pressed.connect(lambda bit: self._click(bit, down=True))
        self.view.released.connect(lambda bit: self._click(bit, down=False))
        self.view.latched.connect(self._latch)
        stage.installEventFilter(self)
        self.hide()

    def show_game(self, buttons: Sequence[str | None], players: int) -> None:
        """Show the pad of another console, nothing pressed."""
        self._buttons = tuple(buttons)
        self._players = players
        self._clicked, self._latched = [0] * players, [0] * players
        self.view.show_buttons(buttons)
        self.choose_player.setVisible(players > 1)
        for player in range(MAX_PORTS):
            self.choose_player.button(str(player)).setVisible(player < players)
        self.show_player(0)

    def show_player(self, player: int) -> None:
        """Choose the player whose buttons a click presses."""
        self.player = player
        self.choose_player.show_player(player)
        self._show_tips()
        self.show_held(self._held)

    def show_keys(self, keys: list[list[str]]) -> None:
        """The keys of each player, for the tips."""
        self._keys = keys
        self._show_tips()

    def show_held(self, masks: tuple[int, ...]) -> None:
        """Draw the pressed buttons, of any controller."""
        self._held = masks
        self.view.show_mask(masks[self.player] if self.player < len(masks) else 0)

    def _show_tips(self) -> None:
        keys = self._keys[self.player] if self.player < len(self._keys) else []
        self.view.tips = {
            bit: f"{name}  ({key})" if key else name
            for bit, (name, key) in enumerate(zip_longest(self._buttons, keys))
            if name
        }

    def _click(self, bit: int, *, down: bool) -> None:
        # A plain click also lets a button go that was kept down.
        self._latched[self.player] &= ~(1 << bit)
        self._clicked[self.player] &= ~(1 << bit)
        self._clicked[self.player] |= down << bit
        self.masks_changed.emit(self.masks)

    def _latch(self, bit: int) -> None:
        self._latched[self.player] ^= 1 << bit
        self.masks_changed.emit(self.masks)

    @property
    def masks(self) -> tuple[int, ...]:
        """The buttons that the mouse holds down, a mask a player."""
        return tuple(a | b for a, b in zip(self._clicked, self._latched, strict=True))

    def let_go(self) -> None:
        """Release all buttons of the mouse, as when the panel is hidden."""
        self._clicked, self._latched = [0] * self._players, [0] * self._players
        self.masks_changed.emit(self.masks)

    def place(self) -> None:
        """Move to the lower right of the stage."""
        stage = self._stage
        extra = 34 if self._players > 1 else 0
        self.setFixedSize(_SIZE[0], _SIZE[1] + extra)
        self.move(stage.width() - self.width() - _MARGIN, stage.height() - self.height() - _MARGIN)
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Stay in the corner."""
        if watched is self._stage and event.type() is QEvent.Type.Resize:
            self.place()
        return super().eventFilter(watched, event)
