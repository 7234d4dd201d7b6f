"""Start states of the open game: begin there, load, save, rename, delete, make the default."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QInputDialog

from integrator.session.edits import commands as edits
from integrator.session.edits.snapshot import state_label
from integrator.session.frame.result import FrameResult
from integrator.session.session import Session
from integrator.session.setup.game import read_raw_state
from integrator.ui.actions.panel_keys import panel_action
from integrator.ui.bridge.background import PanelController
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.play.states.states_view import StatesView
from integrator.ui.widgets.notices import NoticeKind


class StatesController(PanelController[StatesView]):
    """Commands of the States panel, of its menu and of actions."""

    def __init__(
        self, bridge: SessionBridge, controller: GameController, view: StatesView, parent: QObject
    ) -> None:
        super().__init__(bridge, controller, view, parent)
        controller.follow(
            lambda documents: view.show_states(documents.states, documents.default_state), "states"
        )
        bridge.closed.connect(lambda: view.show_states((), ""))
        view.list.activated.connect(lambda index: self.start_at(index.data()))
        panel_action("states.remove", view.list, self._remove_selected)

    def start_at(self, name: str) -> None:
        """Begin an episode at a start state."""
        self._controller.ask_editor(lambda editor: editor.do(lambda game: game.use_state(name)))
        self._bridge.reset()

    def make_default(self, name: str, players: int = 0) -> None:
        """Let every episode of ``players`` (0: as many as now) begin there, also in training."""
        self._controller.edit(edits.make_default(name, players))

    @property
    def _default_state(self) -> str:
        documents = self._controller.documents
        return documents.default_state if documents else ""

    def save(self, name: str) -> None:
        """Keep this moment as a start state of the integration; episodes begin at the first one."""
        before = self._default_state

        def done() -> None:
            text = self.tr("Kept state {0}; the next save writes its file").format(name)
            if self._default_state == name != before:
                text += self.tr("; episodes begin there now")
            self._controller.said.emit(NoticeKind.GOOD, text)

        self._controller.edit(edits.save_state(name), done)

    def rename(self, old: str, new: str) -> None:
        """Give a start state another name, also in the metadata that names it."""
        self._controller.edit(edits.rename_state(old, new))

    def ask_name(self, old: str) -> None:
        """Ask for another name of a start state."""
        title, label = self.tr("Rename state"), self.tr("Name of the start state:")
        name, given = QInputDialog.getText(self._view, title, label, text=old)
        if given and name.strip() and name.strip() != old:
            self.rename(old, name.strip())

    def remove(self, name: str) -> None:
        """Delete a start state, also from the metadata; report the consequences."""
        before = self._default_state

        def done() -> None:
            kind, text = NoticeKind.INFO, self.tr("Deleted state {0}; Undo brings it back")
            if before == name:
                kind = NoticeKind.WARNING
                text = self.tr("Deleted state {0}, where episodes began: they begin at {1} now; ")
                text += self.tr("Undo brings it back, or make another one the default")
            text = text.format(name, state_label(self._default_state))
            self._controller.said.emit(kind, text)

        self._controller.edit(edits.remove_state(name), done)

    def _remove_selected(self) -> None:
        name = self._view.selected_name()
        if name is not None:
            self.remove(name)

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
