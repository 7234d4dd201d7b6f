"""The Movies panel: a folder of movies, played with a double click, scored and compared."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QModelIndex, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QDialog, QLabel, QMenu, QSlider, QStackedWidget, QWidget

from integrator.domain.errors import SearchError
from integrator.session.hidden.movie_scores import MoviePair, PairFrame
from integrator.session.setup.plan import SessionPlan
from integrator.ui.actions.actions import Actions
from integrator.ui.bridge.background import Background
from integrator.ui.review.movies.movies_curves import MovieCurves
from integrator.ui.review.movies.movies_model import (
    FILTERS,
    MovieColumn,
    MovieGroupsModel,
    MovieMomentsModel,
    MoviesModel,
    groups_of,
)
from integrator.ui.widgets.fields import address_text
from integrator.ui.widgets.fitting import fitted_pixmap, rgb_image
from integrator.ui.widgets.parts import (
    EmptyOr,
    EmptyState,
    ProofBar,
    Segments,
    hbox,
    icon_button,
    line_edit,
    push_button,
    role_label,
    set_role,
    set_trait,
    stack,
    vbox,
)
from integrator.ui.widgets.table import DataTable, RowMenu, show_row_menus
from integrator.ui.widgets.texts import plain_number
from integrator.ui.widgets.theme import Theme, mono_font

_WHOLE_ROWS = 4
"""Rows that are in sight however low the panel is."""


class MoviesView(QWidget):
    """Lists movies. ``play_requested``, ``load_requested`` and ``score_requested`` give paths: to
    be played one after the other, to be put on the timeline, to be scored in a hidden core.

    ``next_requested`` asks for the movie below the one that was played, ``expect_requested`` gives
    a movie whose numbers are to be expected, ``moment_requested`` a moment to jump to,
    ``compare_requested`` two movies to see side by side. ``shown_changed``: other rows are chosen,
    or another page is in front.
    """

    play_requested = Signal(object)
    next_requested = Signal()
    load_requested = Signal(object)
    score_requested = Signal(object)
    expect_requested = Signal(object)
    moment_requested = Signal(object)
    compare_requested = Signal(object, object)
    shown_changed = Signal()
    folder_requested = Signal()
    refresh_requested = Signal()

    def __init__(self, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self._theme = theme
        self.model = MoviesModel(theme, self)
        self.progress = ProofBar(theme)
        self.curves = MovieCurves(theme)
        self._build_table()
        text = self.tr("Record what you play, or choose a folder of agents' movies.")
        ways = [actions["record"], actions["play_movie"]]
        empty = EmptyState(theme, "movie", self.tr("No movies here"), text, ways)
        self.pages = EmptyOr(empty, self.lists)
        self._build_bar()
        stack(self, self._bar, self.pages, self.curves, self.progress, grows=self.pages)
        self._show_choice()
        self.model.modelReset.connect(self._show_rows)

    def _build_table(self) -> None:
        self.table = DataTable(self.tr("Movies"), self.model)
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        header = self.table.horizontalHeader()
        header.setSortIndicator(MovieColumn.NAME, Qt.SortOrder.AscendingOrder)
        self.table.setSortingEnabled(True)
        self.table.activated.connect(self._play)
        show_row_menus(self.table, lambda index: self.movie_menu(index.row()))
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._show_choice())
        self.groups = MovieGroupsModel(self._theme, self)
        groups = DataTable(self.tr("Movies by agent and state"), self.groups)
        groups.set_widths((80, 80, 60, 60, 60, 60, 64, 50), stretch=0)
        groups.activated.connect(self._open_group)
        groups.setToolTip(self.tr("Double-click a group to see its movies"))
        self.moments = MovieMomentsModel(self._theme, self)
        moments = DataTable(self.tr("Moments"), self.moments)
        moments.set_widths((130, 66, 66, 150), stretch=3)
        moments.setTextElideMode(Qt.TextElideMode.ElideLeft)
        jump, at = self.moment_requested.emit, self.moments.at
        moments.activated.connect(lambda index: jump(at(index.row())))
        moments.setToolTip(self.tr("Double-click a moment to see it; score movies to find them"))
        self.lists = QStackedWidget()
        for each in (self.table, groups, moments):
            self.lists.addWidget(each)

    def _build_bar(self) -> None:
        icon = self._theme.icons.icon
        pages = (
            ("movies", self.tr("Movies"), self.tr("Each movie")),
            ("groups", self.tr("Groups"), self.tr("Movies by agent and state")),
            ("moments", self.tr("Moments"), self.tr("Gains, losses, waits, ends and traps")),
        )
        self.page = Segments(pages)
        self.page.setProperty("role", "small")
        self.page.chosen.connect(self.show_page)
        self.page.select("movies")
        tip = self.tr("Words, column:word, and conditions on {0}").format(", ".join(FILTERS))
        self.filter = line_edit(self.tr("Filter"), self.tr("agent:jerk return<100"), tip=tip)
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._filter)
        self.folder = role_label(self.tr("no folder"), "secondary")
        self.folder.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.folder.setMinimumWidth(40)
        tip, name = self.tr("Play the next movie of the list"), self.tr("Play the next movie")
        self.next = icon_button(icon("step-forward"), tip, self.next_requested.emit, name)
        tip = self.tr(
            "Play them in a hidden core beside your game: reward, end and a curve of each. "
            "Choose some rows to score only these"
        )
        score, text = lambda: self.score_requested.emit(self.meant()), self.tr("Score all")
        self.score = push_button(text, score, tip, icon=icon("reward"))
        choose = self.folder_requested.emit
        self.choose = push_button(self.tr("Folder…"), choose, icon=icon("folder"))
        row = hbox((self.folder, 1), self.next, self.score, self.choose, margins=0, gap=8)
        below = hbox((self.filter, 1), self.page, margins=0, gap=8)
        self._bar = vbox(row, below, margins=(10, 6, 10, 4), gap=4)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._share_room()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._share_room()
        return super().event(event)

    def _show_rows(self) -> None:
        self.pages.show_content(bool(self.model.all))
        columns = MovieColumn
        unused = [
            FILTERS[name]
            for name in ("agent", "state", "episode")
            if all(getattr(movie, name) in ("", None) for movie in self.model.all)
        ]
        self.table.set_widths(
            (100, 70, 60, 58, 62, 62, 136, 64, 60),
            stretch=columns.NAME,
            whole=(columns.EPISODE, columns.FRAMES, columns.CORE),
            spare=(columns.CORE, columns.PLAYERS, columns.STATE),
            unused=unused,
        )
        self._show_page()
        self._show_choice()
        self._share_room()

    def _share_room(self) -> None:
        """Leave most of a low panel to the rows: the curves never take the first ones' room."""
        table = self.table
        rows = min(_WHOLE_ROWS, self.model.rowCount()) * table.verticalHeader().defaultSectionSize()
        frame = 2 * table.frameWidth()
        above = self._bar.sizeHint().height() + table.horizontalHeader().height() + frame
        below = 0 if self.progress.isHidden() else self.progress.sizeHint().height()
        left = min(self.height() // 3, self.height() - above - rows - below)
        self.curves.setMaximumHeight(max(self.curves.minimumHeight(), left))

    def show_folder(self, folder: Path) -> None:
        self.folder.setText(folder.name)
        self.folder.setToolTip(str(folder))

    def select(self, path: Path) -> None:
        row = self.model.row_of(path)
        if row is not None:
            self.table.selectRow(row)
            self.table.scrollTo(self.model.index(row, 0))

    def show_page(self, key: str) -> None:
        self.page.select(key)
        self.lists.setCurrentIndex(("movies", "groups", "moments").index(key))
        self._show_page()

    def _show_page(self) -> None:
        if self.lists.currentIndex() == 1:
            self.groups.show(groups_of(self.model))
        self.shown_changed.emit()

    @property
    def shows_moments(self) -> bool:
        return self.lists.currentIndex() == 2

    def _open_group(self, index: QModelIndex) -> None:
        group = self.groups.at(index.row())
        self.filter.setText(f'agent="{group.agent}" state="{group.state}"')
        self.show_page("movies")

    def _filter(self, text: str) -> None:
        problem = ""
        try:
            self.model.set_filter(text)
        except SearchError as error:
            problem = str(error)
        set_trait(self.filter, "invalid", bool(problem))
        self.filter.setToolTip(problem or self.tr("Words, column:word, and conditions"))

    def chosen(self) -> list[Path]:
        rows = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        return self._readable(rows)

    def meant(self) -> list[Path]:
        """The chosen movies, or all of them as long as not several are chosen."""
        chosen = self.chosen()
        return chosen if len(chosen) > 1 else self._readable(range(self.model.rowCount()))

    def after(self, path: Path | None) -> Path | None:
        row = None if path is None else self.model.row_of(path)
        below = self._readable(range(0 if row is None else row + 1, self.model.rowCount()))
        return below[0] if below else None

    def _readable(self, rows: Sequence[int]) -> list[Path]:
        movies = [self.model.at(row) for row in rows]
        return [movie.path for movie in movies if not movie.problem]

    def _show_choice(self) -> None:
        chosen = self.chosen()
        text = self.tr("Score {0}") if len(chosen) > 1 else self.tr("Score all")
        self.score.setText(text.format(len(chosen)))
        for button in (self.score, self.next):
            button.setEnabled(self.model.rowCount() > 0)
        self.curves.choose(chosen)
        self.shown_changed.emit()

    def movie_menu(self, row: int) -> QMenu:
        menu, movie, chosen = RowMenu(self._theme, self), self.model.at(row), self.chosen()
        paths = chosen if movie.path in chosen else [movie.path]
        several, add = len(paths) > 1, partial(menu.add, enabled=not movie.problem)
        add(self.tr("Play"), partial(self.play_requested.emit, [movie.path]), "play")
        if several:
            text = self.tr("Play {0}, one after the other").format(len(paths))
            add(text, partial(self.play_requested.emit, paths))
        text = self.tr("Run {0} to their ends at once") if several else self.tr("Run to its end")
        tip = self.tr("Puts whole movies on the timeline, as fast as the core can")
        run = partial(self.load_requested.emit, paths)
        add(text.format(len(paths)), run, "fast-forward", tip)
        text = self.tr("Score {0} beside the game") if several else self.tr("Score beside the game")
        add(text.format(len(paths)), partial(self.score_requested.emit, paths), "reward")
        if len(paths) == 2:
            compare = partial(self.compare_requested.emit, *paths)
            add(self.tr("Compare side by side…"), compare, "fork")
        tip = self.tr("Run it, and keep its rewards, done and total as expectations")
        expect = partial(self.expect_requested.emit, movie.path)
        add(self.tr("Expect this"), expect, "check", tip)
        menu.addSeparator()
        self._add_sorting(menu)
        menu.add(self.tr("Read the folder again"), self.refresh_requested.emit)
        return menu

    def _add_sorting(self, menu: QMenu) -> None:
        """The header's sorting for the keyboard; a second time, it turns the order."""
        sort = menu.addMenu(self.tr("Sort by"))
        header, orders = self.table.horizontalHeader(), Qt.SortOrder
        shown = header.sortIndicatorSection(), header.sortIndicatorOrder()
        for column, each in enumerate(self.model.table()):
            turned = shown == (column, orders.AscendingOrder)
            order = orders.DescendingOrder if turned else orders.AscendingOrder
            sort.addAction(each.title, partial(self.table.sortByColumn, column, order))

    def _play(self, index: QModelIndex) -> None:
        movie = self.model.at(index.row())
        if not movie.problem:
            self.play_requested.emit([movie.path])


_PICTURE = QSize(420, 320)


class SideBySide(QDialog):
    """Plays both movies in hidden cores, and shows the same frame of each. It goes when ``closed``
    says that the game does; ``background`` outlives it."""

    def __init__(
        self,
        background: Background,
        closed: SignalInstance,
        plan: SessionPlan,
        paths: tuple[Path, Path],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Two movies side by side"))
        self._pair: MoviePair | None = None
        self._wanted: int | None = None
        self._background = background
        self.pictures = [QLabel(alignment=Qt.AlignmentFlag.AlignCenter) for _ in paths]
        self.facts = [role_label("", "secondary", wraps=True) for _ in paths]
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setEnabled(False)
        self.slider.setAccessibleName(self.tr("Frame of both movies"))
        self.slider.valueChanged.connect(self.seek)
        self.state = role_label(self.tr("Playing both movies in hidden cores…"), "subheading")
        self.bytes = role_label("", "secondary", wraps=True)
        self.bytes.setFont(mono_font())
        self.firsts = [
            push_button("", partial(self._go_to_first, what))
            for what in ("inputs", "rewards", "RAM")
        ]
        columns = hbox(gap=12)
        for path, picture, facts in zip(paths, self.pictures, self.facts, strict=True):
            picture.setFixedSize(_PICTURE)
            picture.setAccessibleName(path.name)
            name = role_label(path.name, "secondary")
            name.setToolTip(str(path))
            columns.addLayout(vbox(name, picture, facts, gap=4))
        below = hbox(self.state, None, *self.firsts, gap=8)
        vbox(columns, self.slider, below, self.bytes, on=self)
        self._show_firsts()
        closed.connect(self.close)
        self._background.start(lambda _: MoviePair(plan, paths), self._ready, self._failed)

    def _ready(self, pair: MoviePair) -> None:
        self._pair = pair
        self.slider.setRange(1, pair.length)
        self.slider.setEnabled(True)
        self._show_firsts()
        self.seek(1)

    def _failed(self, error: Exception) -> None:
        self.state.setText(str(error))
        set_role(self.state, "bad")

    def _show_firsts(self) -> None:
        names = (self.tr("inputs"), self.tr("rewards"), self.tr("RAM"))
        firsts = self._pair.firsts.values() if self._pair else (None,) * 3
        for button, name, first in zip(self.firsts, names, firsts, strict=True):
            text = self.tr("{0}: from frame {1}") if first else self.tr("{0}: the same")
            button.setText(text.format(name, f"{first:,}" if first else ""))
            button.setEnabled(bool(first))

    def _go_to_first(self, what: str) -> None:
        first = self._pair.firsts[what] if self._pair else None
        if first is not None:
            self.slider.setValue(first)

    def seek(self, frame: int) -> None:
        """Show a frame of both; of several wishes the latest counts."""
        pair = self._pair
        if pair is None:
            return
        waits = self._wanted is not None
        self._wanted = frame
        if not waits:
            self._background.start(lambda _: pair.at(frame), self._show, self._failed)

    def _show(self, shown: PairFrame) -> None:
        wanted, self._wanted = self._wanted, None
        length = self._pair.length if self._pair else 0
        self.state.setText(self.tr("frame {0} of {1}").format(f"{shown.frame:,}", f"{length:,}"))
        for side, picture, facts in zip(shown.sides, self.pictures, self.facts, strict=True):
            image = QImage() if side.picture is None else rgb_image(side.picture)
            ratio = self.devicePixelRatioF()
            picture.setPixmap(fitted_pixmap(image, _PICTURE, ratio, smooth=False))
            text = self.tr("{0} · reward {1} · so far {2}")
            numbers = plain_number(side.reward), plain_number(side.total)
            facts.setText(text.format(side.buttons, *numbers))
        cells = [f"{address_text(at)} {here}→{there}" for at, here, there in shown.bytes]
        self.bytes.setText("   ".join(cells) or self.tr("RAM is the same"))
        if wanted is not None and wanted != shown.frame:
            self.seek(wanted)

    def done(self, result: int) -> None:
        pair, self._pair = self._pair, None
        if pair is not None:
            try:
                self._background.start(lambda _: pair.close())
            except RuntimeError:  # The window ends, and the thread has ended before.
                pair.close()
        super().done(result)
