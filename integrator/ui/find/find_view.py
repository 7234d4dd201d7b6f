"""The Find panel: searches for numbers on the screen, lists candidates, and names them."""

import html
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, TypeVar, cast

from PySide6.QtCore import QSize, Qt, Signal

from integrator.domain.query.rank import Reading
from integrator.domain.search.results import MOST_SORTED, Candidate, RowOrder, SortBy
from integrator.domain.search.search import Search
from integrator.session import searches as searching
from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.frame.result import FrameResult
from integrator.session.searches import Compare, SearchCommand, Searches, SearchStatus, TypeKind
from integrator.session.session import Session
from integrator.ui import widgets as ui
from integrator.ui.bridge.background import Background
from integrator.ui.bridge.bridge import Show
from integrator.ui.find.candidates import CandidateColumn, CandidatesModel
from integrator.ui.find.find_form import FindForm
from integrator.ui.find.results_view import ResultsView

AT_ONCE_BYTES: Final = 128 << 10
"""With up to this much RAM, a comparison takes less than a frame, and runs between two frames."""

SEARCH = "window"  # name of the search that the Find panel shows first

SORTS: Final = dict(zip(CandidateColumn, SortBy, strict=False))
"""The sort key of each column by which rows can be sorted."""

T = TypeVar("T")


