"""The Macros panel: named sequences of buttons, recorded, edited as text, and played."""

import itertools
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QPlainTextEdit, QSplitter

from integrator.domain.errors import MovieError
from integrator.domain.movies.model import MovieConsole
from integrator.domain.movies.rows import parse_rows, row_lines
from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.session import Session
from integrator.ui import widgets as ui
from integrator.ui.play.preferences import PreferencesController
from integrator.ui.settings import UiSettings
from integrator.ui.window_context import PanelView


@dataclass(frozen=True, slots=True)
class KeptMacro:
    """Rows of buttons as text, one line for each frame. With ``loop``, it repeats itself."""

    text: str = ""
    loop: bool = False


def is_macro_name(text: str) -> bool:
    """True for letters, digits, spaces and hyphens, which settings and menus show unchanged."""
    return re.fullmatch(r"\w[\w -]{0,39}", text) is not None


def load_macros(settings: UiSettings, game: str) -> dict[str, KeptMacro]:
    """Return all macros of a game by name, except damaged ones."""
    return {
        name: KeptMacro(each["text"], each.get("loop") is True)
        for name, each in settings.table(f"macros/{game}").items()
        if is_macro_name(name) and isinstance(each, dict) and isinstance(each.get("text"), str)
    }


def save_macros(settings: UiSettings, game: str, macros: Mapping[str, KeptMacro]) -> None:
    settings.set_table(f"macros/{game}", {name: asdict(each) for name, each in macros.items()})


