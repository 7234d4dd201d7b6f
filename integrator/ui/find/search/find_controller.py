"""Searches of the window: steps, previews, rules while the game runs, and named searches."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, TypeVar, cast

from PySide6.QtCore import QObject

from integrator.domain.search.order import MOST_SORTED
from integrator.domain.search.results import Candidate
from integrator.domain.search.search import Search
from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.frame.result import FrameResult
from integrator.session.searches import (
    NUMBERS,
    Compare,
    SearchCommand,
    Searches,
    SearchStatus,
    TypeKind,
    When,
    at_present,
    kinds_of,
    saved_searches,
    warm,
)
from integrator.session.session import Session
from integrator.ui.bridge.background import Background
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.desk import PanelController
from integrator.ui.find.results_view import read_rows
from integrator.ui.find.search.find_view import FindView
from integrator.ui.widgets.notices import NoticeKind

AT_ONCE_BYTES: Final = 128 << 10
"""Up to so much RAM a comparison takes less than a frame and is made between two of them."""

SEARCH = "window"  # name of the search that the Find panel shows first

T = TypeVar("T")
LiveRows = tuple[int, list[Candidate]]


class SearchDesk(QObject):
    """Everything that the window does to searches goes over this desk, one after the other.

    Large memories are searched next to the game, on a copy. ``refused`` gets errors; ``waiting``
    counts the work that is not answered yet.
    """

    def __init__(
        self, bridge: SessionBridge, refused: Callable[[Exception], object], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._refused = refused
        self.waiting = 0
        self.beside = False
        self.background = Background(bridge, "search", self)
        bridge.opened.connect(self._begin)

    def _begin(self, game: GameSnapshot) -> None:
        self.waiting = 0
        self.beside = game.ram_bytes > AT_ONCE_BYTES

    def ask(
        self, work: Callable[[Searches], T], then: Callable[[T], object], frames: Sequence[int] = ()
    ) -> None:
        """Do ``work`` on the searches, with memory as it is between two frames.

        ``frames`` are recorded frames that it compares with, -1 the last one. The answer comes in
        the window's thread.
        """

        def done(value: T) -> None:
            self.waiting -= 1
            then(value)

        def refused(error: Exception) -> None:
            self.waiting -= 1
            self._refused(error)

        if not self._bridge.is_open:
            return
        self.waiting += 1
        if self.beside:
            self._bridge.ask(
                lambda session: _on_copy(session, work, frames),
                lambda search: self.background.start(lambda _: search(), done, refused),
                refused,
            )
        else:
            self._bridge.ask(lambda session: work(session.searches), done, refused)


def _on_copy(
    session: Session, work: Callable[[Searches], T], frames: Sequence[int]
) -> Callable[[], T]:
    """Copy memory between two frames, for ``work`` on another thread."""
    searches, travel = session.searches, session.timeline
    past = {n: travel.ram(n if n >= 0 else travel.position + n) for n in frames}
    ram = session.memory.ram.copy()

    def search() -> T:
        with searches.on_snapshot(ram, past):
            return work(searches)

    return search


class FindController(PanelController[FindView]):
    """Turns the panel's requests into commands for the search that it shows."""

    def _set_up(self) -> None:
        self.name = SEARCH
        self.desk = SearchDesk(self._bridge, self._refuse, self)
        self._rule: str | None = None
        self._pressed = False
        bridge, view = self._bridge, self._view
        self.form = form = view.form
        view.command_requested.connect(self.search)
        form.forecast_requested.connect(self._forecast)
        form.rule_requested.connect(self._start_rule)
        form.stop_requested.connect(self._stop_rule)
        view.order_changed.connect(self._sort)
        form.options.types_requested.connect(self._use_types)
        form.options.known_excluded.connect(self._exclude_known)
        form.options.search_chosen.connect(self._choose_search)
        form.options.save_requested.connect(self._save_search)
        note = self._dock.header.note
        view.note_changed.connect(note.setText)
        bridge.closed.connect(note.clear)
        bridge.frame_ready.connect(self._follow_rule)
        live = read_rows(
            bridge,
            self._controller,
            view,
            self._look_live,
            lambda live: view.candidates.set_live(*live),
        )
        self.desk.background.busy_changed.connect(live.touch)

    def _opened(self, game: GameSnapshot) -> None:
        self.name = SEARCH
        self._rule = None
        self.form.options.offer_types(floats=game.floats)
        self.form.options.show_types(scales=True, kinds=NUMBERS)
        self._view.set_open(opened=True)
        self._show_names()

    def _closed(self) -> None:
        self._rule = None
        self._view.set_open(opened=False)

    def search(self, command: SearchCommand) -> None:
        again = command in (Search.undo, Search.redo)
        frames = command.frames if isinstance(command, Compare) else ()
        order = self._view.order

        def work(search: Search) -> SearchStatus:
            command(search)
            return warm(search, order)

        def done(status: SearchStatus) -> None:
            self._view.show_status(status)
            self._view.redo.setEnabled(again)

        self.desk.ask(self._on(work), done, frames)

    def _sort(self) -> None:
        status = self._view.status
        if status is not None and status.count > MOST_SORTED:
            text = self.tr("Rows are sorted once a search has left at most {0}")
            self._announce(text.format(f"{MOST_SORTED:,}"), NoticeKind.INFO)
        self._refresh()

    def _forecast(self, compare: Compare) -> None:
        def preview(search: Search) -> int:
            return search.plan(compare.op, compare.value, against=compare.against).count

        self.desk.ask(
            self._on(preview),
            lambda count: self.form.show_forecast(compare.op, count),
            compare.frames,
        )

    def _on(self, work: Callable[[Search], T]) -> Callable[[Searches], T]:
        name = self.name
        return lambda searches: work(searches.get(name))

    def _refuse(self, error: Exception) -> None:
        self.form.show_problem(str(error))

    def _start_rule(self, op: str, when: str) -> None:
        name, beside, rule = self.name, self.desk.beside, cast("When", when)

        def done(_: int) -> None:
            self._rule, self._pressed = op, False
            self.form.show_rule(op, when)

        self.desk.ask(
            lambda searches: searches.each_frame(name, op, when=rule, beside=beside), done
        )

    def _stop_rule(self) -> None:
        name = self.name
        self._rule = None
        self.form.show_rule(None)
        self.desk.ask(lambda searches: searches.stop_each_frame(name), lambda _: self._refresh())

    def _follow_rule(self, result: FrameResult) -> None:
        if self._rule is None:
            return
        # Frames that come while the last comparison is made are skipped; presses in them count.
        self._pressed |= any(result.inputs)
        beside = self.desk.beside
        if self.desk.waiting or not (beside or self._view.isVisible()):
            return
        name, pressed, order = self.name, self._pressed, self._view.order
        self._pressed = False

        def work(searches: Searches) -> SearchStatus:
            if beside:
                searches.follow(name, pressed=pressed)
            return warm(searches.get(name), order)

        self.desk.ask(work, self._view.show_status)

    def _refresh(self) -> None:
        self.desk.ask(self._on(partial(warm, order=self._view.order)), self._view.show_status)

    def _look_live(self) -> Callable[[Session], LiveRows] | None:
        first, rows = self._view.table.in_sight()
        if not rows or self.desk.background.busy:
            return None
        name = self.name
        return lambda session: (first, at_present(session.search(name), session.memory, rows))

    def _use_types(self, scales: bool, kinds: Sequence[TypeKind]) -> None:
        name = self.name
        self.desk.ask(
            lambda searches: searches.restart(name, scales=scales, kinds=kinds),
            lambda _: self._refresh(),
        )

    def _exclude_known(self) -> None:
        documents = self._controller.documents
        specs = tuple(documents.variables.values()) if documents else ()

        def exclude(search: Search) -> None:
            for spec in specs:
                search.exclude(spec.address, spec.type.width)

        self.search(exclude)

    def _choose_search(self, name: str) -> None:
        directory = self._directory()

        def taken(searches: Searches) -> tuple[bool, tuple[TypeKind, ...]]:
            search = searches.take_up(name, directory)
            return search.has_scales, kinds_of(search)

        def done(types: tuple[bool, tuple[TypeKind, ...]]) -> None:
            self.name = name
            self.form.options.show_types(*types)
            self._refresh()
            self._show_names()

        self.desk.ask(taken, done)

    def _save_search(self, name: str) -> None:
        directory = self._directory()

        def done(path: Path) -> None:
            self._announce(self.tr("Saved {0}").format(path))
            self._show_names()

        if name != self.name:
            text = self.tr("choose the search “{0}” first (Enter in the field), then save it")
            self.form.show_problem(text.format(name))
        else:
            self.desk.ask(lambda searches: searches.save(name, directory), done)

    def _directory(self) -> Path:
        game = self._controller.game
        return game.directory if game is not None else Path()

    def _show_names(self) -> None:
        current = self.name

        def work(session: Session) -> list[str]:
            saved = saved_searches(session.integration.directory)
            return list(dict.fromkeys((current, *session.searches.names, *saved)))

        options = self.form.options
        self._bridge.ask(work, lambda names: options.show_searches(names, current))
