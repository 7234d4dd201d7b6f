"""The Movies panel: a folder of movies, played with a double click, scored and compared."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QMenu, QWidget

from integrator.session.hidden.movie_scores import MovieScore
from integrator.session.library.movie_rows import MovieInfo, PlayedMovie
from integrator.ui.actions.actions import Actions
from integrator.ui.review.movies.movies_curves import MovieCurves
from integrator.ui.widgets.panels.parts import (
    EmptyOr,
    EmptyState,
    ProofBar,
    hbox,
    icon_button,
    push_button,
    role_label,
    stack,
)
from integrator.ui.widgets.panels.table import DataTable, RowMenu, show_row_menus
from integrator.ui.widgets.rows_model import Column, RowsModel
from integrator.ui.widgets.texts import plain_number, translate
from integrator.ui.widgets.theme import Theme

MovieColumn = IntEnum("MovieColumn", "NAME FRAMES REWARD RESULT PLAYERS CORE", start=0)


@dataclass(frozen=True, slots=True)
class MovieResult:
    """The result of a movie: a short text, and its role: good, bad, warn or link.

    ``totals`` are the sums of the players' rewards, empty as long as they are not known.
    """

    text: str = ""
    role: str = "link"
    totals: tuple[float, ...] = ()

    @classmethod
    def of(cls, score: MovieScore | PlayedMovie) -> "MovieResult":
        """The result of a movie that was played: its reward, and how it ended."""
        if score.desync_row is not None:
            return cls.out_of_step(score.desync_row, score.totals)
        text = translate("MoviesModel", "not done")
        if score.done_frame is not None:
            text = translate("MoviesModel", "done at frame {0}").format(f"{score.done_frame:,}")
        return cls(text, "good", score.totals)

    @classmethod
    def out_of_step(cls, row: int, totals: tuple[float, ...] = ()) -> "MovieResult":
        """The result of a movie whose row left RAM other than recorded."""
        return cls(translate("MoviesModel", "out of step at row {0}").format(row), "bad", totals)


def _name(movie: MovieInfo) -> str:
    """The file's name, with its folder when that is not the listed one."""
    return movie.path.name if movie.place == "." else f"{movie.place}/{movie.path.name}"


def _title(movie: MovieInfo) -> str:
    return f"{_name(movie)} ⚠" if movie.beyond_training else _name(movie)


