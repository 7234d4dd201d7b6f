"""The Macros panel: a list of input macros, and the chosen one as rows of text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QInputDialog,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QWidget,
)

from integrator.ui.actions.actions import Actions
from integrator.ui.settings.settings import UiSettings
from integrator.ui.widgets.panels.parts import (
    EmptyOr,
    EmptyState,
    action_button,
    hbox,
    set_role,
    stack,
    vbox,
)
from integrator.ui.widgets.theme import Theme
from integrator.ui.widgets.translation import counted

_NAME = re.compile(r"\w[\w -]{0,39}")


@dataclass(frozen=True, slots=True)
class KeptMacro:
    """Rows of buttons as text, one line a frame; ``loop``: it begins again at its end."""

    text: str = ""
    loop: bool = False

    @property
    def frames(self) -> int:
        """The number of rows."""
        return sum(line.strip().startswith("|") for line in self.text.splitlines())


def is_macro_name(text: str) -> bool:
    """True for letters, digits, spaces and hyphens, of which settings and menus make no other."""
    return _NAME.fullmatch(text) is not None


class MacroStore:
    """Reads and writes all macros of a game at once, by name."""

    def __init__(self, settings: UiSettings) -> None:
        self._settings = settings

    def load(self, game: str) -> dict[str, KeptMacro]:
        """The macros of a game; a damaged entry is left out."""
        return {
            name: KeptMacro(each["text"], each.get("loop") is True)
            for name, each in self._settings.table(f"macros/{game}").items()
            if is_macro_name(name) and isinstance(each, dict) and isinstance(each.get("text"), str)
        }

    def save(self, game: str, macros: Mapping[str, KeptMacro]) -> None:
        """Keep the macros of a game."""
        kept = {name: asdict(each) for name, each in macros.items()}
        self._settings.set_table(f"macros/{game}", kept)


class MacrosView(QWidget):
    """Shows macros and asks for changes. ``edited`` gives name and rows as text."""

    play_requested = Signal(str)
    loop_requested = Signal(str, bool)
    removal_requested = Signal(str)
    rename_requested = Signal(str, str)
    keys_requested = Signal(str)
    edited = Signal(str, str)

    def __init__(self, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self._macros: Mapping[str, KeptMacro] = {}
        self.list = QListWidget()
        self.text = QPlainTextEdit()
        self.problem = QLabel()
        self.play = QPushButton(self.tr("Play"))
        self.stop = action_button(actions["stop_macro"])
        self.record = action_button(actions["record_macro"])
        self.record.setCheckable(True)
        self.loop = QCheckBox(self.tr("Loop"))
        self.keys = QPushButton(self.tr("Keys…"))
        self.rename = QPushButton(self.tr("Rename…"))
        self.remove = QPushButton(self.tr("Delete"))
        self._build_ui(theme, actions)
        self._connect()
        actions["record_macro"].toggled.connect(self._show_recording)

    def _build_ui(self, theme: Theme, actions: Actions) -> None:
        self.list.setAccessibleName(self.tr("Input macros"))
        self.text.setAccessibleName(self.tr("Rows of the macro"))
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setTabChangesFocus(True)
        self.text.setToolTip(self.tr("One line a frame, as in a movie's input log"))
        self.stop.setText(self.tr("Stop"))
        self.problem.setWordWrap(True)
        self.problem.setTextFormat(Qt.TextFormat.PlainText)
        buttons = hbox(self.record, self.play, self.stop, self.loop, None)
        more = hbox(self.keys, self.rename, self.remove, None)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(self.list)
        split.addWidget(self.text)
        split.setChildrenCollapsible(False)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        split.setStretchFactor(0, 1)
        split.setStretchFactor(1, 1)
        content = QWidget()
        vbox(buttons, (split, 1), self.problem, more, on=content, margins=8)
        self.empty = EmptyState(theme, "record", "", "", [actions["record_macro"]])
        self.pages = EmptyOr(self.empty, content)
        stack(self, self.pages)
        self._show_recording(on=False)

    def _connect(self) -> None:
        self.list.currentTextChanged.connect(lambda _: self._show_chosen())
        self.list.itemActivated.connect(lambda _: self.play.click())
        self.play.clicked.connect(lambda: self.play_requested.emit(self.chosen()))
        self.loop.clicked.connect(lambda on: self.loop_requested.emit(self.chosen(), on))
        self.keys.clicked.connect(lambda: self.keys_requested.emit(self.chosen()))
        self.text.textChanged.connect(
            lambda: self.edited.emit(self.chosen(), self.text.toPlainText())
        )
        self.rename.clicked.connect(self._ask_name)
        self.remove.clicked.connect(lambda: self.removal_requested.emit(self.chosen()))

    def chosen(self) -> str:
        """The name of the macro that is selected; "" for none."""
        index = self.list.currentIndex()
        return str(index.data(Qt.ItemDataRole.UserRole)) if index.isValid() else ""

    def show_macros(self, macros: Mapping[str, KeptMacro], chosen: str = "") -> None:
        """List the macros of the open game, and select one."""
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
        """Name the buttons by their next click, and say in an empty list what goes on."""
        self.record.setChecked(on)
        self.record.setText(self.tr("End recording") if on else self.tr("Record"))
        (begin,) = self.empty.buttons
        begin.setText(self.tr("End recording") if on else self.tr("Record input macro"))
        empty = (
            self.tr("An input macro is being recorded"),
            self.tr("It gets what you press on each frame that is run until you end it."),
        )
        if not on:
            empty = (
                self.tr("No input macros yet"),
                self.tr(
                    "Record what you press over some frames, then press it again with one key."
                ),
            )
        self.empty.heading.setText(empty[0])
        self.empty.text.setText(empty[1])

    def show_problem(self, text: str) -> None:
        """Say why the text can not be played; "" when it can."""
        self.problem.setText(text)
        set_role(self.problem, "bad")
        self.problem.setVisible(bool(text))

    def _ask_name(self) -> None:
        name = self.chosen()
        new, accepted = QInputDialog.getText(
            self, self.tr("Rename the macro"), self.tr("Name"), text=name
        )
        if accepted and new.strip() != name:
            self.rename_requested.emit(name, new.strip())
