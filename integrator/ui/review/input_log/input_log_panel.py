"""The Input log panel: the grid, a menu of edits, and a footer with undo, lag and progress."""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QInputDialog, QMenu, QPushButton

from integrator.session import recorded_rows
from integrator.session.edits.snapshot import Documents, GameSnapshot
from integrator.session.frame.result import FrameResult
from integrator.session.recorded_rows import LogRows, Splice
from integrator.session.session import Session
from integrator.session.timeline.restorer import Progress
from integrator.ui import widgets as ui
from integrator.ui.actions.shortcuts import NATIVE, with_keys
from integrator.ui.bridge.background import Replay
from integrator.ui.review.input_log.input_grid import InputGrid, Wish
from integrator.ui.review.travel_controller import TravelController
from integrator.ui.window_context import PanelView

MENU: tuple[Mapping[Wish, str], ...] = (  # groups of commands, with their icons
    {Wish.UNDO: "undo", Wish.REDO: "redo"},
    {Wish.INSERT: "plus", Wish.CLONE: "", Wish.DELETE: "trash", Wish.CLEAR: "", Wish.PATTERN: ""},
    {Wish.COPY: "", Wish.PASTE: "", Wish.PASTE_INSERT: ""},
    {Wish.MARK: "pin", Wish.UNMARK: ""},
)

EDITS: Mapping[Wish, Callable[[int, NDArray[np.uint16]], Splice]] = {
    Wish.DELETE: lambda first, rows: Splice(first, len(rows), []),
    Wish.CLONE: lambda first, rows: Splice(first + len(rows), 0, rows),
    Wish.INSERT: lambda first, rows: Splice(first, 0, np.zeros_like(rows)),
    Wish.CLEAR: lambda first, rows: Splice.over(first, np.zeros_like(rows)),
}
"""Functions that return the splice for the selected rows, which begin at a first frame."""


