"""The Buttons dialog: click a button of the pad, then press a key or a pad button for it."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHeaderView, QLineEdit, QWidget

from integrator.session.edits.snapshot import GameSnapshot
from integrator.ui import widgets as ui
from integrator.ui.play.pads import pad_controller
from integrator.ui.play.pads.pad_controller import Binding, Bindings, PadController
from integrator.ui.play.pads.pad_view import PadView
from integrator.ui.screen.pad_overlay import shown_bits
from integrator.ui.screen.screen_view import key_label, name_of_key
from integrator.ui.window_context import WindowContext

_PAD_LABELS = (  # for the user; other buttons have SDL's names
    {"dpleft": "cross ←", "dpright": "cross →", "dpup": "cross ↑", "dpdown": "cross ↓"}
    | {"leftx-": "stick ←", "leftx+": "stick →", "lefty-": "stick ↑", "lefty+": "stick ↓"}
    | {"rightx-": "right stick ←", "rightx+": "right stick →"}
    | {"righty-": "right stick ↑", "righty+": "right stick ↓"}
    | {"leftshoulder": "L1", "lefttrigger": "L2", "leftstick": "L3"}
    | {"rightshoulder": "R1", "righttrigger": "R2", "rightstick": "R3"}
    | {"back": "Back", "start": "Start", "guide": "Guide"}
    | {"a": "A (lower)", "b": "B (right)", "x": "X (left)", "y": "Y (upper)"}
)

_TURBO = 3  # the column of check box and pattern; a click there does not wait for a key


class BindingsDialog(ui.Dialog):
    """Shows bindings; changes take effect at once. Escape stops waiting for a key, then closes."""

    def __init__(self, context: WindowContext, game: GameSnapshot, pads: PadController) -> None:
        super().__init__(context.window, self.tr("Buttons of {0}").format(game.system.name))
        self._context, self._game, self._pads = context, game, pads
        self.player = 0
        self.waiting: int | None = None
        self._bits = shown_bits(game.system.buttons)
        self.pad = ui.configured(PadView(), focusPolicy=Qt.FocusPolicy.StrongFocus)
        self.pad.show_buttons(game.system.buttons)
        name, players = self.tr("Player {0}"), range(len(pads.bindings))
        self.choose_player = ui.Segments([(str(n), name.format(n + 1), "") for n in players])
        self.gamepads = ui.role_label("", "faint")
        self.prompt = ui.role_label(wraps=True)
        self._say = partial(ui.say, self.prompt)
        titles = (self.tr("button"), self.tr("key"), self.tr("gamepad"))
        self.table = ui.FixedTable(self.tr("Buttons"), (*titles, self.tr("turbo, frames on/off")))
        self.table.setRowCount(len(self._bits))
        self.clear = ui.push_button(self.tr("Clear"), self._clear)
        self.reset = ui.push_button(self.tr("Reset to defaults"), self._reset)
        self.done_button = ui.push_button(self.tr("Done"), self.close, "", "primary")
        self._build_ui()
        self.choose_player.chosen.connect(lambda key: self.show_player(int(key)))
        self.pad.pressed.connect(self.wait_for)
        self.table.cellClicked.connect(
            lambda row, column: self.wait_for(self._bits[row]) if column != _TURBO else None
        )
        context.bridge.closed.connect(self.close)
        pads.gamepads.pressed.connect(self._pad_pressed)
        pads.gamepads.came_or_went.connect(self._show_gamepads)
        self.show_player(0)

    def _build_ui(self) -> None:
        table = self.table
        table.setSelectionMode(ui.FixedTable.SelectionMode.SingleSelection)
        table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        table.verticalHeader().setDefaultSectionSize(ui.SIZES.control + 4)
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        for button in (self.clear, self.reset, self.done_button):
            button.setAutoDefault(False)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        top = ui.hbox(self.choose_player, None, self.gamepads)
        bottom = ui.hbox(self.clear, self.reset, None, self.done_button)
        parts = (top, (self.pad, 2), self.prompt, (table, 3), bottom)
        ui.vbox(*parts, on=self, margins=(16, 14, 16, 14), gap=10)
        self.resize(620, 680)

    @property
    def _bindings(self) -> Bindings:
        return self._pads.bindings[self.player]

    def show_player(self, player: int) -> None:
        self.player = player
        self.choose_player.select(str(player))
        self._stop_waiting()
        self._show_gamepads(self._pads.gamepads.names)

    def _show_gamepads(self, names: tuple[str, ...]) -> None:
        text = self.tr("Gamepads: {0}").format(", ".join(names))
        self.gamepads.setText(text if names else self.tr("No gamepad is connected"))

    def _show_rows(self) -> None:
        for row, bit in enumerate(self._bits):
            binding = self._bindings[bit]
            pad = _PAD_LABELS.get(binding.pad, binding.pad)
            for column, text in enumerate((self._name(bit), key_label(binding.key), pad)):
                color = "" if text else ui.Theme.now.colors.faint
                self.table.put(row, column, text or "—", color=color)
            self.table.setCellWidget(row, _TURBO, self._turbo_cell(bit, binding))

    def _name(self, bit: int) -> str:
        return str(self._game.system.buttons[bit])

    def _turbo_cell(self, bit: int, binding: Binding) -> QWidget:
        tip = self.tr("While it is held, the button fires by itself")
        box = ui.check_box("", lambda on: self.set_turbo(bit, on=on), tip, on=binding.turbo)
        name, policies = self.tr("Turbo for {0}").format(self._name(bit)), Qt.FocusPolicy
        ui.named(box, name, focusPolicy=policies.NoFocus)
        frames = self._context.settings.turbo_frames
        name = self.tr("Turbo pattern for {0}").format(self._name(bit))
        tip = self.tr("Frames down/up, and so on: 2/2, or 1/3/2/1; empty is as in Preferences")
        field = ui.line_edit(name, f"{frames}/{frames}", tip=tip, text=binding.pattern)
        field.setFocusPolicy(policies.ClickFocus)
        field.editingFinished.connect(lambda: self._set_pattern(bit, field))
        cell = QWidget()
        ui.hbox(box, (field, 1), on=cell, margins=(8, 0, 8, 0))
        return cell

    def _set_pattern(self, bit: int, field: QLineEdit) -> None:
        text, binding = field.text().strip(), self._bindings[bit]
        if text and pad_controller.parse_pattern(text) is None:
            field.setText(binding.pattern)
            hint = self.tr("“{0}” is no pattern; write frames down/up, such as 2/2 or 1/3/2/1")
            self._say(hint.format(text), "warn")
        elif text != binding.pattern:
            changed = replace(binding, pattern=text, turbo=binding.turbo or bool(text))
            self._change(bit, changed)
            self._say(self._hint)
            if changed.turbo != binding.turbo:
                cell = self._turbo_cell(bit, changed)
                self.table.setCellWidget(self._bits.index(bit), _TURBO, cell)

    def _change(self, bit: int, binding: Binding) -> Sequence[tuple[int, int]]:
        """Use another binding, and return (player, bit) of the buttons that lost their keys."""
        bindings, clashes = pad_controller.bind(self._pads.bindings, self.player, bit, binding)
        self._pads.change(bindings)
        return clashes

    @property
    def _hint(self) -> str:
        hint = self.tr("Click a button of the pad, then press a key or a pad button for it.")
        words = self.tr(
            "Player {0} has no keys, because a keyboard has too few for all; gamepad {0} is theirs."
        )
        has_keys = any(each.key for each in self._bindings)
        return hint if has_keys else f"{words.format(self.player + 1)} {hint}"

    def wait_for(self, bit: int) -> None:
        """Wait for a key or pad button; called again for the same button, for a second key."""
        self._adds = self.waiting == bit and bool(self._bindings[bit].key)
        self.waiting = bit
        self.pad.choose(bit)
        self.table.selectRow(self._bits.index(bit))
        self.pad.setFocus(Qt.FocusReason.OtherFocusReason)
        text = self.tr("Press a key or a pad button for {0}; click again for a second key · Esc")
        if self._adds:
            text = self.tr("Press a second key for {0} · Esc to stop")
        self._say(text.format(self._name(bit)), "link")

    def _stop_waiting(self, text: str = "", role: str = "secondary") -> None:
        self.waiting = None
        self.pad.choose(None)
        self.table.clearSelection()
        self._show_rows()
        self._say(text or self._hint, role)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Bind the key if the dialog waits for one; Escape ends the waiting."""
        if self.waiting is None:
            super().keyPressEvent(event)
        elif event.key() == Qt.Key.Key_Escape:
            self._stop_waiting()
        elif not event.isAutoRepeat():
            self._take_key(self.waiting, name_of_key(event.key()))

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002 - Qt's signature
        """Let Tab be a key like any other while the dialog waits for a key."""
        return self.waiting is None and super().focusNextPrevChild(next)

    def _take_key(self, bit: int, name: str) -> None:
        if not name:
            self._say(self.tr("That key cannot be used; press another"), "warn")
            return
        first = self._bindings[bit].key.split()[:1] if self._adds else []
        names = " ".join(dict.fromkeys([*first, name]))
        self._bind(bit, replace(self._bindings[bit], key=names), key_label(names))

    def _pad_pressed(self, number: int, name: str) -> None:
        bit = self.waiting
        owner = pad_controller.player_of_pad(number, self._game.players)
        if bit is None or owner not in (self.player, None):
            return
        self._bind(bit, replace(self._bindings[bit], pad=name), _PAD_LABELS.get(name, name))

    def _bind(self, bit: int, binding: Binding, what: str) -> None:
        clashes = self._change(bit, binding)
        text = self.tr("{0} is {1} now").format(what, self._name(bit))
        if clashes:
            other = self.tr("player {0}'s {1}")
            names = self.tr(" and ").join(
                ("{1}" if player == self.player else other).format(player + 1, self._name(button))
                for player, button in clashes
            )
            text += self.tr("; {0} was {1}'s, which has none now").format(what, names)
        self._stop_waiting(text, "warn" if clashes else "good")

    def set_turbo(self, bit: int, *, on: bool) -> None:
        self._change(bit, replace(self._bindings[bit], turbo=on))

    def _clear(self) -> None:
        row = self.table.currentRow()
        bit = self.waiting if self.waiting is not None else self._bits[row] if row >= 0 else None
        if bit is None:
            self._say(self.tr("Click the button to clear first"), "warn")
        else:
            self._change(bit, Binding())
            self._stop_waiting(self.tr("{0} has no key now").format(self._name(bit)))

    def _reset(self) -> None:
        system, players = self._game.system, range(len(self._pads.bindings))
        self._pads.change([pad_controller.default_bindings(system, player) for player in players])
        self._stop_waiting(self.tr("All players have the default buttons again"), "good")
