"""The Input log: the grid, a menu of edits, and a foot with undo, lag and progress."""

from __future__ import annotations

from functools import partial
from itertools import groupby

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QFrame, QMenu, QPushButton, QWidget

from integrator.ui.actions.shortcuts import NATIVE, with_keys
from integrator.ui.review.input_log.input_grid import OFFERS, InputGrid, Wish
from integrator.ui.widgets.panels.parts import hbox, plain_text, push_button, role_label, stack
from integrator.ui.widgets.panels.table import RowMenu, pop_up
from integrator.ui.widgets.proof_bar import ProofBar
from integrator.ui.widgets.theme import SIZES, Theme
from integrator.ui.widgets.translation import counted


class InputLogView(QWidget):
    """``wished`` gives a Wish for the selected frames of ``grid``."""

    wished = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._can: dict[Wish, bool] = {}
        self.grid = InputGrid(theme)
        self.grid.wished.connect(self.wished)
        self.grid.selection_changed.connect(self._show_facts)
        self.grid.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.grid.customContextMenuRequested.connect(self._open_menu)
        self._lag = 0
        self._build_ui()
        self.set_possible(undo=False, redo=False)

    def _build_ui(self) -> None:
        self.facts = role_label("", "faint")
        self.bar = ProofBar(self._theme)
        self.bar.cancel.setToolTip(self.tr("Stop; the recording stays as it was"))
        self.undo = self._button(Wish.UNDO, self.tr("Undo the newest change of the past"))
        self.redo = self._button(Wish.REDO, self.tr("Redo the change that was undone last"))
        foot = QFrame()
        foot.setObjectName("PanelFooter")
        parts = ((self.facts, 1), self.undo, self.redo)
        hbox(*parts, on=foot, margins=(SIZES.pad, 3, SIZES.pad, 3), gap=4)
        stack(self, self.grid, self.bar, foot, grows=self.grid)

    def _button(self, wish: Wish, tip: str) -> QPushButton:
        [offer] = [offer for offer in OFFERS if offer.wish is wish]
        action, wished = self.grid.edits[wish], partial(self.wished.emit, wish)
        icon = self._theme.icons.icon(offer.icon)
        button = push_button("", wished, with_keys(tip, action), "flat", icon)
        button.setAccessibleName(plain_text(action))
        action.changed.connect(lambda: button.setToolTip(with_keys(tip, action)))
        return button

    # -- shown state --------------------------------------------------------------------------

    def set_possible(self, *, undo: bool, redo: bool) -> None:
        """Offer to undo and to redo, or not."""
        self._can = {Wish.UNDO: undo, Wish.REDO: redo}
        self.undo.setEnabled(undo)
        self.redo.setEnabled(redo)

    def show_lag(self, frames: int) -> None:
        """Show the number of frames in which the game asked for no button."""
        self._lag = frames
        self._show_facts()

    def _show_facts(self) -> None:
        seen = self.grid.seen
        parts = []
        if seen.selection is not None:
            count = seen.selection[1] - seen.selection[0] + 1
            parts.append(_frames(self.tr("{0} selected", None, count), count))
        if self._lag:
            parts.append(_frames(self.tr("{0} lag frame[|s]", None, self._lag), self._lag))
            self.facts.setToolTip(self.tr("Frames in which the game asked for no button"))
        elif seen.length:
            parts.append(self.tr("no lag seen"))
            self.facts.setToolTip(
                self.tr(
                    "No frame in which the game asked for no button. Many cores ask in every "
                    "frame, whatever the game does: then lag can not be seen."
                )
            )
        self.facts.setText(" · ".join(parts))

    # -- menu ---------------------------------------------------------------------------------

    def menu(self) -> QMenu:
        """A menu of the edits of the selected frames."""
        menu = RowMenu(self._theme, self)
        marked = self.grid.selection[0] in self.grid.seen.marks
        can = {**self._can, Wish.UNMARK: marked}
        for group, offers in groupby(OFFERS, lambda offer: offer.group):
            if group:
                menu.addSeparator()
            for offer in offers:
                edit, wished = self.grid.edits[offer.wish], partial(self.wished.emit, offer.wish)
                text = f"{edit.text()}\t{edit.shortcut().toString(NATIVE)}"
                menu.add(text, wished, offer.icon, enabled=can.get(offer.wish, True))
        return menu

    def _open_menu(self, where: QPoint) -> None:
        if self.grid.seen.length:
            pop_up(self.menu(), self.grid, where)


def _frames(text: str, count: int) -> str:
    return counted(text, count).format(f"{count:,}")
