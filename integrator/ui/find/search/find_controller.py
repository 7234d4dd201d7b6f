"""Controller of the Find panel: steps, previews, rules while the game runs, named searches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar, cast

from PySide6.QtCore import QObject

from integrator.domain.errors import DomainError
from integrator.domain.search.order import MOST_SORTED
from integrator.domain.search.results import Candidate
from integrator.domain.search.search import Search
from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.frame.result import FrameResult
from integrator.session.searches.rules import When
from integrator.session.searches.searches import (
    NUMBERS,
    Searches,
    TypeKind,
    kinds_of,
    saved_searches,
)
from integrator.session.searches.status import (
    Compare,
    SearchCommand,
    SearchStatus,
    at_present,
    warm,
)
from integrator.session.session import Session
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.bridge.sight import LiveReader, Sight
from integrator.ui.find.search.find_view import FindView
from integrator.ui.find.search.search_desk import SearchDesk
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.panels.docks import dock_of

SEARCH = "window"
"""Name of the search that the Find panel shows first."""

_LIVE_VALUES_MS = 150

T = TypeVar("T")
LiveRows = tuple[int, list[Candidate]]


class FindController(QObject):
    """Turns the panel's requests into commands for the search that it shows."""

    def __init__(
        self, bridge: SessionBridge, controller: GameController, view: FindView, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._controller = controller
        self.view = view
        self.name = SEARCH
        self.desk = SearchDesk(bridge, self._refuse, self)
        self._rule: str | None = None
        self._pressed = False
        self._live = LiveReader(
            bridge,
            Sight(bridge, view),
            _LIVE_VALUES_MS,
            self._look_live,
            lambda live: view.candidates.set_live(*live),
            lambda error: controller.said.emit(NoticeKind.ERROR, str(error)),
        )
        self._connect()

    def _connect(self) -> None:
        view, form, bridge = self.view, self.view.form, self._bridge
        view.command_requested.connect(self.search)
        form.forecast_requested.connect(self.forecast)
        form.rule_requested.connect(self.start_rule)
        form.stop_requested.connect(self.stop_rule)
        view.order_changed.connect(self.sort)
        form.options.types_requested.connect(self.use_types)
        form.options.known_excluded.connect(self.exclude_known)
        form.options.search_chosen.connect(self.choose_search)
        form.options.save_requested.connect(self.save_search)
        note = dock_of(view).header.note
        view.note_changed.connect(note.setText)
        bridge.closed.connect(note.clear)
        bridge.opened.connect(self._begin)
        bridge.closed.connect(self._end)
        bridge.frame_ready.connect(self._follow_rule)
        for signal in (
            bridge.readout_ready,
            self._controller.memory_written,
            view.candidates.modelReset,
            view.table.verticalScrollBar().valueChanged,
            self.desk.background.busy_changed,
        ):
            signal.connect(self._live.touch)

    def _begin(self, game: GameSnapshot) -> None:
        self.name = SEARCH
        self._rule = None
        self._pressed = False
        self.view.form.options.offer_types(floats=game.floats)
        self.view.form.options.show_types(scales=True, kinds=NUMBERS)
        self.view.set_open(opened=True)
        self._show_names()

    def _end(self) -> None:
        self._rule = None
        self.view.set_open(opened=False)

    # -- steps ------------------------------------------------------------------------------

    def search(self, command: SearchCommand) -> None:
        """Run a command on the search and show the remaining candidates."""
        again = command in (Search.undo, Search.redo)
        frames = command.frames if isinstance(command, Compare) else ()
        order = self.view.order

        def work(search: Search) -> SearchStatus:
            command(search)
            return warm(search, order)

        def done(status: SearchStatus) -> None:
            self.view.show_status(status)
            self.view.redo.setEnabled(again)

        self.desk.ask(self._on(work), done, frames)

    def sort(self) -> None:
        """Show the rows in the order that was chosen."""
        status = self.view.status
        if status is not None and status.count > MOST_SORTED:
            text = self.tr("Rows are sorted once a search has left at most {0}").format(
                f"{MOST_SORTED:,}"
            )
            self._controller.said.emit(NoticeKind.INFO, text)
        self._refresh()

    def forecast(self, compare: Compare) -> None:
        """Say how many candidates a comparison would leave."""

        self.desk.ask(
            self._on(
                lambda search: search.preview(compare.op, compare.value, against=compare.against)
            ),
            lambda count: self.view.form.show_forecast(compare.op, count),
            compare.frames,
        )

    def _on(self, work: Callable[[Search], T]) -> Callable[[Searches], T]:
        name = self.name
        return lambda searches: work(searches.get(name))

    def _refuse(self, error: Exception) -> None:
        self.view.form.show_problem(str(error))

    # -- while the game runs ----------------------------------------------------------------

    def start_rule(self, op: str, when: str) -> None:
        """Compare by itself from now on."""
        name, beside, rule = self.name, self.desk.beside, cast("When", when)

        def done(_: int) -> None:
            self._rule, self._pressed = op, False
            self.view.form.show_rule(op, when)

        self.desk.ask(
            lambda searches: searches.each_frame(name, op, when=rule, beside=beside), done
        )

    def stop_rule(self) -> None:
        """Compare no longer."""
        name = self.name
        self._rule = None
        self.view.form.show_rule(None)
        self.desk.ask(lambda searches: searches.stop_each_frame(name), lambda _: self._refresh())

    def _follow_rule(self, result: FrameResult) -> None:
        if self._rule is None:
            return
        # Frames that come while the last comparison is made are skipped; presses in them count.
        self._pressed |= any(result.inputs)
        beside = self.desk.beside
        if self.desk.waits or not (beside or self.view.isVisible()):
            return
        name, pressed, order = self.name, self._pressed, self.view.order
        self._pressed = False

        def work(searches: Searches) -> SearchStatus:
            if beside:
                searches.follow(name, pressed=pressed)
            return warm(searches.get(name), order)

        self.desk.ask(work, self.view.show_status)

    def _refresh(self) -> None:
        self.desk.ask(self._on(partial(warm, order=self.view.order)), self.view.show_status)

    def _look_live(self) -> Callable[[Session], LiveRows] | None:
        first, rows = self.view.table.in_sight()
        if not rows or self.desk.background.busy:
            return None
        name = self.name
        return lambda session: (first, at_present(session.search(name), session.memory, rows))

    # -- searches by name -------------------------------------------------------------------

    def use_types(self, scales: bool, kinds: Sequence[TypeKind]) -> None:
        """Begin anew, with or without scaled numbers, for some kinds of types."""
        name = self.name
        self.desk.ask(
            lambda searches: searches.restart(name, scales=scales, kinds=kinds),
            lambda _: self._refresh(),
        )

    def exclude_known(self) -> None:
        """Leave out the bytes of all variables."""
        documents = self._controller.documents
        specs = tuple(documents.variables.values()) if documents else ()

        def exclude(search: Search) -> None:
            for spec in specs:
                search.exclude(spec.address, spec.type.width)

        self.search(exclude)

    def choose_search(self, name: str) -> None:
        """Go on with another search: one that is open, else one that was saved, else a new one."""
        directory = self._directory()

        def work(searches: Searches) -> tuple[bool, tuple[TypeKind, ...]]:
            if name not in searches.names and name in saved_searches(directory):
                searches.load(name, directory)
            search = searches.get(name)
            return search.has_scales, kinds_of(search)

        def done(found: tuple[bool, tuple[TypeKind, ...]]) -> None:
            self.name = name
            scales, kinds = found
            self.view.form.options.show_types(scales=scales, kinds=kinds)
            self._refresh()
            self._show_names()

        self.desk.ask(work, done)

    def save_search(self, name: str) -> None:
        """Keep the search beside the integration; under another name it is a copy."""
        current, directory = self.name, self._directory()

        def work(searches: Searches) -> str:
            if name != current:
                raise DomainError(
                    f"choose the search “{name}” first (Enter in the field), then save it"
                )
            return str(searches.save(name, directory))

        def done(path: str) -> None:
            self._controller.said.emit(NoticeKind.GOOD, self.tr("Saved {0}").format(path))
            self._show_names()

        self.desk.ask(work, done)

    def _directory(self) -> Path:
        game = self._controller.game
        return game.directory if game is not None else Path()

    def _show_names(self) -> None:
        current = self.name

        def work(session: Session) -> list[str]:
            saved = saved_searches(session.integration.directory)
            return list(dict.fromkeys((current, *session.searches.names, *saved)))

        options = self.view.form.options
        self._bridge.ask(work, lambda names: options.show_searches(names, current))
