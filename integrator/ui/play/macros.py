"""The Macros panel: buttons of some frames with a name, recorded, edited as text, and played."""

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QCheckBox,
    QInputDialog,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QWidget,
)

from integrator.domain.errors import MovieError
from integrator.domain.movies.model import MovieConsole
from integrator.domain.movies.rows import parse_rows, row_lines
from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.frame.inputs import Macro
from integrator.session.session import Session
from integrator.ui.actions.actions import Actions
from integrator.ui.desk import PanelController
from integrator.ui.settings import UiSettings
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.parts import (
    EmptyOr,
    EmptyState,
    action_button,
    hbox,
    role_label,
    stack,
    vbox,
)
from integrator.ui.widgets.texts import counted
from integrator.ui.widgets.theme import Theme

_NAME = re.compile(r"\w[\w -]{0,39}")


@dataclass(frozen=True, slots=True)
class KeptMacro:
    """Rows of buttons as text, one line a frame; ``loop``: it begins again at its end."""

    text: str = ""
    loop: bool = False

    @property
    def frames(self) -> int:
        return sum(line.strip().startswith("|") for line in self.text.splitlines())


def is_macro_name(text: str) -> bool:
    """True for letters, digits, spaces and hyphens, which settings and menus show unchanged."""
    return _NAME.fullmatch(text) is not None


class MacroStore:
    """Reads and writes all macros of a game at once, by name, in the settings file."""

    def __init__(self, settings: UiSettings) -> None:
        self._settings = settings

    def load(self, game: str) -> dict[str, KeptMacro]:
        return {
            name: KeptMacro(each["text"], each.get("loop") is True)
            for name, each in self._settings.table(f"macros/{game}").items()
            if is_macro_name(name) and isinstance(each, dict) and isinstance(each.get("text"), str)
        }

    def save(self, game: str, macros: Mapping[str, KeptMacro]) -> None:
        kept = {name: asdict(each) for name, each in macros.items()}
        self._settings.set_table(f"macros/{game}", kept)