class FindView(ResultsView[Candidate]):
    """Shows the search ``search_name``. ``status_changed`` gives each SearchStatus that is shown.
    Large memories are searched on a copy while the game runs. ``waiting`` is the number of requests
    to searches that have not been answered yet."""

    status_changed = Signal(object)
    _in_background = False

    def _set_up(self) -> None:
        self.candidates = CandidatesModel()
        self._make_list("find", self.candidates)
        self.search_name = SEARCH
        self.status: SearchStatus | None = None
        self.waiting = 0
        self._background = Background(self._bridge, "search", self)
        self._follows_rule = self._pressed = False
        self._build_list()
        self.form = form = FindForm()
        form.command_requested.connect(self.search)
        form.rule_requested.connect(self._start_rule)
        form.rule.clicked.connect(lambda _: self._stop_rule())
        form.forecast_requested.connect(self._forecast)
        form.forecast_changed.connect(self._show_count)
        form.types_requested.connect(self._use_types)
        form.search_chosen.connect(self._choose_search)
        form.save_requested.connect(self._save_search)
        form.known.clicked.connect(lambda _: self._exclude_known())
        form.grouped.toggled.connect(self.set_grouped)
        ui.Theme.now.changed.connect(self._show_count)
        self.build(form, self.tr("Candidates"), "search", "find")
        live = self._read_rows(self._look_live, lambda live: self.candidates.set_live(*live))
        self._background.busy_changed.connect(live.touch)

    def _build_list(self) -> None:
        tip = self.tr("Begin the search again")
        search = self.search
        undo, redo = partial(search, Search.undo), partial(search, Search.redo)
        self.undo = ui.push_button("", undo, self.tr("Undo"), icon="undo")
        self.redo = ui.push_button("", redo, self.tr("Redo"), icon="redo")
        self.fresh = ui.push_button(self.tr("New"), partial(search, Search.reset), tip)
        for place, button in enumerate((self.undo, self.redo, self.fresh)):
            self._foot_row.insertWidget(place, button)
        self.name.setMaximumWidth(170)
        self.name.textChanged.connect(self._show_name)
        self.table.setMinimumHeight(60)
        self._folds = self.table.add_fold_keys("find")
        self.set_grouped(grouped=False)
        # Sorting by scale puts plain numbers before numbers with an assumed scale.
        self._sorted = (int(CandidateColumn.SCALE), Qt.SortOrder.AscendingOrder)
        header = self.table.horizontalHeader()
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicator(*self._sorted)
        header.sortIndicatorChanged.connect(self._sort)

    def _opened(self, game: GameSnapshot) -> None:
        self.search_name = SEARCH
        self.waiting = 0
        self._in_background = game.info.ram_bytes > AT_ONCE_BYTES
        self.form.offer_types(floats=game.system.floats)
        self.form.show_types(scales=True, kinds=searching.NUMBERS)
        super()._opened(game)
        self._show_names()

    def set_open(self, *, opened: bool) -> None:
        super().set_open(opened=opened)
        self._follow(on=False)
        self.foot.setVisible(opened)
        if not opened:
            self.status = None
            self.form.begin_again()
            self.undo.setEnabled(False)
            self.redo.setEnabled(False)
        self._show_rows()

    def set_grouped(self, grouped: bool) -> None:
        self.candidates.set_grouped(grouped)
        # Without groups, the keys to fold and unfold move the cursor, as in other tables.
        for action in self._folds:
            action.setEnabled(grouped)
        if self.candidates.rowCount():
            self.table.selectRow(0)

    def show_status(self, status: SearchStatus) -> None:
        self.status = status
        self._show_rows()
        self.form.chips.show_steps(status.steps)
        self.form.searched = bool(status.steps)
        self.undo.setEnabled(bool(status.steps))
        self._show_count()
        self.status_changed.emit(status)

    def _show_rows(self) -> None:
        status = self.status if self.status and self.status.steps else None
        row = max(0, self.table.currentIndex().row())
        self.candidates.set_candidates(status.candidates if status else ())
        rows = self.candidates.rowCount()
        last = status.steps[-1] if status and not status.count else None
        failed = "find-previous" if last and last.against == "previous" else "find-none"
        self._say_hint("find" if last is None else failed)
        self.pages.show_content(rows > 0)
        if rows:
            self.table.selectRow(row if row < rows else 0)

    def _show_count(self) -> None:
        note = html.escape(self.form.forecast)
        if not note and self.status is not None:
            text = self.tr("{0} addresses × {1} types → <b style='color:{2}'>{3}</b>")
            size, types, left = self.status.ram_bytes, self.status.types, self.status.count
            note = text.format(ui.grouped(size), types, ui.Theme.now.colors.good, ui.grouped(left))
        self._dock.header.note.setText(note)

    def _show_name(self, text: str) -> None:
        name = text.strip()
        made = self.tr("Make variable “{0}”").format(name) if name else self.tr("Make variable")
        self.make.setText(made)

    def _look_live(self) -> Callable[[Session], tuple[int, list[Candidate]]] | None:
        first, rows = self.table.in_sight()
        if not rows or self._background.busy:
            return None
        name, present = self.search_name, searching.at_present
        return lambda session: (first, present(session.search(name), session.memory, rows))

    @property
    def order(self) -> RowOrder:
        column, direction = self._sorted
        descending = direction is Qt.SortOrder.DescendingOrder
        return RowOrder(SORTS[CandidateColumn(column)], descending=descending)

    def _sort(self, column: int, direction: Qt.SortOrder) -> None:
        if CandidateColumn(column) not in SORTS:
            self.table.horizontalHeader().setSortIndicator(*self._sorted)
        elif (column, direction) != self._sorted:
            self._sorted = (column, direction)
            if self.status is not None and self.status.count > MOST_SORTED:
                text = self.tr("Rows are sorted once a search has left at most {0}")
                self._inform(text.format(ui.grouped(MOST_SORTED)))
            self._refresh()

    def _add_to_menu(self, menu: ui.RowMenu, found: Reading) -> None:
        drop = self.tr("Exclude {0}").format(ui.address_text(found.address))
        place = found.address, found.type.width
        menu.add(drop, lambda: self.search(lambda search: search.exclude(*place)))
        header, titles = self.table.horizontalHeader(), Qt.Orientation.Horizontal
        sort, orders = menu.addMenu(self.tr("Sort by")), Qt.SortOrder
        for column in SORTS:
            action = sort.addAction(self.candidates.headerData(column, titles))
            action.setCheckable(True)
            action.setChecked(column == self._sorted[0])
            # Choosing the current sort column again reverses the order, like a click on its header.
            turned = self._sorted == (column, orders.AscendingOrder)
            order = orders.DescendingOrder if turned else orders.AscendingOrder
            action.triggered.connect(partial(header.setSortIndicator, int(column), order))

    def search(self, command: SearchCommand) -> None:
        again = command in (Search.undo, Search.redo)
        frames = command.frames if isinstance(command, Compare) else ()
        order = self.order

        def work(search: Search) -> SearchStatus:
            command(search)
            return searching.warm(search, order)

        def done(status: SearchStatus) -> None:
            self.show_status(status)
            self.redo.setEnabled(again)

        self._ask(self._on(work), done, frames)

    def _forecast(self, compare: Compare) -> None:
        op, value, against = compare.op, compare.value, compare.against
        preview = self._on(lambda search: search.plan(op, value, against=against).count)
        self._ask(preview, partial(self.form.show_forecast, op), compare.frames)

    def _ask(
        self, work: Callable[[Searches], T], then: Show[T], frames: Sequence[int] = ()
    ) -> None:
        """Run ``work`` on the searches between two frames, or on a copy of memory. ``frames`` are
        recorded frames that ``work`` compares with; -1 is the last one."""

        def done(value: T) -> None:
            self.waiting -= 1
            then(value)

        def refused(error: Exception) -> None:
            self.waiting -= 1
            self.form.show_problem(str(error))

        if not self._bridge.is_open:
            return
        self.waiting += 1
        if self._in_background:
            self._bridge.ask(
                lambda session: session.searches.on_copy(work, frames),
                lambda search: self._background.start(lambda _: search(), done, refused),
                refused,
            )
        else:
            self._bridge.ask(lambda session: work(session.searches), done, refused)

    def _on(self, work: Callable[[Search], T]) -> Callable[[Searches], T]:
        name = self.search_name
        return lambda searches: work(searches.get(name))

    def _refresh(self) -> None:
        self._ask(self._on(partial(searching.warm, order=self.order)), self.show_status)

    def _start_rule(self, op: str, when: str) -> None:
        begin = partial(
            Searches.each_frame,
            name=self.search_name,
            op=op,
            when=cast("searching.When", when),
            in_background=self._in_background,
        )

        def done(_: int) -> None:
            self._pressed = False
            self._follow(on=True)
            self.form.show_rule(op, when)

        self._ask(begin, done)

    def _stop_rule(self) -> None:
        self._follow(on=False)
        self.form.show_rule(None)
        stop = partial(Searches.stop_each_frame, name=self.search_name)
        self._ask(stop, lambda _: self._refresh())

    def _follow(self, *, on: bool) -> None:
        """Look at frames only while a rule compares."""
        if on is not self._follows_rule:
            self._follows_rule = on
            if on:
                self._bridge.frame_ready.connect(self._follow_rule)
            else:
                self._bridge.frame_ready.disconnect(self._follow_rule)

    def _follow_rule(self, result: FrameResult) -> None:
        # Frames during a running comparison are skipped, but their button presses count.
        self._pressed |= any(result.inputs)
        in_background = self._in_background
        if self.waiting or not (in_background or self.isVisible()):
            return
        name, pressed, order = self.search_name, self._pressed, self.order
        self._pressed = False

        def work(searches: Searches) -> SearchStatus:
            if in_background:
                searches.follow(name, pressed=pressed)
            return searching.warm(searches.get(name), order)

        self._ask(work, self.show_status)

    def _use_types(self, scales: bool, kinds: Sequence[TypeKind]) -> None:
        restart = partial(Searches.restart, name=self.search_name, scales=scales, kinds=kinds)
        self._ask(restart, lambda _: self._refresh())

    def _exclude_known(self) -> None:
        specs = tuple(self._controller.variables.values())

        def exclude(search: Search) -> None:
            for spec in specs:
                search.exclude(spec.address, spec.type.width)

        self.search(exclude)

    def _choose_search(self, name: str) -> None:
        """Show another search, which is loaded from disk if it is not open."""
        directory = self._directory()

        def taken(searches: Searches) -> tuple[bool, tuple[TypeKind, ...]]:
            search = searches.take_up(name, directory)
            return search.has_scales, searching.kinds_of(search)

        def done(types: tuple[bool, tuple[TypeKind, ...]]) -> None:
            self.search_name = name
            self.form.show_types(*types)
            self._refresh()
            self._show_names()

        if name:
            self._ask(taken, done)

    def _save_search(self, name: str) -> None:
        save = partial(Searches.save, name=name, directory=self._directory())

        def done(path: Path) -> None:
            self._announce(self.tr("Saved {0}").format(path))
            self._show_names()

        if name != self.search_name:
            text = self.tr("choose the search “{0}” first (Enter in the field), then save it")
            self.form.show_problem(text.format(name))
        else:
            self._ask(save, done)

    def _directory(self) -> Path:
        game = self._controller.game
        return game.directory if game is not None else Path()

    def _show_names(self) -> None:
        current = self.search_name

        def work(session: Session) -> list[str]:
            saved = searching.saved_searches(session.integration.directory)
            return list(dict.fromkeys((current, *session.searches.names, *saved)))

        self._bridge.ask(work, lambda names: self.form.show_searches(names, current))

    def sizeHint(self) -> QSize:
        return QSize(560, 420)
