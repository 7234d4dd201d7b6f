"""Lets an assistant work on the open game: its server, log of steps, pause, and undo of steps."""

import json
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QDialog, QPushButton, QWidget

from integrator.assistant.workbench import AssistantBench, Call, CallStopped
from integrator.domain.errors import SessionError
from integrator.session.edits.editor import Change, Editor
from integrator.session.edits.snapshot import GameSnapshot, Update
from integrator.session.frame.result import FrameResult
from integrator.session.session import Session
from integrator.ui import widgets as ui
from integrator.ui.shell.files.path_opener import PathOpener
from integrator.ui.shell.log_view import LogView
from integrator.ui.window_context import Part, WindowContext

if TYPE_CHECKING:
    from integrator.assistant.server import LocalServer

T = TypeVar("T")


def _session_state(session: Session) -> tuple[int, str, int]:
    """Return the state of a session as a step begins: number of edits, line of play, and frame."""
    travel = session.timeline
    return len(session.integration.history.done), travel.log.current, travel.position


class WindowBench(AssistantBench):
    """Gives the assistant the open game of the window. Steps wait while ``going`` is not set."""

    def __init__(self, context: WindowContext, window: "AssistantController") -> None:
        super().__init__(context.root)
        self._bridge, self._later, self._window = context.bridge, context.bridge.later, window
        self._controller, self._edited = context.controller, context.controller.show
        self.going = threading.Event()
        self.going.set()
        self.may_save = False
        self._points: list[tuple[int, str, int]] = []

    def post(self, command: Callable[[Session], T]) -> Future[T]:
        return self._bridge.post(command)

    def open(self, path: Path, state: str | None = None, players: int = 1) -> None:
        if players != 1:
            raise SessionError("the person chooses the number of players in the window")
        opened: Future[None] = Future()
        opening_s = 60
        self._later(self._window.open, path, opened)
        try:
            opened.result(opening_s)
        except TimeoutError:
            raise SessionError(f"{path}: the window has not opened it") from None
        self.ends = ()
        self._points.clear()
        if state is not None:
            self.post(lambda session: session.game.use_state(state)).result(opening_s)

    def edit(self, command: Callable[[Editor], Change]) -> Future[Change]:
        def work(session: Session) -> Change:
            change = command(session.editor)
            self._later(self._edited, Update.of(session.game, change))
            return change

        return self.post(work)

    def save(self, name: str | None) -> Future[Path]:
        """Save at once if that is allowed; otherwise ask the user first."""

        def work(session: Session) -> Path:
            directory = self.write(session, name)
            game = GameSnapshot.of(session.game, directory, session.last)
            self._later(self._window.take_saved, game, directory)
            return directory

        if self.may_save:
            return self.post(work)
        saved: Future[Path] = Future()

        def now() -> None:
            if not saved.cancelled():
                self._bridge.ask(work, saved.set_result, saved.set_exception)

        self._later(self._window.ask_to_save, now)
        return saved

    def on_frame(self, result: FrameResult) -> None:
        self._bridge.show(result)

    def admit(self, call: Call, step: str) -> None:
        """Wait while the user pauses the assistant; then pause the game and note its state."""
        while not self.going.wait(0.1):
            if call.stopped():
                raise CallStopped(f"{step}: the person has paused the assistant")
        if self._bridge.is_open:
            self._bridge.pause()
            self._points.append(call.ask(_session_state))

    def step_ended(self, step: str, result: str) -> None:
        self._later(self._window.log, step, result)
        with suppress(SessionError):  # no game is open
            self.post(self._show_present)

    def _show_present(self, session: Session) -> None:
        """Let all views show the present frame with its pokes, and if a movie is recorded."""
        records = session.movies.recording
        # A frame that is shown already would be heard again, and end the curves of its rewards.
        if (last := session.last) is not None and last is not self._controller.last:
            self._bridge.show(last)
        self._later(self._controller.memory_written.emit)
        self._later(self._controller.recording_changed.emit, records is not None)

    def take_back(self, session: Session) -> FrameResult | None:
        """Undo the newest step that changed anything; return the frame to show, or None."""
        now = _session_state(session)
        while self._points and self._points[-1] == now:
            self._points.pop()
        if not self._points:
            return None
        (edits, line, frame), editor = self._points.pop(), session.editor
        take_back = editor.undo if now[0] > edits else editor.redo
        for _ in range(abs(now[0] - edits)):
            self._later(self._edited, Update.of(session.game, take_back()))
        if line != now[1]:
            session.timeline.switch_to(line)
        return session.timeline.seek(max(1, min(frame, session.timeline.length)))

    def close(self) -> None:
        """Close nothing, because the game belongs to the window."""