class MacrosView(QWidget):
    """A list of input macros, and the chosen one as rows of text. ``keys_requested`` gives the name
    of a macro whose keys the user wants to choose."""

    keys_requested = Signal(str)

    def __init__(self, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self._macros: Mapping[str, KeptMacro] = {}
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Input macros"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentTextChanged.connect(lambda _: self._show_chosen())
        self.text = QPlainTextEdit()
        self.text.setAccessibleName(self.tr("Rows of the macro"))
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setTabChangesFocus(True)
        self.text.setToolTip(self.tr("One line a frame, as in a movie's input log"))
        self.problem = role_label(role="bad", wraps=True)
        self.problem.setTextFormat(Qt.TextFormat.PlainText)
        self.play = QPushButton(self.tr("Play"))
        self.stop = action_button(actions["stop_macro"])
        self.stop.setText(self.tr("Stop"))
        self.record = action_button(actions["record_macro"])
        self.record.setCheckable(True)
        self.loop = QCheckBox(self.tr("Loop"))
        self.keys = QPushButton(self.tr("Keys…"))
        self.keys.clicked.connect(lambda: self.keys_requested.emit(self.chosen()))
        self.rename = QPushButton(self.tr("Rename…"))
        self.remove = QPushButton(self.tr("Delete"))
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        for at, widget in enumerate((self.list, self.text)):
            split.addWidget(widget)
            split.setStretchFactor(at, 1)
        buttons = hbox(self.record, self.play, self.stop, self.loop, None)
        more = hbox(self.keys, self.rename, self.remove, None)
        content = QWidget()
        vbox(buttons, (split, 1), self.problem, more, on=content, margins=8)
        self.empty = EmptyState(theme, "record", "", "", [actions["record_macro"]])
        self.pages = EmptyOr(self.empty, content)
        stack(self, self.pages)
        actions["record_macro"].toggled.connect(self._show_recording)
        self._show_recording(on=False)

    def chosen(self) -> str:
        """The name of the macro that is selected; "" for none."""
        index = self.list.currentIndex()
        return str(index.data(Qt.ItemDataRole.UserRole)) if index.isValid() else ""

    def show_macros(self, macros: Mapping[str, KeptMacro], chosen: str = "") -> None:
        wanted = chosen or self.chosen()
        self._macros = macros
        with QSignalBlocker(self.list):
            self.list.clear()
            for name, macro in macros.items():
                frames = counted(self.tr("{0} frame[|s]", None, macro.frames), macro.frames)
                item = QListWidgetItem(f"{name} · {frames.format(f'{macro.frames:,}')}")
                item.setData(Qt.ItemDataRole.UserRole, name)
                self.list.addItem(item)
            names = list(macros)
            self.list.setCurrentRow(names.index(wanted) if wanted in names else 0)
        self.pages.show_content(bool(macros))
        self._show_chosen()

    def _show_chosen(self) -> None:
        macro = self._macros.get(self.chosen(), KeptMacro())
        if self.text.toPlainText() != macro.text:
            with QSignalBlocker(self.text):
                self.text.setPlainText(macro.text)
        self.loop.setChecked(macro.loop)
        self.show_problem("")

    def _show_recording(self, on: bool) -> None:
        end, empty = self.tr("End recording"), self.empty
        self.record.setChecked(on)
        self.record.setText(end if on else self.tr("Record"))
        (begin,) = empty.buttons
        begin.setText(end if on else self.tr("Record input macro"))
        heading = self.tr("No input macros yet")
        text = self.tr("Record what you press over some frames, then press it again with one key.")
        if on:
            heading = self.tr("An input macro is being recorded")
            text = self.tr("It gets what you press on each frame that is run until you end it.")
        empty.heading.setText(heading)
        empty.text.setText(text)

    def show_problem(self, text: str) -> None:
        """Say why the text cannot be played; "" when it can."""
        self.problem.setText(text)
        self.problem.setVisible(bool(text))

    def ask_name(self) -> str:
        name, title = self.chosen(), self.tr("Rename the macro")
        new, accepted = QInputDialog.getText(self, title, self.tr("Name"), text=name)
        return new.strip() if accepted and new.strip() != name else ""


class MacrosController(PanelController[MacrosView]):
    """Follows the open game. A macro is a command with keys of its own, in the one table of keys.

    Recording reads the inputs of the frames between its two clicks, so a macro holds the buttons
    that the game got, whoever pressed them.
    """

    def _set_up(self) -> None:
        desk, view = self._desk, self._view
        self._shortcuts = desk.actions.shortcuts
        self._store = MacroStore(desk.settings)
        self._record = desk.actions["record_macro"]
        self._actions: dict[str, QAction] = {}
        self._began: int | None = None
        self._looping = ""
        self.macros: dict[str, KeptMacro] = {}
        self._record.toggled.connect(self._toggled)
        desk.actions.on("stop_macro", self.stop)
        view.play.clicked.connect(lambda: self.play(view.chosen()))
        view.list.itemActivated.connect(lambda _: self.play(view.chosen()))
        view.loop.clicked.connect(self._set_loop)
        view.remove.clicked.connect(lambda: self.remove(view.chosen()))
        view.rename.clicked.connect(self._rename)
        view.text.textChanged.connect(self._edit)

    def _opened(self, game: GameSnapshot) -> None:
        self.macros = self._store.load(game.name)
        self._show(game.name)

    def _closed(self) -> None:
        self._began, self._looping = None, ""
        self._record.setChecked(False)
        self.macros = {}
        self._show()

    @property
    def is_recording(self) -> bool:
        return self._began is not None

    def _toggled(self, on: bool) -> None:
        if on:
            self._bridge.ask(lambda session: session.timeline.position, self._begin)
        elif self._began is not None:
            began, self._began = self._began, None
            self._bridge.ask(lambda session: _inputs_after(session, began), self._keep)

    def _begin(self, frame: int) -> None:
        self._began = frame
        if not self._bridge.plays():
            text = self.tr("The macro begins with the next frame; play on")
            self._announce(text, NoticeKind.INFO)

    def _keep(self, rows: NDArray[np.uint16]) -> None:
        console = self._console()
        if console is None:
            return
        if not len(rows):
            self._warn(self.tr("No frame was run, so there is no macro"))
            return
        number = 1
        while (name := self.tr("Macro {0}").format(number)) in self.macros:
            number += 1
        self.macros[name] = KeptMacro(row_lines(rows, console.bits).decode())
        self._changed(name)
        self._announce(self.tr("Recorded {0}").format(name))

    def play(self, name: str) -> None:
        """Press the buttons of a macro from the next frame on; a looping one that plays ends."""
        if name == self._looping:
            self.stop()
            return
        macro = self.macros.get(name)
        try:
            rows = self._rows(macro.text) if macro is not None else None
        except MovieError as error:
            self._report(self.tr("{0} cannot be played: {1}").format(name, error))
            return
        if macro is None or rows is None:
            return
        self._looping = name if macro.loop else ""
        self._bridge.live.play(Macro(rows, macro.loop))
        if not self._bridge.plays():
            text = self.tr("{0} begins with the next frame; play on").format(name)
            self._announce(text, NoticeKind.INFO)

    def stop(self) -> None:
        self._looping = ""
        self._bridge.live.play(None)

    def _rows(self, text: str) -> NDArray[np.uint16] | None:
        """The rows of a text. Raises MovieError."""
        console, game = self._console(), self._controller.game
        if console is None or game is None:
            return None
        return parse_rows(text, console, game.players)

    def _console(self) -> MovieConsole | None:
        game = self._controller.game
        return self._desk.systems.consoles.get(game.system) if game is not None else None

    def _edit(self) -> None:
        """Keep the rows as they are written, also when they cannot be played."""
        text, problem = self._view.text.toPlainText(), ""
        try:
            self._rows(text)
        except MovieError as error:
            problem = str(error)
        self._change(lambda macro: KeptMacro(text, macro.loop))
        self._view.show_problem(problem)

    def _set_loop(self, on: bool) -> None:
        self._change(lambda macro: KeptMacro(macro.text, on))

    def _change(self, change: Callable[[KeptMacro], KeptMacro]) -> None:
        name = self._view.chosen()
        if name in self.macros:
            self.macros[name] = change(self.macros[name])
            self._changed(name)

    def remove(self, name: str) -> None:
        if self.macros.pop(name, None) is not None:
            self._changed()

    def _rename(self) -> None:
        """Give the chosen macro another name; its keys stay with the old one."""
        name, new = self._view.chosen(), self._view.ask_name()
        if is_macro_name(new) and new not in self.macros:
            self.macros = {new if each == name else each: one for each, one in self.macros.items()}
            self._changed(new)
        elif new:
            text = self.tr("“{0}” is no name for a macro, or is taken; use letters and digits")
            self._warn(text.format(new))

    def _changed(self, chosen: str = "") -> None:
        game = self._controller.game
        if game is not None:
            self._store.save(game.name, self.macros)
            self._show(game.name, chosen)

    def _show(self, game: str = "", chosen: str = "") -> None:
        wanted = {f"macro {game} {name}".replace("=", "-"): name for name in self.macros}
        for key in self._actions.keys() - wanted.keys():
            self._shortcuts.remove(key)
            self._window.removeAction(self._actions.pop(key))
        for key, name in wanted.items():
            if key not in self._actions:
                action = QAction(self.tr("Play {0}").format(name), self._window)
                action.triggered.connect(lambda _=False, each=name: self.play(each))
                self._window.addAction(action)
                self._shortcuts.add(key, self.tr("Macros"), action)
                self._actions[key] = action
        self._view.show_macros(self.macros, chosen)


def _inputs_after(session: Session, frame: int) -> NDArray[np.uint16]:
    """Buttons of the frames behind ``frame``, up to the one on the screen; macros have no axes."""
    last = session.timeline.position
    rows = session.timeline.log.inputs(min(frame, last) + 1, last + 1)
    return rows[:, : session.game.players]
