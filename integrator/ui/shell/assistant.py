"""Lets an assistant work on the open game: its server, its steps in the log, pause, take back."""

import json
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QDialog, QPlainTextEdit, QPushButton, QWidget

from integrator.assistant.workbench import AssistantBench, Call, CallStopped
from integrator.domain.errors import SessionError
from integrator.session.edits.editor import Change, Editor
from integrator.session.edits.snapshot import GameSnapshot, Update
from integrator.session.frame.result import FrameResult
from integrator.session.session import Session
from integrator.ui.desk import Desk, Part
from integrator.ui.shell.files.path_opener import PathOpener
from integrator.ui.shell.log_view import LogView
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.parts import hbox, role_label, vbox
from integrator.ui.widgets.theme import mono_font

if TYPE_CHECKING:
    from integrator.assistant.local import LocalServer

T = TypeVar("T")

_OPENING_S: Final = 60
_WAIT_S: Final = 0.1


@dataclass(frozen=True, slots=True)
class StandingPoint:
    """The place of a session before a step: edits made, line of play, and frame."""

    edits: int
    line: str
    frame: int

    @classmethod
    def of(cls, session: Session) -> "StandingPoint":
        travel = session.timeline
        return cls(len(session.integration.history.done), travel.log.current, travel.position)


class _Wire(QObject):
    """Carries the assistant's wishes from its threads to the window's."""

    opening = Signal(object, object)
    saving = Signal(object)
    edited = Signal(object)
    kept = Signal(object, object)
    stepped = Signal(str, str)


class WindowBench(AssistantBench):
    """The open game of the window. Steps wait while ``going`` is not set."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.root)
        self._bridge = desk.bridge
        self.wire = _Wire(desk.window)
        self.going = threading.Event()
        self.going.set()
        self.may_save = False
        self._points: list[StandingPoint] = []

    def post(self, command: Callable[[Session], T]) -> Future[T]:
        return self._bridge.post(command)

    def open(self, path: Path, state: str | None = None, players: int = 1) -> None:
        """Let the window open a game, as the person would."""
        if players != 1:
            raise SessionError("the person chooses the number of players in the window")
        opened: Future[None] = Future()
        self.wire.opening.emit(path, opened)
        try:
            opened.result(_OPENING_S)
        except TimeoutError:
            raise SessionError(f"{path}: the window has not opened it") from None
        self.ends = ()
        self._points.clear()
        if state is not None:
            self.post(lambda session: session.game.use_state(state)).result(_OPENING_S)

    def edit(self, command: Callable[[Editor], Change]) -> Future[Change]:
        def work(session: Session) -> Change:
            change = command(session.editor)
            self.wire.edited.emit(Update.of(session.game, change))
            return change

        return self.post(work)

    def save(self, name: str | None) -> Future[Path]:
        """Save at once if that is allowed, else when the person clicks."""

        def work(session: Session) -> Path:
            directory = self.write(session, name)
            self.wire.kept.emit(GameSnapshot.of(session.game, directory, session.last), directory)
            return directory

        if self.may_save:
            return self.post(work)
        saved: Future[Path] = Future()
        ask, failed = self._bridge.ask, saved.set_exception
        self.wire.saving.emit(lambda: saved.cancelled() or ask(work, saved.set_result, failed))
        return saved

    def on_frame(self, result: FrameResult) -> None:
        self._bridge.show(result)

    def admit(self, call: Call, step: str) -> None:
        """Wait while the person has paused, and remember where the session stands."""
        while not self.going.wait(_WAIT_S):
            if call.stopped():
                raise CallStopped(f"{step}: the person has paused the assistant")
        if self._bridge.is_open:
            self._bridge.pause()
            self._points.append(call.ask(StandingPoint.of))

    def told(self, step: str, result: str) -> None:
        self.wire.stepped.emit(step, result)

    def take_back(self, session: Session) -> FrameResult | None:
        """Undo the newest step that changed anything; the frame where the session stands then."""
        now = StandingPoint.of(session)
        while self._points and self._points[-1] == now:
            self._points.pop()
        if not self._points:
            return None
        point = self._points.pop()
        for _ in range(now.edits - point.edits):
            self.wire.edited.emit(Update.of(session.game, session.editor.undo()))
        if point.line != now.line:
            session.timeline.switch_to(point.line)
        frame = max(1, min(point.frame, session.timeline.length))
        return session.timeline.seek(frame)

    def close(self) -> None:
        """The game is the window's."""