class AssistantDialog(QDialog):
    """The address and key of the server, shown only once, and buttons to control the assistant."""

    def __init__(self, bench: WindowBench, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Let an assistant work"))
        self.state = ui.role_label("", "subheading")
        self.last = ui.role_label(self.tr("No step yet"), "secondary", wraps=True)
        self.configuration = ui.text_view(self.tr("Configuration of the client"))
        copy = QGuiApplication.clipboard().setText
        text = self.configuration.toPlainText
        self.copy = ui.push_button(self.tr("Copy configuration"), lambda: copy(text()))
        self.may_save = QCheckBox(self.tr("It may save without asking"))
        self.may_save.toggled.connect(lambda on: setattr(bench, "may_save", on))
        self.pause = ui.configured(QPushButton(self.tr("Pause")), checkable=True)
        self.pause.toggled.connect(lambda on: bench.going.clear() if on else bench.going.set())
        self.take_back = QPushButton(self.tr("Take back last step"))
        self.stop = QPushButton(self.tr("Stop"))
        buttons = ui.hbox(self.copy, None, self.pause, self.take_back, self.stop)
        ui.vbox(self.state, (self.configuration, 1), self.last, self.may_save, buttons, on=self)
        self.resize(640, 320)

    def show_key(self, url: str, key: str) -> None:
        """Show the server's address and key until the dialog is closed."""
        self.state.setText(self.tr("Give this to the assistant. The key is shown only now."))
        server = {"type": "http", "url": url, "headers": {"Authorization": f"Bearer {key}"}}
        text = json.dumps({"mcpServers": {"integrator": server}}, indent=2)
        self.configuration.setPlainText(text)

    def hideEvent(self, event: Any) -> None:
        self.state.setText(self.tr("An assistant may work. Stop, and begin again, for a new key."))
        self.configuration.clear()
        super().hideEvent(event)


class AssistantController(Part):
    """Starts and stops the server by which an assistant works on the open game."""

    def _set_up(self) -> None:
        self.server: LocalServer | None = None
        self.dialog: AssistantDialog | None = None
        self._openings: list[Future[None]] = []
        self._actions.on(assistant=self.show)
        self._bridge.ending.connect(self.stop)
        self._bridge.opened.connect(lambda _: self._note_opened(None))
        self._bridge.open_failed.connect(lambda _, error: self._note_opened(error))

    def show(self) -> None:
        if find_spec("mcp") is None:
            self._warn(self.tr('This needs the extra mcp: pip install "retro-integrator[mcp]"'))
            return
        if self.server is None or self.dialog is None:
            from integrator.assistant.server import LocalServer  # noqa: PLC0415 - an extra

            bench = WindowBench(self._context, self)
            self.server = LocalServer(bench)
            self.dialog = AssistantDialog(bench, self._window)
            self.dialog.take_back.clicked.connect(
                lambda: self._bridge.ask(bench.take_back, self._show_taken_back)
            )
            self.dialog.stop.clicked.connect(self.stop)
            self.dialog.show_key(self.server.url, self.server.key)
        self.dialog.show()
        self.dialog.raise_()

    def stop(self) -> None:
        """Stop the server. Idempotent."""
        server, dialog = self.server, self.dialog
        self.server = self.dialog = None
        if server is not None:
            server.close()
        if dialog is not None:
            dialog.close()
            dialog.deleteLater()

    def open(self, path: Path, opened: Future[None]) -> None:
        self._openings.append(opened)
        self._parts[PathOpener].open(path)

    def _note_opened(self, error: Exception | None) -> None:
        waiting, self._openings = self._openings, []
        for opened in waiting:
            if error is None:
                opened.set_result(None)
            else:
                opened.set_exception(error)

    def ask_to_save(self, save: Callable[[], object]) -> None:
        text = self.tr("The assistant wants to save the integration")
        self._inform(text, (self.tr("Save"), save), stays=True)

    def take_saved(self, game: GameSnapshot, directory: Path) -> None:
        self._controller.adopt(game, self.tr("Saved {0}").format(directory))

    def log(self, step: str, result: str) -> None:
        text = self.tr("Assistant: {0} → {1}").format(step, result)
        self._parts[LogView].add(text)
        if self.dialog is not None:
            self.dialog.last.setText(text)

    def _show_taken_back(self, result: FrameResult | None) -> None:
        if result is None:
            self._inform(self.tr("There is no step to take back"))
        else:
            self._bridge.show(result)
            self.log(self.tr("taken back"), self.tr("frame {0}").format(result.number))
