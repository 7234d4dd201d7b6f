"""Start states of the open game: begin there, load, save, rename, delete, make the default."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QInputDialog

from integrator.session.result import FrameResult
from integrator.session.session import Session
from integrator.ui import edits
from integrator.ui.bridge import SessionBridge
from integrator.ui.play.states_view import StatesView
from integrator.ui.snapshot import Documents
from integrator.ui.widgets.notices import NoticeKind

if TYPE_CHECKING:
    from integrator.ui.controller import GameController


class StatesController(QObject):
    """Turns what the States panel and the actions ask for into commands."""

    def __init__(self, bridge: SessionBridge, controller: GameController, view: StatesView) -> None:
        super().__init__(controller)
        self._bridge = bridge
        self._controller = controller
        # What changes files at once goes through it: packaged games are copied first.
        self.guard: Callable[[Callable[[], object]], object] = lambda then: then()
        view.start_requested.connect(self.start_at)
        view.load_requested.connect(self.load_named)
        view.default_requested.connect(self.make_default)
        view.rename_requested.connect(lambda name: self.guard(lambda: self._ask_name(view, name)))
        view.removal_requested.connect(lambda name: self.guard(lambda: self.remove(name)))

    def start_at(self, name: str) -> None:
        """Begin an episode at a start state."""

        def work(session: Session) -> Documents:
            session.use_state(name)
            return Documents.of(session)

        self._bridge.ask(work, self._controller.show_documents)
        self._bridge.reset()

    def make_default(self, name: str, players: int = 0) -> None:
        """Let every episode of so many players (0: as now) begin at a state, also in training."""

        def work(session: Session) -> Documents:
            session.integration.metadata.set_default_state(name, players or session.players)
            session.use_state(None)
            return Documents.of(session)

        self._bridge.ask(work, self._controller.show_documents)

    def save(self, name: str) -> None:
        """Keep this moment as a start state of the integration; episodes begin at the first one.

        Without that, training would begin at power-on, where no button of an agent leads on.
        """

        def work(session: Session) -> tuple[Documents, bool]:
            edits.write_state(session, name)
            integration, players = session.integration, session.players
            first = integration.states == [name]
            first = first and integration.metadata.default_state(players) is None
            if first:
                integration.metadata.set_default_state(name, players)
                session.use_state(None)
            return Documents.of(session), first

        def done(answer: tuple[Documents, bool]) -> None:
            documents, first = answer
            self._controller.show_documents(documents)
            text = self.tr("Saved state {0}").format(name)
            if first:
                text += self.tr("; episodes begin there now")
            self._controller.said.emit(NoticeKind.GOOD, text)

        self._bridge.ask(work, done)

    def rename(self, old: str, new: str) -> None:
        """Give a start state another name, at once, and in the metadata that names it."""

        def work(session: Session) -> Documents:
            chosen = session.state_name
            session.integration.rename_state(old, new)
            if chosen == old:
                session.use_state(None)
            return Documents.of(session)

        self._controller.edit(work)

    def remove(self, name: str) -> None:
        """Delete a start state, at once."""

        def work(session: Session) -> Documents:
            chosen = session.state_name
            session.integration.remove_state(name)
            if chosen == name:
                session.use_state(None)
            return Documents.of(session)

        text = self.tr("Deleted state {0}; Undo brings it back").format(name)
        self._controller.edit(work, lambda: self._controller.said.emit(NoticeKind.INFO, text))

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
        self._load(lambda session: edits.load_state_file(session, path))

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
