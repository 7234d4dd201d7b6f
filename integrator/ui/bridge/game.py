"""The controller of the open game: turns requests of views into commands with results."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from integrator.domain.errors import AddressError, ChangedOnDiskError
from integrator.domain.files.jsontext import JsonPath
from integrator.domain.integration.naming import LinkError
from integrator.domain.notes.places import Places
from integrator.domain.timeline.line import PlayedFrame
from integrator.domain.values.memory import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits import commands as edits
from integrator.session.edits.commands import save_own_copy
from integrator.session.edits.editor import EVERYTHING, Change, Edit, Editor, Subject
from integrator.session.edits.snapshot import Documents, GameSnapshot, Update
from integrator.session.frame import result as events
from integrator.session.frame.result import Event, FrameResult
from integrator.session.session import Session
from integrator.ui import widgets as ui
from integrator.ui.bridge.bridge import Otherwise, SessionBridge, Show, Then

_WARNINGS = (
    *(events.CoreRestarted, events.GameWarning, events.MovieDesync),
    *(events.MovieWarning, events.StateWarning),
)
_KINDS: Mapping[type[Event], ui.NoticeKind] = {  # all other events are INFO
    events.CommandFailed: ui.NoticeKind.ERROR,
    events.CoreLost: ui.NoticeKind.ERROR,
    events.RecordingStopped: ui.NoticeKind.GOOD,
    **dict.fromkeys(_WARNINGS, ui.NoticeKind.WARNING),
}


@dataclass(frozen=True, slots=True)
class UndoablePoke:
    """A number written into the running game at a frame, and the number that it replaced."""

    frame: PlayedFrame
    address: int
    type: DataType
    before: int
    after: int


class GameController(QObject):
    """Holds the facts that the window has about the open game. Lives in the window's thread.

    ``said`` is a notice: (kind, text). ``documents_changed`` comes after the
    documents of a game that was opened, and after every edit. ``memory_written`` follows any
    poke and any freeze. ``core_said`` gives (lines of the core, what begins each of them in the
    log). ``save_refused``: another program changed a file; it gives the action to do
    after saving. ``links_refused``: a file is a link that leads out of the directory; it gives the
    LinkError, and an action that saves nevertheless. ``saved`` gives a text with the place.
    ``movie_recorded`` gives the path of a complete movie. ``scoring`` gives each RecordedScoring,
    and ``scored`` the RecordedScored that ends it: recorded frames have other scores now. ``poked``
    gives each UndoablePoke. ``edits_counted`` follows each change of ``unanswered_edits``.
    ``timeline_moved`` gives each new TimelineFacts."""

    said = Signal(object, str)
    documents_changed = Signal(object, object)
    memory_written = Signal()
    core_said = Signal(object, str)
    save_refused = Signal(object)
    links_refused = Signal(object, object)
    game_kept = Signal(object)
    run_state_changed = Signal(bool, float)
    recording_changed = Signal(bool)
    movie_recorded = Signal(object)
    movie_changed = Signal(str)
    saved = Signal(str)
    scoring = Signal(object)
    scored = Signal(object)
    edits_counted = Signal()
    poked = Signal(object)
    timeline_moved = Signal(object)

    def __init__(self, bridge: SessionBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self.game: GameSnapshot | None = None
        self.documents: Documents | None = None
        self.last: FrameResult | None = None
        self.paused = True
        self.unanswered_edits = 0
        self._watched: Path | None = None
        bridge.opened.connect(self._opened)
        bridge.closed.connect(self._closed)
        bridge.frame_ready.connect(self._note_frame)
        bridge.readout_ready.connect(self._show_frame)
        bridge.event_received.connect(self._show_event)
        bridge.failed.connect(self._refuse)

    def _refuse(self, error: Exception) -> None:
        self.said.emit(ui.NoticeKind.ERROR, str(error))

    @property
    def variables(self) -> Mapping[str, VariableSpec]:
        return self.documents.variables if self.documents else {}

    @property
    def scenario(self) -> Mapping[str, Any]:
        return self.documents.scenario if self.documents else {}

    def places(self) -> Places | None:
        """Return the memory of the open game with its named places, or None without a game."""
        game, documents, last = self.game, self.documents, self.last
        if game is None or documents is None:
            return None
        variables = {n: (spec.address, spec.type) for n, spec in documents.variables.items()}
        values = last.values if last is not None else {}
        return Places(game.space, game.work_ram, variables, lambda name: int(values.get(name, 0)))

    def address(self, text: str) -> int:
        """Return the address of an expression in the open game. Raises AddressError."""
        if (places := self.places()) is None:
            raise AddressError("no game is open")
        return places.address(text)

    def _opened(self, game: GameSnapshot) -> None:
        self.game = game
        self.paused = True
        self._show_all(game.documents)
        if game.resumed is None:
            self._bridge.reset()
        else:
            self._bridge.show(game.resumed)

    def _closed(self) -> None:
        self.unanswered_edits = 0
        self.game = self.documents = self.last = None

    def _note_frame(self, result: FrameResult) -> None:
        self.last = result

    def _show_frame(self, result: FrameResult) -> None:
        if result.script_error is not None:
            self.said.emit(ui.NoticeKind.ERROR, result.script_error)
        if result.messages:
            self.core_said.emit(result.messages, "")

    def _show_event(self, event: Event) -> None:
        match event:
            case events.RunStateChanged():
                self.paused = event.paused
                self.run_state_changed.emit(event.paused, event.speed)
                return
            case events.RecordedScoring():
                self.scoring.emit(event)
                return
            case events.RecordedScored():
                self.scored.emit(event)
                if event.result is not None and self.paused:
                    self._bridge.show(event.result)
                return
            case events.CoreRestarted() | events.CoreLost():
                self.core_said.emit(event.log, "core: ")
            case events.RecordingStopped():
                self.recording_changed.emit(event.goes_on)
                self.movie_recorded.emit(event.path)
            case events.PlaybackEnded():
                self.movie_changed.emit("")
                # Up to a hundred movies may be run at once; those need no notice at their ends.
                if event.path != self._watched:
                    return
                self._watched = None
        self.said.emit(_KINDS.get(type(event), ui.NoticeKind.INFO), event.text)

    def follow(self, show: Show[Documents], *subjects: Subject) -> None:
        """Call ``show`` with the documents after each change of one of these subjects."""

        def take(documents: Documents, change: Change) -> None:
            if not change.subjects.isdisjoint(subjects):
                show(documents)

        self.documents_changed.connect(take)

    def edit(self, edit: Edit, then: Then = lambda: None, *, use: bool = True) -> None:
        """Make an edit and show the documents. A refused edit is reported and changes nothing.
        Without ``use``, the running game keeps using the files from before the edit."""

        def refused(error: Exception) -> None:
            self._refuse(error)
            if self.documents is not None:
                self._show_all(self.documents)

        self.ask_editor(lambda editor: editor.do(edit, use=use), then, refused)

    def ask_editor(
        self,
        command: Callable[[Editor], Change],
        then: Then = lambda: None,
        otherwise: Otherwise = None,
    ) -> None:
        """Run an editor command, then show the documents; results arrive as with ``bridge.ask``."""

        def done(update: Update) -> None:
            self._note_edits(-1)
            self.show(update)
            then()

        def refused(error: Exception) -> None:
            self._note_edits(-1)
            (otherwise or self._bridge.failed.emit)(error)

        if self._bridge.is_open:
            self._note_edits(1)
        self._bridge.ask(lambda now: Update.of(now.game, command(now.editor)), done, refused)

    def _note_edits(self, more: int) -> None:
        self.unanswered_edits += more
        self.edits_counted.emit()

    def show(self, update: Update) -> None:
        """Announce a change. An empty one is announced too, so that fields drop typed text."""
        if self.documents is None:
            return
        self.documents = update.apply(self.documents)
        change = update.change if update.change.subjects else EVERYTHING
        self.documents_changed.emit(self.documents, change)

    def _show_all(self, documents: Documents) -> None:
        self.documents = documents
        self.documents_changed.emit(documents, EVERYTHING)

    def stop_scoring(self) -> None:
        """Cancel the new scoring: recorded frames keep the scores from before the last edit."""
        self._bridge.ask(lambda session: session.recorded.cancel())

    def score_again(self) -> None:
        self._bridge.ask(lambda session: session.recorded.again())

    def set_in_scenario(self, path: JsonPath, value: object) -> None:
        """Set a value of the scenario; None removes the key."""
        self.edit(edits.set_in_scenario(path, value))

    def put_variable(self, spec: VariableSpec, then: Then = lambda: None) -> None:
        self.edit(edits.put_variable(None, spec), then)

    def save(self, then: Then = lambda: None, *, follow_links: bool = False) -> None:
        def done() -> None:
            if self.game is not None:
                self.saved.emit(self.tr("Saved {0}").format(self.game.directory))
            then()

        def refused(error: Exception) -> None:
            if isinstance(error, ChangedOnDiskError):
                self.save_refused.emit(then)
            else:
                self._refuse_links(error, partial(self.save, then, follow_links=True))

        self.ask_editor(lambda editor: editor.save(follow_links=follow_links), done, refused)

    def _refuse_links(self, error: Exception, again: Then) -> None:
        if isinstance(error, LinkError):
            self.links_refused.emit(error, again)
        else:
            self._refuse(error)

    def move_to(
        self, directory: Path, text: str, then: Then = lambda: None, *, follow_links: bool = False
    ) -> None:
        """Save a copy with all edits in ``directory``, continue in it, and report ``text``."""

        def done(copy: GameSnapshot) -> None:
            self.adopt(copy, text)
            then()

        again = partial(self.move_to, directory, text, then, follow_links=True)
        save = partial(save_own_copy, directory=directory, follow_links=follow_links)
        self._keep(save, done, partial(self._refuse_links, again=again))

    def keep_as(self, root: Path, name: str) -> None:
        def done(kept: GameSnapshot) -> None:
            self.adopt(kept)
            text = self.tr("{0} is an integration now; save its start state next")
            self.said.emit(ui.NoticeKind.GOOD, text.format(kept.directory))

        self._keep(lambda editor: editor.keep_as(root, name), done)

    def _keep(self, keep: Show[Editor], done: Show[GameSnapshot], failed: Otherwise = None) -> None:
        """Let ``keep`` write the open game to another directory, and continue there."""
        if (game := self.game) is None:
            return

        def work(session: Session) -> GameSnapshot:
            keep(session.editor)
            return GameSnapshot.of(session.game, game.opened_from, session.last)

        self._bridge.ask(work, done, failed)

    def adopt(self, game: GameSnapshot, saved: str = "") -> None:
        """Continue with the open game in another directory; ``saved`` is a text to report."""
        self.game = game
        self.game_kept.emit(game)
        self._show_all(game.documents)
        if saved:
            self.saved.emit(saved)

    def poke(self, name: str, value: int) -> None:
        if (spec := self.variables.get(name)) is not None:
            self.write(spec.address, spec.type, value)

    def write(self, address: int, kind: DataType, value: int) -> None:
        def work(session: Session) -> UndoablePoke:
            before = session.memory.read(address, kind)
            session.memory.write(address, kind, value)
            return UndoablePoke(session.timeline.present, address, kind, before, value)

        def done(poke: UndoablePoke) -> None:
            if poke.before != value:
                self.poked.emit(poke)
            self.memory_written.emit()

        self._bridge.ask(work, done)

    def take_back(self, poke: UndoablePoke, refused: Then, *, back: bool) -> None:
        """Undo a poke, or make it again without ``back``; call ``refused`` at another frame, and
        if the number is not the one that the poke, or its undoing, left there."""
        old, new = (poke.after, poke.before) if back else (poke.before, poke.after)

        def work(session: Session) -> bool:
            memory, here = session.memory, session.timeline.present
            if here != poke.frame or memory.read(poke.address, poke.type) != old:
                return False
            memory.write(poke.address, poke.type, new)
            return True

        written = self.memory_written.emit
        self._bridge.ask(work, lambda done: (written if done else refused)())

    def record(self, path: Path) -> None:
        def done(_: object) -> None:
            self.recording_changed.emit(True)  # noqa: FBT003 - a signal's argument
            self.said.emit(ui.NoticeKind.INFO, self.tr("Recording {0}").format(path))

        self._bridge.ask(lambda session: session.record(path), done)

    def stop_recording(self) -> None:
        def done(path: Path | None) -> None:
            self.recording_changed.emit(False)  # noqa: FBT003 - a signal's argument
            if path is not None:
                self.movie_recorded.emit(path)
                self.said.emit(ui.NoticeKind.GOOD, self.tr("Recorded {0}").format(path))

        def failed(error: Exception) -> None:
            done(None)
            self._refuse(error)

        self._bridge.ask(lambda session: session.stop_recording(), done, failed)

    def play_movie(self, path: Path) -> None:
        def done(result: FrameResult) -> None:
            self._watched = path
            self.movie_changed.emit(path.name)
            self._bridge.show(result)
            self._bridge.play()

        self._bridge.ask(lambda session: session.play(path), done)
