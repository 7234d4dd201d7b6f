"""The Script panel: the integration's Lua scripts and their editor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QComboBox, QFrame, QPushButton, QVBoxLayout, QWidget

from integrator.ui.actions.panel_keys import panel_action
from integrator.ui.editors.code_editor import CodeEditor
from integrator.ui.widgets.panels.parts import (
    EmptyOr,
    EmptyState,
    hbox,
    role_label,
    set_role,
    stack,
)
from integrator.ui.widgets.theme import SIZES, Theme

_SETTLE_MS = 400


class ScriptView(QWidget):
    """``text_changed``: (file, text), to keep; ``run_requested``: (file, text), to keep and use.

    ``new_requested`` asks for a script; ``listing_requested``: let the scenario use this file;
    ``removal_requested``: remove it.
    """

    text_changed = Signal(str, str)
    run_requested = Signal(str, str)
    new_requested = Signal()
    listing_requested = Signal(str)
    removal_requested = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._scripts: dict[str, str] = {}
        # The file whose text the editor holds: the list above it may be ahead.
        self._shown = ""
        self._problems: dict[str, dict[int, str]] = {}
        self.editor = CodeEditor(theme)
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settle.timeout.connect(self.flush)
        self._build_ui()
        self.editor.textChanged.connect(self._settle.start)
        self.editor.leave_requested.connect(self.flush)
        panel_action("script.run", self.editor, self._run)

    def _build_bar(self) -> QFrame:
        self.files = QComboBox(sizeAdjustPolicy=QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.files.setAccessibleName(self.tr("Script file"))
        self.files.activated.connect(lambda _: self.open_script(self.files.currentText()))
        self.run_button = QPushButton(self._theme.icons.icon("play"), self.tr("Run"))
        self.run_button.setToolTip(
            self.tr("Use this text from now on (Ctrl+Enter); saving does it too")
        )
        self.run_button.clicked.connect(self._run)
        self.new_button = QPushButton(self._theme.icons.icon("plus"), self.tr("New"))
        self.new_button.setToolTip(
            self.tr("A script can reward and end by rules that the panels can not express")
        )
        set_role(self.new_button, "flat")
        self.new_button.clicked.connect(self.new_requested)
        self.remove_button = QPushButton(self._theme.icons.icon("trash"), "")
        self.remove_button.setAccessibleName(self.tr("Remove this script"))
        self.remove_button.setToolTip(
            self.tr("Remove this script; its file goes when the integration is saved")
        )
        set_role(self.remove_button, "flat")
        self.remove_button.clicked.connect(self._remove)
        bar = QFrame()
        hbox(
            self.files,
            self.new_button,
            self.remove_button,
            None,
            self.run_button,
            on=bar,
            margins=(9, 7, 9, 7),
        )
        return bar

    def _build_ui(self) -> None:
        bar = self._build_bar()
        self.listing = QFrame()
        hint = hbox(
            (role_label(self.tr("The scenario does not use this file."), "warn"), 1),
            on=self.listing,
            margins=(SIZES.pad, 0, 9, 7),
        )
        use = QPushButton(self.tr("Use it"))
        use.setToolTip(self.tr("Add the file to the scenario's “scripts”"))
        use.clicked.connect(lambda: self.listing_requested.emit(self.files.currentText()))
        hint.addWidget(use)
        self.problem = role_label("", "bad", wraps=True)
        self.problem.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.problem.setContentsMargins(SIZES.pad, 6, SIZES.pad, 7)
        body = QWidget()
        stack(body, bar, self.listing, self.editor, self.problem, grows=self.editor)
        self._empty = EmptyState(
            self._theme,
            "script",
            self.tr("No script"),
            self.tr("A Lua function can give the reward, or say when an episode is done."),
        )
        self._first = QPushButton(self._theme.icons.icon("plus"), self.tr("Write script.lua"))
        self._first.clicked.connect(self.new_requested)
        layout = self._empty.layout()
        if isinstance(layout, QVBoxLayout):
            layout.insertWidget(layout.count() - 1, self._first, 0, Qt.AlignmentFlag.AlignHCenter)
        self.pages = EmptyOr(self._empty, body)
        stack(self, self.pages)

    # -- shown state ------------------------------------------------------------------------

    @property
    def current(self) -> str:
        """The file in the editor; empty when there is none."""
        return self.files.currentText()

    def show_scripts(
        self,
        scripts: Mapping[str, str],
        listed: Sequence[str],
        variables: Sequence[str],
        game: bool,
    ) -> None:
        """Show the integration's scripts; the text being edited is left alone while it is ahead."""
        names = list(scripts)
        if [self.files.itemText(i) for i in range(self.files.count())] != names:
            self.files.clear()
            self.files.addItems(names)
            self.files.setCurrentText(self._shown)
        before, self._scripts = self._scripts, dict(scripts)
        if self._shown not in scripts:
            self.files.setCurrentText(
                next((n for n in names if n in listed), names[0] if names else "")
            )
            self._show_text()
        elif self.editor.toPlainText() == before.get(self._shown, ""):
            self._show_text()
        self.editor.set_variables(variables)
        self.listing.setVisible(bool(names) and self.current not in listed)
        self._first.setVisible(game)
        self.pages.show_content(bool(names))

    def open_script(self, name: str, line: int = 0) -> None:
        """Put a file into the editor, at a line if one is given."""
        self.flush()
        self.files.setCurrentText(name)
        self._show_text()
        if line:
            self.editor.go_to_line(line)

    def _show_text(self) -> None:
        self._shown = self.current
        text = self._scripts.get(self.current, "")
        if self.editor.toPlainText() != text:
            self.editor.blockSignals(True)  # noqa: FBT003 - Qt's signature
            self.editor.setPlainText(text)
            self.editor.blockSignals(False)  # noqa: FBT003 - as above
        self.show_problems(self.current, self._problems.get(self.current, {}))

    def show_problems(self, name: str, problems: dict[int, str]) -> None:
        """Show the errors of a file, by line; an empty dictionary clears them."""
        self._problems[name] = problems
        if name == self.current:
            self.editor.set_problems(problems)
            self.problem.setText("\n".join(problems.values()))
            self.problem.setVisible(bool(problems))

    # -- user input -------------------------------------------------------------------------

    def flush(self) -> None:
        """Hand over the typed text."""
        self._settle.stop()
        text, name = self.editor.toPlainText(), self._shown
        if name and text != self._scripts.get(name):
            self._scripts[name] = text
            self.text_changed.emit(name, text)

    def _run(self) -> None:
        self._settle.stop()
        name = self._shown
        if name:
            self._scripts[name] = self.editor.toPlainText()
            self.run_requested.emit(name, self._scripts[name])

    def _remove(self) -> None:
        self.flush()
        if self.current:
            self.removal_requested.emit(self.current)
