"""The Console panel: Lua or Python entries with a history, which run between two frames."""

import re
import threading
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from integrator.session.console import Console, ConsoleAnswer
from integrator.session.edits.snapshot import GameSnapshot, Update
from integrator.session.frame_script import Drawing, FrameScript, waits_for_frames
from integrator.session.session import Session
from integrator.ui import widgets as ui
from integrator.ui.window_context import PanelView

MAX_LINES = 5000
_LINE = re.compile(r"line (\d+): ")


class ConsoleEntry(QPlainTextEdit):
    """A field for an entry of several lines. ``entered`` gives its text and clears the field. Up in
    the first line and Down in the last line recall ``earlier`` entries. ``completed`` gives the
    line up to the cursor when Tab is pressed after a name."""

    entered = Signal(str)
    completed = Signal(str)

    def __init__(self) -> None:
        super().__init__(lineWrapMode=QPlainTextEdit.LineWrapMode.NoWrap, tabChangesFocus=True)
        self.earlier: list[str] = []
        self._at = 0
        self.textChanged.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        rows = min(self.blockCount(), 8)
        edges = 2 * round(self.document().documentMargin()) + 2 * self.frameWidth() + 8
        self.setFixedHeight(rows * self.fontMetrics().lineSpacing() + edges)

    def enter(self) -> None:
        if text := self.set_aside():
            self.entered.emit(text)

    def set_aside(self) -> str:
        if text := self.toPlainText().rstrip():
            self.earlier = [each for each in self.earlier if each != text] + [text]
            self._at = len(self.earlier)
            self.clear()
        return text

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter runs the entry, Shift+Enter begins a line, Up and Down recall earlier entries."""
        key, line = event.key(), self.textCursor().blockNumber()
        before = self.textCursor().block().text()[: self.textCursor().positionInBlock()]
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                indent = re.match(r"\s*", self.textCursor().block().text())
                self.insertPlainText(f"\n{indent[0] if indent else ''}")
            else:
                self.enter()
        elif key == Qt.Key.Key_Tab and re.search(r"[\w.]$", before):
            self.completed.emit(before)
        elif key == Qt.Key.Key_Up and line == 0:
            self._recall(self._at - 1)
        elif key == Qt.Key.Key_Down and line == self.blockCount() - 1:
            self._recall(self._at + 1)
        elif key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            super().focusNextPrevChild(key == Qt.Key.Key_Tab)
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002 - Qt's signature
        """Keep Tab in the field, because :meth:`keyPressEvent` completes names with it."""
        del next
        return False

    def show_line(self, text: str, line: int) -> None:
        self.setPlainText(text)
        self.setTextCursor(QTextCursor(self.document().findBlockByNumber(line - 1)))
        self.setFocus()

    def _recall(self, at: int) -> None:
        if 0 <= at <= len(self.earlier):
            self._at = at
            self.setPlainText([*self.earlier, ""][at])
            self.moveCursor(QTextCursor.MoveOperation.End)


class ConsoleOutput(QPlainTextEdit):
    """Shows answers. ``followed`` gives the address of a link that the user clicks."""

    followed = Signal(str)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        link = self.anchorAt(event.position().toPoint())
        if link and not self.textCursor().hasSelection():
            self.followed.emit(link)


class ConsoleView(PanelView):
    """The panel. Each game has its own console, so names that entries define end with the game."""

    def _set_up(self) -> None:
        self._console = Console()
        self._stopped = threading.Event()
        self._script: FrameScript | None = None
        self._scripted = ""  # the entry that runs at each frame
        languages = (self.tr("Lua"), "lua"), (self.tr("Python"), "python")
        self.language = ui.combo_box(self.tr("Language of the console"), entries=languages)
        self.language.currentIndexChanged.connect(lambda _: self._choose())
        tip = self.tr("Let Lua poke variables: data.lives = 9")
        self.writes = ui.check_box(self.tr("May write"), tip=tip)
        tip = self.tr(
            "Run the entry after each frame until Stop: gui.text, gui.box and gui.pixel draw over "
            "the picture; in Lua emu.frameadvance() waits for the next frame, as in BizHawk"
        )
        self.each_frame = ui.check_box(self.tr("Each frame"), tip=tip)
        self.entry = ui.named(ConsoleEntry(), self.tr("Entry of the console"))
        self.entry.setPlaceholderText(self.tr("Type here; Enter runs"))
        self.entry.entered.connect(self.run_entry)
        self.entry.completed.connect(self._ask_names)
        self.run = ui.push_button(self.tr("Run"), self.entry.enter, icon="play")
        tip = self.tr("End the Python or the script that runs")
        self.stop = ui.push_button(self.tr("Stop"), self._stop_script, tip, "flat", icon="stop")
        output = ConsoleOutput(readOnly=True, maximumBlockCount=MAX_LINES)
        self.output = ui.named(output, self.tr("Answers of the console"))
        self.output.followed.connect(self._follow)
        self.output.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        choices = ui.hbox(self.language, self.writes, self.each_frame, None)
        bar = ui.FoldingRow(choices, ui.hbox(self.run, self.stop, None))
        ui.vbox(bar, (self.output, 1), self.entry, on=self, margins=(9, 7, 9, 9))
        self._choose()
        self._show_running(running=False)

    @property
    def _python(self) -> bool:
        return bool(self.language.currentData() == "python")

    def _choose(self) -> None:
        self.writes.setVisible(not self._python)
        names = self.tr("Lua as in scripts: data.score is a variable, data[16] a byte.")
        if self._python:
            names = self.tr("Python with “session”, the game as it runs, and “np”.")
        keys = self.tr("Enter runs, Shift+Enter begins a line, Up and Down bring back entries.")
        self.output.setPlaceholderText(f"{names}\n{keys}")

    def _opened(self, game: GameSnapshot) -> None:  # noqa: ARG002 - any game
        self._show_running(running=False)

    def _closed(self) -> None:
        self._stopped.set()
        self._script = None
        self._screen.game_screen.show_drawings(())
        self._console = Console()
        self.entry.set_aside()
        self._show_running(running=False)

    def _show_running(self, *, running: bool) -> None:
        """Show that an entry runs. The next entry waits for its answer, unless it is a script."""
        free = self._bridge.is_open and not running
        self.entry.setReadOnly(not free)
        self.run.setEnabled(free)
        self.stop.setEnabled(running or self._script is not None)

    def run_entry(self, text: str) -> None:
        console, writes = self._console, self.writes.isChecked()
        stopped = self._stopped = threading.Event()
        self._write("> " + text.replace("\n", "\n  "), ui.Theme.now.colors.secondary)
        # Scripts for BizHawk run unchanged, because their loop waits for frames.
        waits = not self._python and waits_for_frames(text)
        if waits or self.each_frame.isChecked():
            self._run_frames(text, writes=writes)
            return
        self._show_running(running=True)
        python = self._python

        def work(session: Session) -> tuple[ConsoleAnswer, Update]:
            if python:
                answer = console.python(session, text, stopped.is_set)
            else:
                answer = console.lua(session, text, writes=writes)
            return answer, Update.of(session.game, answer.change)

        self._bridge.ask(work, lambda answer: self._show(text, *answer), partial(self._fail, text))

    def _run_frames(self, text: str, *, writes: bool) -> None:
        self._stop_script()
        console, later, show = self._console, self._bridge.later, self._show_report
        places = None if self._python else self._controller.places()

        def begin(session: Session) -> FrameScript:
            # Scripts report on the game's thread.
            return console.frames(
                session, text, lambda *said: later(show, *said), places, writes=writes
            )

        def begun(script: FrameScript) -> None:
            self._script, self._scripted = script, text
            self._show_running(running=False)

        self._bridge.ask(begin, begun, partial(self._fail, text))

    def _stop_script(self) -> None:
        self._stopped.set()
        script, self._script = self._script, None
        if script is not None:
            self._bridge.ask(lambda _: script.stop())
            self._screen.game_screen.show_drawings(())
            self._show_running(running=False)

    def _show_report(self, drawings: Sequence[Drawing], text: str, error: str) -> None:
        if self._script is None:
            return
        self._screen.game_screen.show_drawings(drawings)
        self.say(self._scripted, text, error)
        if error:
            self._script = None
            self._show_running(running=False)

    def _show(self, entry: str, answer: ConsoleAnswer, update: Update) -> None:
        self._show_running(running=False)
        self.say(entry, answer.text, answer.error)
        if update.change.subjects:
            self._controller.show(update)
        if answer.moved_to is not None:
            self._bridge.show(answer.moved_to)
        self._controller.memory_written.emit()

    def _fail(self, entry: str, error: Exception) -> None:
        self._show_running(running=False)
        self.say(entry, "", str(error))

    def say(self, entry: str, text: str, error: str) -> None:
        """Write the output of an entry, and its error as a link to the line that raised it."""
        if text:
            self._write(text.rstrip("\n"))
        if error:
            place = _LINE.match(error)
            self._write(error, ui.Theme.now.colors.bad, f"{place[1] if place else 1}:{entry}")

    def _write(self, text: str, color: str = "", link: str = "") -> None:
        style = QTextCharFormat()
        if link:
            style.setAnchor(True)
            style.setAnchorHref(link)
            style.setFontUnderline(True)
        if color:
            style.setForeground(QColor(color))
        cursor = QTextCursor(self.output.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if not self.output.document().isEmpty():
            cursor.insertBlock()
        cursor.insertText(text, style)
        bar = self.output.verticalScrollBar()
        bar.setValue(bar.maximum())

    def _follow(self, link: str) -> None:
        line, _, entry = link.partition(":")
        self.entry.show_line(entry, int(line))

    def _ask_names(self, text: str) -> None:
        console, python = self._console, self._python
        self._bridge.ask(lambda now: console.complete(now, text, python=python), self._complete)

    def _complete(self, names: Sequence[str]) -> None:
        """Complete the name before the cursor as far as all ``names`` agree, and list them."""
        if not names:
            return
        bare = [name.partition("(")[0] for name in names]
        shared = bare[0]
        while not all(name.startswith(shared) for name in bare):
            shared = shared[:-1]
        cursor = self.entry.textCursor()
        before = cursor.block().text()[: cursor.positionInBlock()]
        cut = next(at for at in range(len(shared), -1, -1) if before.endswith(shared[:at]))
        cursor.insertText(shared[cut:])
        if len(names) > 1 or names[0] != bare[0]:
            listed = names[:60]  # More names would push the answers out of view.
            self._write("   ".join(listed), ui.Theme.now.colors.secondary)