class InputLogView(PanelView):
    """Provides ``grid`` with rows, and turns its strokes and wishes into edits of recorded frames.
    ``variables`` are the variables that can be shown as columns."""

    def _set_up(self) -> None:
        self.variables: tuple[str, ...] = ()
        self.grid = InputGrid()
        self.grid.wished.connect(self.do)
        self.grid.selection_changed.connect(self._show_foot)
        numbers = self.grid.verticalHeader()
        seen = self.grid.seen
        ui.show_row_menus(self.grid, lambda _: self.menu() if seen.length else None, numbers)
        self.facts = ui.role_label("", "faint")
        self.bar = ui.ProofBar()
        self.bar.cancel.setToolTip(self.tr("Stop; the recording stays as it was"))
        self.undo = self._button(Wish.UNDO, self.tr("Undo the newest change of the past"))
        self.redo = self._button(Wish.REDO, self.tr("Redo the change that was undone last"))
        foot = ui.styled(QFrame(), "PanelFooter")
        parts = ((self.facts, 1), self.undo, self.redo)
        ui.hbox(*parts, on=foot, margins=(ui.SIZES.pad, 3, ui.SIZES.pad, 3), gap=4)
        ui.stack(self, self.grid, self.bar, foot, grows=self.grid)
        self.set_possible(undo=False, redo=False)
        self._travel = self._parts[TravelController]
        self._replay = Replay(self._bridge, self.bar, self._replay_text, self)
        ready, set_rows = self._bridge.readout_ready, seen.set_rows
        self._sight.follow(ready, lambda result: seen.set_position(result.number))
        self._sight.follow(self._controller.timeline_moved, lambda _: self._show_rows())
        self.grid.seek_requested.connect(self._go_to)
        self._rows = self._reader(self._look, lambda rows: set_rows(*rows), 0, self._refused)
        self.grid.rows_needed.connect(self._rows.touch)
        self.grid.edit_requested.connect(self.edit)
        self._controller.follow(self._show_variables, "variables")

    def _button(self, wish: Wish, tip: str) -> QPushButton:
        action, tipped = self.grid.edits[wish], with_keys(tip, self.grid.edits[wish])
        button = ui.push_button("", lambda: self.do(wish), tipped, "flat", icon=MENU[0][wish])
        button.setAccessibleName(ui.plain_text(action))
        action.changed.connect(lambda: button.setToolTip(with_keys(tip, action)))
        return button

    def set_possible(self, *, undo: bool, redo: bool) -> None:
        self.undo.setEnabled(undo)
        self.redo.setEnabled(redo)

    def _show_foot(self) -> None:
        parts, tip, facts = [], "", self._timeline.facts
        lag = facts.lag if facts is not None else 0
        if (chosen := self.grid.chosen) is not None:
            count = chosen[1] - chosen[0] + 1
            parts.append(ui.count_text(self.tr("{0} selected", None, count), count))
        if lag:
            parts.append(ui.count_text(self.tr("{0} lag frame[|s]", None, lag), lag))
            tip = self.tr("Frames in which the game asked for no button")
        elif self.grid.seen.length:
            parts.append(self.tr("no lag seen"))
            tip = self.tr(
                "No frame in which the game asked for no button. Many cores ask in every "
                "frame, whatever the game does: then lag cannot be seen."
            )
        if facts is not None and facts.wait:
            parts.append(self.tr("planned frames wait"))
            tip = self.tr(
                "Memory was changed by hand at this frame, which would be lost: advance a frame, "
                "and the planned ones run on"
            )
        self.facts.setText(" · ".join(parts))
        self.facts.setToolTip(tip)

    def menu(self) -> QMenu:
        menu = ui.RowMenu(self)
        marked = self.grid.selection[0] in self.grid.seen.marks
        undo, redo = self.undo.isEnabled(), self.redo.isEnabled()
        can = {Wish.UNDO: undo, Wish.REDO: redo, Wish.UNMARK: marked}
        for wishes in MENU:
            menu.addSeparator()
            for wish, icon in wishes.items():
                edit, wished = self.grid.edits[wish], partial(self.do, wish)
                text = f"{edit.text()}\t{edit.shortcut().toString(NATIVE)}"
                menu.add(text, wished, icon, enabled=can.get(wish, True))
        values = ui.RowMenu(menu)
        values.setTitle(self.tr("Values next to the buttons"))
        values.setEnabled(bool(self.variables))
        for name in self.variables:
            shown = name in self.grid.seen.names
            values.add_switch(name, partial(self._show_value, name), on=shown)
        menu.addMenu(values)
        return menu

    def _show_value(self, name: str, on: bool) -> None:
        others = [each for each in self.grid.seen.names if each != name]
        self.grid.seen.set_names([*others, name] if on else others)

    def _opened(self, game: GameSnapshot) -> None:
        axes = [each.name for each in game.axes]
        self.grid.seen.set_buttons(game.system.buttons, game.players, axes)
        self._show_foot()

    def _show_variables(self, documents: Documents) -> None:
        self.variables = tuple(name for name in documents.variables if name in documents.values)
        self.grid.seen.set_names([each for each in self.grid.seen.names if each in self.variables])

    def _closed(self) -> None:
        self.grid.seen.set_buttons((), 1, ())
        self.set_possible(undo=False, redo=False)

    def _show_rows(self) -> None:
        if (facts := self._timeline.facts) is not None:
            jumps = [m.frame for m in facts.markers if m.kind != "user"]
            marks = {m.frame: m.label for m in facts.markers if m.kind == "user"}
            self.grid.seen.set_length(facts.length + facts.ahead, jumps, marks, facts.length)
            self.set_possible(undo=facts.can_undo, redo=facts.can_redo)
            self._show_foot()

    def _look(self) -> Callable[[Session], tuple[int, LogRows]] | None:
        (first, count), names = self.grid.needed, self.grid.seen.names
        if count <= 0:
            return None
        return lambda session: (first, recorded_rows.log_rows(session, first, count, names))

    def _refused(self, error: Exception) -> None:
        self._show_rows()
        self._report(error)

    def _go_to(self, frame: int) -> None:
        """Show a recorded frame, or run planned rows up to a frame that has not been played."""
        facts = self._timeline.facts
        if facts is None or frame <= facts.length:
            self._travel.seek(frame)
        else:
            self._run(lambda session, progress: recorded_rows.play_ahead(session, frame, progress))

    def do(self, wish: Wish) -> None:
        first, last = self.grid.selection
        clipboard = QGuiApplication.clipboard()
        match wish if last >= 1 else None:
            case Wish.COPY:
                copy, read = clipboard.setText, recorded_rows.rows_text
                self._bridge.ask(lambda now: read(now, first, last), copy, self._refused)
            case Wish.PASTE | Wish.PASTE_INSERT:
                text, insert = clipboard.text(), wish is Wish.PASTE_INSERT
                self._splice(lambda now: recorded_rows.pasted(now, first, text, insert=insert))
            case Wish.PATTERN:
                self._ask_pattern(first, last)
            case Wish.MARK:
                self._travel.mark(first)
            case Wish.UNMARK:
                self._travel.unmark(first)
            case Wish.UNDO | Wish.REDO:
                redo = wish is Wish.REDO
                self._run(lambda session, _: recorded_rows.undo_edit(session, redo=redo))
            case Wish():
                edit, rows = EDITS[wish], recorded_rows.document_rows
                self._splice(lambda now: edit(first, rows(now, start=first, stop=last + 1)))

    def edit(self, first: int, last: int, port: int, bit: int, pressed: bool) -> None:
        """Press or release a button from frame ``first`` to ``last``, also beyond the last row."""
        self._splice(
            lambda now: recorded_rows.painted(now, first, last, port, 1 << bit, pressed=pressed)
        )

    def _ask_pattern(self, first: int, last: int) -> None:
        game = self._controller.game
        macros = self._settings.table(f"macros/{game.name}") if game else {}
        title = self.tr("Paint a pattern")
        hint = self.tr(
            "Buttons, frames down, frames up: A 2 2 is turbo, B+RIGHT 1 9 every tenth frame,\n"
            "A alone holds, 2:A is player 2's; or a macro's name:"
        )
        text, accepted = QInputDialog.getItem(self, title, hint, ["A 2 2", *macros])
        if accepted and text in macros:
            self._splice(lambda now: recorded_rows.tiled(now, first, last, macros[text]["text"]))
        elif accepted:
            self._splice(lambda session: recorded_rows.patterned(session, first, last, text))

    def _splice(self, make: Callable[[Session], Splice]) -> None:
        self._run(lambda now, go_on: recorded_rows.edit_inputs(now, make(now), go_on))

    def _run(self, work: Callable[[Session, Progress], FrameResult | None]) -> None:
        was_playing = not self._controller.paused

        def done(result: FrameResult | None) -> None:
            if result is None:
                self._inform(self.tr("Nothing changed: these frames hold the same buttons already"))
            else:
                self._bridge.show(result)
                self._travel.refresh()
                self.grid.seen.set_position(result.number)
            if was_playing:
                self._bridge.play()

        self._bridge.pause()
        self._replay.ask(work, done, self._refused)

    def _replay_text(self, frames: int) -> str:
        return ui.count_text(self.tr("{0} frame[|s] run again", None, frames), frames)