class AssistantDialog(QDialog):
    """The address and key of the server, shown once, and the person's controls."""

    def __init__(self, bench: WindowBench, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Let an assistant work"))
        self.state = role_label("", "subheading")
        self.last = role_label(self.tr("No step yet"), "secondary")
        self.last.setWordWrap(True)
        self.configuration = QPlainTextEdit(readOnly=True)
        self.configuration.setFont(mono_font())
        self.configuration.setAccessibleName(self.tr("Configuration of the client"))
        self.copy = QPushButton(self.tr("Copy configuration"))
        self.copy.clicked.connect(
            lambda: QGuiApplication.clipboard().setText(self.configuration.toPlainText())
        )
        self.may_save = QCheckBox(self.tr("It may save without asking"))
        self.may_save.toggled.connect(lambda on: setattr(bench, "may_save", on))
        self.pause = QPushButton(self.tr("Pause"))
        self.pause.setCheckable(True)
        self.pause.toggled.connect(lambda on: bench.going.clear() if on else bench.going.set())
        self.take_back = QPushButton(self.tr("Take back last step"))
        self.stop = QPushButton(self.tr("Stop"))
        buttons = hbox(self.copy, None, self.pause, self.take_back, self.stop)
        vbox(self.state, (self.configuration, 1), self.last, self.may_save, buttons, on=self)
        self.resize(640, 320)

    def show_key(self, url: str, key: str) -> None:
        """Show the address with its key, until the dialog is closed."""
        self.state.setText(self.tr("Give this to the assistant. The key is shown only now."))
        headers = {"Authorization": f"Bearer {key}"}
        server = {"type": "http", "url": url, "headers": headers}
        text = json.dumps({"mcpServers": {"integrator": server}}, indent=2)
        self.configuration.setPlainText(text)

    def hideEvent(self, event: Any) -> None:  # noqa: N802 - Qt's name
        self.state.setText(self.tr("An assistant may work. Stop, and begin again, for a new key."))
        self.configuration.clear()
        super().hideEvent(event)


class AssistantController(Part):
    """Starts and ends the server of the open window."""

    def _set_up(self) -> None:
        self.server: LocalServer | None = None
        self.dialog: AssistantDialog | None = None
        self._openings: list[Future[None]] = []
        self._desk.actions.on("assistant", self.show)
        self._bridge.ending.connect(self.stop)
        self._bridge.opened.connect(lambda _: self._note_opened(None))
        self._bridge.open_failed.connect(lambda _, error: self._note_opened(error))

    def show(self) -> None:
        """Start the server, or show its dialog again."""
        if find_spec("mcp") is None:
            self._warn(self.tr('This needs the extra mcp: pip install "retro-integrator[mcp]"'))
            return
        if self.server is None or self.dialog is None:
            from integrator.assistant.local import LocalServer  # noqa: PLC0415 - an extra

            bench = WindowBench(self._desk)
            wire = bench.wire
            wire.opening.connect(self._open)
            wire.saving.connect(self._ask_to_save)
            wire.edited.connect(self._controller.show)
            wire.kept.connect(self._take_saved)
            wire.stepped.connect(self._log)
            self.server = LocalServer(bench)
            self.dialog = AssistantDialog(bench, self._window)
            self.dialog.take_back.clicked.connect(lambda: self._take_back(bench))
            self.dialog.stop.clicked.connect(self.stop)
            self.dialog.show_key(self.server.url, self.server.key)
        self.dialog.show()
        self.dialog.raise_()

    def stop(self) -> None:
        """Let the assistant go. Idempotent."""
        server, self.server = self.server, None
        if server is not None:
            server.close()
        if self.dialog is not None:
            self.dialog.close()
            self.dialog.deleteLater()
            self.dialog = None

    def _open(self, path: Path, opened: Future[None]) -> None:
        self._openings.append(opened)
        self._desk.parts[PathOpener].open(path)

    def _note_opened(self, error: Exception | None) -> None:
        waiting, self._openings = self._openings, []
        for opened in waiting:
            if error is None:
                opened.set_result(None)
            else:
                opened.set_exception(error)

    def _ask_to_save(self, save: Callable[[], object]) -> None:
        text = self.tr("The assistant wants to save the integration")
        self._say(NoticeKind.INFO, text, (self.tr("Save"), save), stays=True)

    def _take_saved(self, game: GameSnapshot, directory: Path) -> None:
        self._controller.adopt(game, self.tr("Saved {0}").format(directory))

    def _log(self, step: str, result: str) -> None:
        text = self.tr("Assistant: {0} → {1}").format(step, result)
        self._desk.parts[LogView].add(text)
        if self.dialog is not None:
            self.dialog.last.setText(text)

    def _take_back(self, bench: WindowBench) -> None:
        def show(result: FrameResult | None) -> None:
            if result is None:
                self._announce(self.tr("There is no step to take back"), NoticeKind.INFO)
            else:
                self._bridge.show(result)
                self._log(self.tr("taken back"), self.tr("frame {0}").format(result.number))

        self._bridge.ask(bench.take_back, show)
