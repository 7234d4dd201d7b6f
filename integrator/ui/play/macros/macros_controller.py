"""Input macros at work: recorded from the timeline, kept with the game, played by key."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow

from integrator.domain.errors import MovieError
from integrator.domain.movies.keys import MovieConsole
from integrator.domain.movies.row_text import parse_rows, row_lines
from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.frame.inputs import Macro
from integrator.session.session import Session
from integrator.ui.actions.actions import Actions
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.play.macros.macros_view import KeptMacro, MacroStore, MacrosView, is_macro_name
from integrator.ui.settings.settings import UiSettings
from integrator.ui.widgets.notices import NoticeKind, Teller


class MacrosController(QObject):
    """Follows the open game. A macro is a command with keys of its own, in the one table of keys.

    Recording reads the inputs of the frames between its two clicks, so a macro holds the buttons
    that the game got, whoever pressed them.
    """

    def __init__(
        self,
        bridge: SessionBridge,
        view: MacrosView,
        actions: Actions,
        settings: UiSettings,
        systems: Mapping[str, MovieConsole],
        say: Teller,
        window: QMainWindow,
    ) -> None:
        super().__init__(window)
        self._bridge = bridge
        self._view = view
        self._shortcuts = actions.shortcuts
        self._store = MacroStore(settings)
        self._systems = systems
        self._say = say
        self._window = window
        self._record = actions["record_macro"]
        self._game: GameSnapshot | None = None
        self._actions: dict[str, QAction] = {}
        self._began: int | None = None
        self._looping = ""
        self.macros: dict[str, KeptMacro] = {}
        bridge.opened.connect(self._opened)
        bridge.closed.connect(self._closed)
        self._record.toggled.connect(self._toggled)
        actions.on("stop_macro", self.stop)
        view.play_requested.connect(self.play)
        view.loop_requested.connect(lambda name, on: self._change(name, self._text(name), loop=on))
        view.removal_requested.connect(self.remove)
        view.rename_requested.connect(self.rename)
        view.edited.connect(self.edit)

    def _opened(self, game: GameSnapshot) -> None:
        self._game = game
        self.macros = self._store.load(game.name)
        self._show()

    def _closed(self) -> None:
        self._game, self._began, self._looping = None, None, ""
        self._record.setChecked(False)
        self.macros = {}
        self._show()

    @property
    def is_recording(self) -> bool:
        """True while the frames that are run become a macro."""
        return self._began is not None

    # -- recording --------------------------------------------------------------------------

    def _toggled(self, on: bool) -> None:
        if on:
            self._bridge.ask(lambda session: session.timeline.position, self._begin)
        elif self._began is not None:
            began, self._began = self._began, None
            self._bridge.ask(lambda session: _inputs_after(session, began), self._keep)

    def _begin(self, frame: int) -> None:
        self._began = frame
        if not self._bridge.plays():
            self._say(NoticeKind.INFO, self.tr("The macro begins with the next frame; play on"))

    def _keep(self, rows: NDArray[np.uint16]) -> None:
        console = self._console()
        if console is None:
            return
        if not len(rows):
            self._say(NoticeKind.WARNING, self.tr("No frame was run, so there is no macro"))
            return
        number = 1
        while (name := self.tr("Macro {0}").format(number)) in self.macros:
            number += 1
        self.macros[name] = KeptMacro(row_lines(rows, console.bits).decode())
        self._changed(name)
        self._say(NoticeKind.GOOD, self.tr("Recorded {0}").format(name))

    # -- playing ----------------------------------------------------------------------------

    def play(self, name: str) -> None:
        """Press the buttons of a macro from the next frame on; a looping one that plays ends."""
        if name == self._looping:
            self.stop()
            return
        macro = self.macros.get(name)
        try:
            rows = self._rows(macro.text) if macro is not None else None
        except MovieError as error:
            self._say(NoticeKind.ERROR, self.tr("{0} can not be played: {1}").format(name, error))
            return
        if macro is None or rows is None:
            return
        self._looping = name if macro.loop else ""
        self._bridge.play_macro(Macro(rows, macro.loop))
        if not self._bridge.plays():
            text = self.tr("{0} begins with the next frame; play on").format(name)
            self._say(NoticeKind.INFO, text)

    def stop(self) -> None:
        """Let the buttons of the macro go that plays."""
        self._looping = ""
        self._bridge.play_macro(None)

    def _rows(self, text: str) -> NDArray[np.uint16] | None:
        """The rows of a text. Raises MovieError."""
        console, game = self._console(), self._game
        if console is None or game is None:
            return None
        return parse_rows(text, console, game.players)

    def _console(self) -> MovieConsole | None:
        return self._systems.get(self._game.system) if self._game is not None else None

    # -- changing ---------------------------------------------------------------------------

    def edit(self, name: str, text: str) -> None:
        """Keep a macro's rows as they are written; what can not be played is said beside them."""
        problem = ""
        try:
            self._rows(text)
        except MovieError as error:
            problem = str(error)
        self._change(name, text, loop=self.macros[name].loop)
        self._view.show_problem(problem)

    def remove(self, name: str) -> None:
        """Forget a macro."""
        if self.macros.pop(name, None) is not None:
            self._changed()

    def rename(self, name: str, new: str) -> None:
        """Give a macro another name; its keys stay with the old one."""
        if not is_macro_name(new) or new in self.macros:
            text = self.tr("“{0}” is no name for a macro, or is taken; use letters and digits")
            self._say(NoticeKind.WARNING, text.format(new))
            return
        self.macros = {new if each == name else each: one for each, one in self.macros.items()}
        self._changed(new)

    def _text(self, name: str) -> str:
        return self.macros.get(name, KeptMacro()).text

    def _change(self, name: str, text: str, *, loop: bool) -> None:
        if name in self.macros:
            self.macros[name] = KeptMacro(text, loop)
            self._changed(name)

    def _changed(self, chosen: str = "") -> None:
        if self._game is not None:
            self._store.save(self._game.name, self.macros)
        self._show(chosen)

    def _show(self, chosen: str = "") -> None:
        game = self._game.name if self._game is not None else ""
        wanted = {f"macro {game} {name}".replace("=", "-"): name for name in self.macros}
        for key in [key for key in self._actions if key not in wanted]:
            self._shortcuts.remove(key)
            self._window.removeAction(self._actions.pop(key))
        for key, name in wanted.items():
            if key not in self._actions:
                action = QAction(self.tr("Play {0}").format(name), self._window)
                action.triggered.connect(partial(self._trigger, name))
                self._window.addAction(action)
                self._shortcuts.add(key, self.tr("Macros"), action)
                self._actions[key] = action
        self._view.show_macros(self.macros, chosen)

    def _trigger(self, name: str, _: bool = False) -> None:
        self.play(name)


def _inputs_after(session: Session, frame: int) -> NDArray[np.uint16]:
    """Buttons of the frames behind ``frame``, up to the one on the screen; macros have no axes."""
    last = session.timeline.position
    rows = session.timeline.log.inputs(min(frame, last) + 1, last + 1)
    return rows[:, : session.game.players]