class MoviesModel(RowsModel[MovieInfo]):
    """A row a movie. Results stay with the file when the folder is read again."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(theme, parent)
        self._results: dict[Path, MovieResult] = {}
        self._sorted = (MovieColumn.NAME, Qt.SortOrder.AscendingOrder)

    def table(self) -> Sequence[Column[MovieInfo]]:
        """The file's facts, and its result."""
        return (
            Column(self.tr("movie"), _title, _name, lambda _movie: self._theme.colors.text),
            self._number(self.tr("frames"), lambda movie: movie.frames, "{:,}".format),
            Column(
                self.tr("reward"),
                lambda movie: " / ".join(map(plain_number, self._totals(movie))),
                lambda movie: next(iter(self._totals(movie)), None),
                font=self._mono,
            ),
            Column(self.tr("result"), self._result, color=self._result_color),
            self._number(self.tr("players"), lambda movie: movie.players, str),
            Column(self.tr("core"), lambda movie: "" if movie.problem else movie.core),
        )

    def _number(
        self, title: str, value: Callable[[MovieInfo], int], text: Callable[[int], str]
    ) -> Column[MovieInfo]:
        """A column of numbers, which unreadable movies do not have."""

        def shown(movie: MovieInfo) -> str:
            return "" if movie.problem else text(value(movie))

        return Column(title, shown, value, font=self._mono)

    def set_movies(self, movies: Sequence[MovieInfo]) -> None:
        """Take another folder's content."""
        self.show_changed(self._ordered(movies))

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Put the rows into the order of a column; movies without a number there come last."""
        self._sorted = (MovieColumn(column), order)
        self.sort_again()

    def sort_again(self) -> None:
        """Put the rows into the chosen order, after results came."""
        self.layoutAboutToBeChanged.emit()
        before, indexes = self.rows, self.persistentIndexList()
        self.rows = self._ordered(before)
        places = {movie.path: row for row, movie in enumerate(self.rows)}
        moved = [self.index(places[before[at.row()].path], at.column()) for at in indexes]
        self.changePersistentIndexList(indexes, moved)
        self.layoutChanged.emit()

    def _ordered(self, movies: Sequence[MovieInfo]) -> tuple[MovieInfo, ...]:
        column, order = self._sorted
        shown = self._table[column]

        def key(movie: MovieInfo) -> Any:
            unknown = movie.problem and column is not MovieColumn.NAME
            return None if unknown else (shown.key or shown.text)(movie)

        # Of equal movies the one that stood first stays first, in both directions.
        known = [movie for movie in movies if key(movie) is not None]
        known.sort(key=key, reverse=order is Qt.SortOrder.DescendingOrder)
        return (*known, *(movie for movie in movies if key(movie) is None))

    def set_result(self, path: Path, result: MovieResult) -> None:
        """Set the result of a movie."""
        self._results[path] = result
        row = self.row_of(path)
        if row is not None:
            self.cells_changed(row, MovieColumn.REWARD, MovieColumn.RESULT)

    def result(self, path: Path) -> MovieResult:
        """The result of a movie; an empty one before it was played."""
        return self._results.get(path, MovieResult())

    def row_of(self, path: Path) -> int | None:
        """The row of a movie."""
        return next((row for row, m in enumerate(self.rows) if m.path == path), None)

    def color(self, _movie: MovieInfo) -> str:
        """Quiet next to the name."""
        return self._theme.colors.secondary

    def tip(self, movie: MovieInfo) -> str:
        """The problem of a file, or its path and game."""
        lines = [str(movie.path), f"{movie.game} ({movie.system})"]
        if movie.beyond_training:
            lines.append(self.tr("training cannot press {0}").format(movie.beyond_training))
        return movie.problem or "\n".join(lines)

    def _totals(self, movie: MovieInfo) -> tuple[float, ...]:
        return () if movie.problem else self.result(movie.path).totals

    def _result(self, movie: MovieInfo) -> str:
        return self.tr("unreadable") if movie.problem else self.result(movie.path).text

    def _result_color(self, movie: MovieInfo) -> str:
        role = "bad" if movie.problem else self.result(movie.path).role
        return str(getattr(self._theme.colors, role))


_WHOLE_ROWS = 4
"""Rows that are in sight however low the panel is."""


class MoviesView(QWidget):
    """Lists movies. ``play_requested`` gives a path, ``next_requested`` asks for the one below it.

    ``queue_requested``, ``load_requested`` and ``score_requested`` give paths: to be played one
    after the other, to be put on the timeline, to be scored in a hidden core. ``expect_requested``
    gives a movie whose numbers are to be expected.
    """

    play_requested = Signal(object)
    next_requested = Signal()
    queue_requested = Signal(object)
    load_requested = Signal(object)
    score_requested = Signal(object)
    expect_requested = Signal(object)
    folder_requested = Signal()
    refresh_requested = Signal()

    def __init__(self, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self._theme = theme
        self.model = MoviesModel(theme, self)
        self.progress = ProofBar(theme)
        self.curves = MovieCurves(theme)
        self._build_table()
        self._build_bar()
        empty = EmptyState(
            theme,
            "movie",
            self.tr("No movies here"),
            self.tr("Record what you play, or choose a folder of agents' movies."),
            [actions["record"], actions["play_movie"]],
        )
        self.pages = EmptyOr(empty, self.table)
        self._build_ui()
        self.model.modelReset.connect(self._show_rows)

    def _build_table(self) -> None:
        self.table = DataTable(self.tr("Movies"), self.model)
        self.table.set_widths(
            (150, 62, 76, 112, 64, 60),
            stretch=MovieColumn.NAME,
            whole=(MovieColumn.FRAMES, MovieColumn.CORE),
            spare=(MovieColumn.CORE, MovieColumn.PLAYERS),
        )
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        header = self.table.horizontalHeader()
        header.setSortIndicator(MovieColumn.NAME, Qt.SortOrder.AscendingOrder)
        self.table.setSortingEnabled(True)
        self.table.activated.connect(self._play)
        show_row_menus(self.table, lambda index: self.movie_menu(index.row()))
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._show_choice())

    def _build_bar(self) -> None:
        self.folder: QLabel = role_label(self.tr("no folder"), "secondary")
        self.folder.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.folder.setMinimumWidth(40)
        self.next = icon_button(
            self._theme.icons.icon("step-forward"),
            self.tr("Play the next movie of the list"),
            self.next_requested.emit,
            self.tr("Play the next movie"),
        )
        self.score = push_button(
            self.tr("Score all"),
            lambda: self.score_requested.emit(self.meant()),
            self.tr(
                "Play them in a hidden core beside your game: reward, end and a curve of each. "
                "Choose some rows to score only these"
            ),
            icon=self._theme.icons.icon("reward"),
        )
        self.choose = push_button(
            self.tr("Folder…"), self.folder_requested.emit, icon=self._theme.icons.icon("folder")
        )

    def _build_ui(self) -> None:
        self._bar = row = hbox(
            (self.folder, 1), self.next, self.score, self.choose, margins=(10, 6, 10, 4), gap=8
        )
        stack(self, row, self.pages, self.curves, self.progress, grows=self.pages)
        self._show_choice()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Share the new height between rows and curves."""
        super().resizeEvent(event)
        self._share_room()

    def event(self, event: QEvent) -> bool:
        """Share the height again when the progress comes or goes."""
        if event.type() is QEvent.Type.LayoutRequest:
            self._share_room()
        return super().event(event)

    def _show_rows(self) -> None:
        self.pages.show_content(self.model.rowCount() > 0)
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

    # -- shown state ------------------------------------------------------------------------

    def show_folder(self, folder: Path) -> None:
        """Name the listed folder; its path stands in the tooltip."""
        self.folder.setText(folder.name)
        self.folder.setToolTip(str(folder))

    def select(self, path: Path) -> None:
        """Make a movie's row the chosen one and show it."""
        row = self.model.row_of(path)
        if row is not None:
            self.table.selectRow(row)
            self.table.scrollTo(self.model.index(row, 0))

    def chosen(self) -> list[Path]:
        """The readable movies of the chosen rows, from the top."""
        rows = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        return self._readable(rows)

    def meant(self) -> list[Path]:
        """The chosen movies, or all of them as long as not several are chosen."""
        chosen = self.chosen()
        return chosen if len(chosen) > 1 else self._readable(range(self.model.rowCount()))

    def after(self, path: Path | None) -> Path | None:
        """The next readable movie below one, or the first of all."""
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

    # -- user input -------------------------------------------------------------------------

    def movie_menu(self, row: int) -> QMenu:
        """A menu of actions for one movie, or for all chosen ones when it is among them."""
        menu, movie, chosen = RowMenu(self._theme, self), self.model.at(row), self.chosen()
        paths = chosen if movie.path in chosen else [movie.path]
        several, add = len(paths) > 1, partial(menu.add, enabled=not movie.problem)
        add(self.tr("Play"), partial(self.play_requested.emit, movie.path), "play")
        if several:
            text = self.tr("Play {0}, one after the other").format(len(paths))
            add(text, partial(self.queue_requested.emit, paths))
        text = self.tr("Run {0} to their ends at once") if several else self.tr("Run to its end")
        tip = self.tr("Puts whole movies on the timeline, as fast as the core can")
        run = partial(self.load_requested.emit, paths)
        add(text.format(len(paths)), run, "fast-forward", tip)
        text = self.tr("Score {0} beside the game") if several else self.tr("Score beside the game")
        add(text.format(len(paths)), partial(self.score_requested.emit, paths), "reward")
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
            self.play_requested.emit(movie.path)