class MacrosView(PanelView):
    """The list of input macros, and the selected macro as rows of text. A macro is a command that
    can have keys. A recording has all buttons that the game got between its two clicks."""

    def _set_up(self) -> None:
        actions = self._actions
        self.macros: dict[str, KeptMacro] = {}
        self.list = ui.named(QListWidget(), self.tr("Input macros"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentTextChanged.connect(lambda _: self._show_chosen())
        no_wrap = QPlainTextEdit.LineWrapMode.NoWrap
        tip = self.tr("One line a frame, as in a movie's input log")
        text = QPlainTextEdit(tabChangesFocus=True, lineWrapMode=no_wrap)
        self.text = ui.named(text, self.tr("Rows of the macro"), toolTip=tip)
        self.problem = ui.NoteLabel("bad", textFormat=Qt.TextFormat.PlainText)
        self.play = ui.push_button(self.tr("Play"), lambda: self.play_macro(self.chosen()))
        self.stop = ui.action_button(actions["stop_macro"], text=self.tr("Stop"))
        self.record = ui.action_button(actions["record_macro"], checkable=True)
        self.loop = ui.check_box(self.tr("Loop"), lambda on: self._change(loop=on))
        keys = self._parts[PreferencesController].show_shortcuts
        self.keys = ui.push_button(self.tr("Keys…"), lambda: keys(self.chosen()))
        self.rename = ui.push_button(self.tr("Rename…"), self._rename)
        self.remove = ui.push_button(self.tr("Delete"), self._remove)
        split = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        for at, widget in enumerate((self.list, self.text)):
            split.addWidget(widget)
            split.setStretchFactor(at, 1)
        buttons = ui.hbox(self.record, self.play, self.stop, self.loop, None)
        more = ui.hbox(self.keys, self.rename, self.remove, None)
        content = ui.vbox(buttons, (split, 1), self.problem, more, margins=8)
        self._fill(content, "record", "macros", [actions["record_macro"]])
        actions["record_macro"].toggled.connect(self._show_recording)
        self._show_recording(on=False)
        self._shortcuts, self._record = actions.shortcuts, actions["record_macro"]
        self._commands: dict[str, QAction] = {}
        self._began: int | None = None
        self._looping = ""
        self._record.toggled.connect(self._toggled)
        actions.on(stop_macro=self.stop_macro)
        self.list.itemActivated.connect(lambda _: self.play_macro(self.chosen()))
        self.text.textChanged.connect(self._edit)

    def chosen(self) -> str:
        index = self.list.currentIndex()
        return str(index.data(Qt.ItemDataRole.UserRole)) if index.isValid() else ""

    def _list_macros(self, wanted: str) -> None:
        macros = self.macros
        with QSignalBlocker(self.list):
            self.list.clear()
            for name, macro in macros.items():
                count = sum(line.strip().startswith("|") for line in macro.text.splitlines())
                frames = ui.counted(self.tr("{0} frame[|s]", None, count), count)
                item = QListWidgetItem(f"{name} · {frames.format(ui.grouped(count))}")
                item.setData(Qt.ItemDataRole.UserRole, name)
                self.list.addItem(item)
            names = list(macros)
            self.list.setCurrentRow(names.index(wanted) if wanted in names else 0)
        self.pages.show_content(bool(macros))
        self._show_chosen()

    def _show_chosen(self) -> None:
        macro = self.macros.get(self.chosen(), KeptMacro())
        if self.text.toPlainText() != macro.text:
            with QSignalBlocker(self.text):
                self.text.setPlainText(macro.text)
        self.loop.setChecked(macro.loop)
        self.problem.clear()

    def _show_recording(self, on: bool) -> None:
        end, (begin,) = self.tr("End recording"), self.pages.empty.buttons
        self.record.setChecked(on)
        self.record.setText(end if on else self.tr("Record"))
        begin.setText(end if on else self.tr("Record input macro"))
        self._say_hint("macros-recording" if on else "macros")

    def _opened(self, game: GameSnapshot) -> None:
        self.macros = load_macros(self._settings, game.name)
        self._show(game.name)

    def _closed(self) -> None:
        self._began, self._looping = None, ""
        self._record.setChecked(False)
        self.macros = {}
        self._show()

    def _toggled(self, on: bool) -> None:
        if on:
            self._bridge.ask(lambda session: session.timeline.position, self._begin)
        elif self._began is not None:
            began, self._began = self._began, None

            def inputs(session: Session) -> NDArray[np.uint16]:
                """Return the buttons of the frames since then; macros have no axes."""
                last, log = session.timeline.position, session.timeline.log
                return log.inputs(min(began, last) + 1, last + 1)[:, : session.game.players]

            self._bridge.ask(inputs, self._keep)

    def _begin(self, frame: int) -> None:
        self._began = frame
        self._wait_for_play(self.tr("The macro begins with the next frame; play on"))

    def _wait_for_play(self, text: str) -> None:
        if not self._bridge.plays():
            self._inform(text)

    def _keep(self, rows: NDArray[np.uint16]) -> None:
        console = self._console()
        if not len(rows):
            self._warn(self.tr("No frame was run, so there is no macro"))
        elif console is not None:
            names = map(self.tr("Macro {0}").format, itertools.count(1))
            name = next(name for name in names if name not in self.macros)
            self.macros[name] = KeptMacro(row_lines(rows, console.bits).decode())
            self._changed(name)
            self._announce(self.tr("Recorded {0}").format(name))

    def play_macro(self, name: str) -> None:
        """Press a macro's buttons from the next frame on, or end it if it is looping already."""
        if (macro := self.macros.get(name)) is None:
            return
        if name == self._looping:
            self.stop_macro()
            return
        try:
            rows = self._rows(macro.text)
        except MovieError as error:
            self._report(self.tr("{0} cannot be played: {1}").format(name, error))
            return
        if rows is not None:
            self._looping = name if macro.loop else ""
            self._bridge.live.play(rows, loop=macro.loop)
            self._wait_for_play(self.tr("{0} begins with the next frame; play on").format(name))

    def stop_macro(self) -> None:
        self._looping = ""
        self._bridge.live.play(None)

    def _rows(self, text: str) -> NDArray[np.uint16] | None:
        """Parse the rows of a text. Raises MovieError."""
        console, game = self._console(), self._controller.game
        return parse_rows(text, console, game.players) if console and game else None

    def _console(self) -> MovieConsole | None:
        game = self._controller.game
        return self._context.systems.consoles.get(game.system.name) if game is not None else None

    def _edit(self) -> None:
        """Keep the rows as the user writes them, even while they cannot be played."""
        text = self.text.toPlainText()
        self._change(text=text)
        with ui.errors_to(self.problem.setText):
            self._rows(text)

    def _change(self, **changes: Any) -> None:
        if (name := self.chosen()) in self.macros:
            self.macros[name] = replace(self.macros[name], **changes)
            self._changed(name)

    def _remove(self) -> None:
        if self.macros.pop(self.chosen(), None) is not None:
            self._changed()

    def _rename(self) -> None:
        """Rename the selected macro. Its keys stay with the old name."""
        name, title = self.chosen(), self.tr("Rename the macro")
        new = self._ask_text(title, self.tr("Name"), name) or ""
        if is_macro_name(new) and new not in self.macros:
            self.macros = {new if each == name else each: one for each, one in self.macros.items()}
            self._changed(new)
        elif new not in ("", name):
            text = self.tr("“{0}” is no name for a macro, or is taken; use letters and digits")
            self._warn(text.format(new))

    def _changed(self, chosen: str = "") -> None:
        if (game := self._controller.game) is not None:
            save_macros(self._settings, game.name, self.macros)
            self._show(game.name, chosen)

    def _show(self, game: str = "", chosen: str = "") -> None:
        wanted = {f"macro {game} {name}".replace("=", "-"): name for name in self.macros}
        for key in self._commands.keys() - wanted.keys():
            self._shortcuts.remove(key)
            self._window.removeAction(self._commands.pop(key))
        for key, name in wanted.items():
            if key not in self._commands:
                action = QAction(self.tr("Play {0}").format(name), self._window)
                action.triggered.connect(lambda _=False, each=name: self.play_macro(each))
                self._window.addAction(action)
                self._shortcuts.add(key, self.tr("Macros"), action)
                self._commands[key] = action
        self._list_macros(chosen or self.chosen())
