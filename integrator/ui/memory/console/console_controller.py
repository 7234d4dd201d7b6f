"""Runs the Console panel's entries between two frames, and shows the window their effects."""

from __future__ import annotations

import threading

from PySide6.QtCore import QObject

from integrator.session.console import Console, ConsoleAnswer
from integrator.session.edits.snapshot import Update
from integrator.session.session import Session
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.bridge.panel_controller import PanelController
from integrator.ui.memory.console.console_view import ConsoleView


class ConsoleController(PanelController[ConsoleView]):
    """Each game has a console of its own, whose names go with it."""

    def __init__(
        self, bridge: SessionBridge, controller: GameController, view: ConsoleView, parent: QObject
    ) -> None:
        super().__init__(bridge, controller, view, parent)
        self._console = Console()
        self._stopped = threading.Event()
        bridge.opened.connect(lambda _: view.show_game(opened=True))
        bridge.closed.connect(self._closed)
        view.run_requested.connect(self.run)
        view.stop_requested.connect(lambda: self._stopped.set())

    def _closed(self) -> None:
        self._stopped.set()
        self._console = Console()
        self._view.show_game(opened=False)

    def run(self, text: str) -> None:
        """Run an entry in the chosen language."""
        console, python, writes = self._console, self._view.python, self._view.writes.isChecked()
        stopped = self._stopped = threading.Event()
        self._view.say_entry(text)
        self._view.show_running(running=True)

        def work(session: Session) -> tuple[ConsoleAnswer, Update]:
            answer = (
                console.python(session, text, stopped.is_set)
                if python
                else console.lua(session, text, writes=writes)
            )
            return answer, Update.of(session.game, answer.change)

        self._bridge.ask(work, lambda answer: self._show(*answer), self._fail)

    def _show(self, answer: ConsoleAnswer, update: Update) -> None:
        self._view.show_running(running=False)
        self._view.say(answer.text, answer.error)
        if update.change.subjects:
            self._controller.show(update)
        if answer.moved_to is not None:
            self._bridge.show(answer.moved_to)
        self._controller.show_written(answer.values)

    def _fail(self, error: Exception) -> None:
        self._view.show_running(running=False)
        self._view.say("", str(error))
