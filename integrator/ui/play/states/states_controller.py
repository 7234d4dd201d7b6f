"""Start states of the open game: begin there, load, save, rename, delete, make the default."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QInputDialog

from integrator.session.edits import commands as edits
from integrator.session.edits.snapshot import Documents, state_label
from integrator.session.frame.result import FrameResult
from integrator.session.session import Session
from integrator.session.setup.game import read_raw_state
from integrator.ui.bridge.background import PanelController
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.play.states.states_view import StatesView
from integrator.ui.widgets.notices import NoticeKind


class StatesController(PanelController[StatesView]):
    """Turns requests of the States panel and of actions into commands."""

    def __init__(
        self, bridge: SessionBridge, controller: GameController, view: StatesView, parent: QObject
    ) -> None:
        super().__init__(bridge, controller, view, parent)
        controller.follow(self._show, "states")
        bridge.closed.connect(lambda: view.show_states((), ""))
        view.start_requested.connect(self.start_at)
        view.load_requested.connect(self.load_named)
        view.default_requested.connect(self.make_default)
        view.rename_requested.connect(lambda name: self._ask_name(view, name))
        view.removal_requested.connect(self.remove)

    def _show(self, documents: Documents) -> None:
        self._view.show_states(documents.states, documents.default_state)

    def start_at(self, name: str) -> None:
        """Begin an episode at a start state."""

        self._controller.ask_editor(lambda editor: editor.do(lambda game: game.use_state(name)))
        self._bridge.reset()

    def make_default(self, name: str, players: int = 0) -> None:
        """Let every episode of so many players (0: as now) begin at a state, also in training."""
        self._controller.edit(edits.make_default(name, players))

    def save(self, name: str) -> None:
        """Keep this moment as a start state of the integration; episodes begin at the first one."""
        controller = self._controller
        before = controller.documents.default_state if controller.documents else ""

        def done() -> None:
            text = self.tr("Kept state {0}; the next save writes its file").format(name)
            now = controller.documents
            if now is not None and now.default_state == name != before:
                text += self.tr("; episodes begin there now")
            controller.said.emit(NoticeKind.GOOD, text)

        controller.edit(edits.save_state(name), done)

    def rename(self, old: str, new: str) -> None:
        """Give a start state another name, also in the metadata that names it."""
        self._controller.edit(edits.rename_state(old, new))

    def remove(self, name: str) -> None:
        """Delete a start state, also from the metadata; report the consequences."""
        controller = self._controller
        before = controller.documents.default_state if controller.documents else ""

        def done() -> None:
            now = controller.documents
            if now is None or before != name:
                text = self.tr("Deleted state {0}; Undo brings it back").format(name)
                controller.said.emit(NoticeKind.INFO, text)
                return
            text = self.tr("Deleted state {0}, where episodes began: they begin at {1} now; ")
            undo = self.tr("Undo brings it back, or make another one the default")
            text = text.format(name, state_label(now.default_state)) + undo
            controller.said.emit(NoticeKind.WARNING, text)

        controller.edit(edits.remove_state(name), done)

    def _ask_name(self, view: StatesView, old: str) -> None:
        title, label = self.tr("Rename state"), self.tr("Name of the start state:")
        name, given = QInputDialog.getText(view, title, label, text=old)
        if given and name.strip() and name.strip() != old:
            self.rename(old, name.strip())

    def load_named(self, name: str) -> None:
        """Go on from a state of the integration, in the same episode."""
        self._load(lambda session: session.restore_state(name))

    def load_file(self, path: Path) -> None:
        """Go on from a ``.state`` file."""
        self._load(lambda session: session.load_state(read_raw_state(path), str(path)))

    def _load(self, load: Callable[[Session], object]) -> None:
        """A state has no picture: while paused, one frame is run to show where the game is."""
        show = self._controller.paused

        def work(session: Session) -> FrameResult | None:
            load(session)
            return session.advance() if show else None

        def done(result: FrameResult | None) -> None:
            if result is not None:
                self._bridge.show(result)

        self._bridge.ask(work, done)
