"""Offers another core of this computer, once states of the open game turn out to be inexact."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject

from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.frame.result import Event, StatesInexact
from integrator.session.library.checks.exact_cores import ExactCore, exact_cores
from integrator.session.opening import open_journaled
from integrator.session.session import Session
from integrator.ui.bridge.background import Background
from integrator.ui.shell.desk import Desk
from integrator.ui.shell.files.file_commands import FileCommands
from integrator.ui.widgets.notices import NoticeKind


class ExactCoreOffer(QObject):
    """Tries the other cores of a game beside its play, and opens it again on the chosen one."""

    def __init__(self, desk: Desk, files: FileCommands) -> None:
        super().__init__(desk.window)
        self._desk = desk
        self._files = files
        self._background = Background(desk.bridge, "exact-cores", self)
        desk.bridge.event_received.connect(self._look)

    def _look(self, event: Event) -> None:
        game = self._desk.controller.game
        if not isinstance(event, StatesInexact) or game is None:
            return
        path, system, players, used = game.path, game.system, game.players, game.core_path
        self._background.start(
            lambda job: exact_cores(path, system, players, used, job.stopped),
            lambda found: self._offer(game, found),
            lambda error: self._desk.say(NoticeKind.WARNING, str(error)),
        )

    def _offer(self, game: GameSnapshot, found: list[ExactCore]) -> None:
        for core in found:
            text = self.tr(
                "{0} has exact states in this game. {1}: {2}. Training uses neither its states "
                "nor its movies unless its own core is the same."
            ).format(core.name, core.path, core.difference)
            self._desk.say(
                NoticeKind.INFO,
                text,
                (self.tr("Open on {0}").format(core.name), self._opener(game, core.path)),
                stays=True,
            )

    def _opener(self, game: GameSnapshot, core: Path) -> Callable[[], object]:
        def work(path: Path) -> Session:
            return open_journaled(path, game.players, game.system, core)

        return lambda: self._files.after_saving(lambda: self._desk.bridge.open(game.path, work))
