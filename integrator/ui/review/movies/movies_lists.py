"""The lists of the Movies panel: movies with their results, groups of movies, and moments."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from statistics import median
from typing import Any, Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QMenu, QStackedWidget

from integrator.domain.query.conditions import RowFilter
from integrator.session.hidden.movies import MovieMoment, MovieScore
from integrator.session.library.entries import MovieInfo
from integrator.session.recorded_rows import PlayedMovie
from integrator.ui import widgets as ui

MovieColumn = IntEnum(
    "MovieColumn", "NAME AGENT STATE EPISODE REWARD FRAMES RESULT PLAYERS CORE", start=0
)
_WORDS: Final = ("name", "agent", "state", "episode", "return", "length", "end", "players", "core")
FILTERS: Final = dict(zip(_WORDS, MovieColumn, strict=True))  # columns by their names in a filter
_NUMBERS: Final = {"episode", "return", "length", "players"}


@dataclass(frozen=True, slots=True)
class MovieResult:
    """A movie's result: a text with its role (good, bad, warn or link) and tip, total rewards."""

    text: str = ""
    role: str = "link"
    totals: tuple[float, ...] = ()  # of each player; empty while unknown
    done: bool = False
    why: str = ""

    @classmethod
    def of(cls, score: MovieScore | PlayedMovie) -> "MovieResult":
        if score.desync_row is not None:
            return cls.out_of_step(score.desync_row, score.totals)
        text = ui.translate("MoviesModel", "not done")
        if score.done_frame is not None:
            text = ui.translate("MoviesModel", "done at frame {0}")
            text = text.format(ui.grouped(score.done_frame))
        return cls(text, "good", score.totals, score.done_frame is not None)

    @classmethod
    def out_of_step(cls, row: int, totals: tuple[float, ...] = ()) -> "MovieResult":
        return cls(ui.translate("MoviesModel", "out of step at row {0}").format(row), "bad", totals)


def _name(movie: MovieInfo) -> str:
    """Return a movie's file name, with its folder unless that is the listed folder."""
    return movie.path.name if movie.place == "." else f"{movie.place}/{movie.path.name}"


def title_of(movie: MovieInfo) -> str:
    """Return agent, episode and state if known, because movies of agents share file names."""
    known = movie.agent and movie.episode is not None
    return f"{movie.agent} {movie.episode} · {movie.state}" if known else _name(movie)


class MoviesModel(ui.RowsModel[MovieInfo]):
    """One row for each movie that passes the filter; ``all`` are the movies of the folder."""

    ink = "secondary"

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.all: tuple[MovieInfo, ...] = ()
        self._results: dict[Path, MovieResult] = {}  # kept when the folder is read again
        self._sorted = (MovieColumn.NAME, Qt.SortOrder.AscendingOrder)
        self._filter = RowFilter()
        self._places: dict[Path, int] = {}

    def table(self) -> Sequence[ui.Column[MovieInfo]]:
        def number(
            title: str, of: Callable[[MovieInfo], int | None], text: Callable[[int], str] = str
        ) -> ui.Column[MovieInfo]:
            def shown(movie: MovieInfo) -> str:
                value = of(movie)
                return "" if movie.problem or value is None else text(value)

            return ui.Column(title, shown, of, font=self._mono)

        def totals(movie: MovieInfo) -> tuple[float, ...]:
            return () if movie.problem else self.result(movie.path).totals

        unreadable = self.tr("unreadable")
        return (
            ui.Column(
                self.tr("movie"),
                lambda movie: _name(movie) + (" ⚠" if movie.beyond_training else ""),
                _name,
                lambda _movie: "text",
            ),
            ui.Column(self.tr("agent"), lambda movie: movie.agent),
            ui.Column(self.tr("state"), lambda movie: movie.state),
            number(self.tr("episode"), lambda movie: movie.episode),
            ui.Column(
                self.tr("return"),
                lambda movie: " / ".join(map(ui.plain_number, totals(movie))),
                lambda movie: next(iter(totals(movie)), None),
                font=self._mono,
            ),
            number(self.tr("length"), lambda movie: movie.frames, ui.grouped),
            ui.Column(
                self.tr("end"),
                lambda movie: unreadable if movie.problem else self.result(movie.path).text,
                color=lambda movie: "bad" if movie.problem else self.result(movie.path).role,
            ),
            number(self.tr("players"), lambda movie: movie.players),
            ui.Column(self.tr("core"), lambda movie: "" if movie.problem else movie.core),
        )

    def set_movies(self, movies: Sequence[MovieInfo]) -> None:
        self.all = tuple(movies)
        self._show_all()

    def set_filter(self, text: str) -> None:
        """Show the movies that pass a filter of words and conditions. Raises SearchError."""
        self._filter = RowFilter.parse(text, {name: name in _NUMBERS for name in FILTERS})
        self._show_all()

    def _show_all(self) -> None:
        def fits(movie: MovieInfo) -> bool:
            texts = {name: self._table[column].text(movie) for name, column in FILTERS.items()}
            numbers = {name: self._key(movie, FILTERS[name]) for name in _NUMBERS}
            return self._filter.fits(texts, numbers)

        shown = filter(fits, self.all) if self._filter.parts else self.all
        self.show_changed(self._ordered(shown))

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort the rows by a column. Movies without a value there are last."""
        self._sorted = (MovieColumn(column), order)
        self.sort_again()

    def sort_again(self) -> None:
        if self._filter.parts:
            self._show_all()
            return
        self.layoutAboutToBeChanged.emit()
        before, indexes = self.rows, self.persistentIndexList()
        self.rows = self._ordered(before)
        places = self._places
        moved = [self.index(places[before[at.row()].path], at.column()) for at in indexes]
        self.changePersistentIndexList(indexes, moved)
        self.layoutChanged.emit()

    def _key(self, movie: MovieInfo, column: MovieColumn) -> Any:
        shown = self._table[column]
        unknown = movie.problem and column is not MovieColumn.NAME
        return None if unknown else (shown.key or shown.text)(movie)

    def _ordered(self, movies: Iterable[MovieInfo]) -> tuple[MovieInfo, ...]:
        """Return sorted movies, and store their rows for :meth:`row_of`."""
        (column, order), movies = self._sorted, tuple(movies)
        keys = {movie.path: self._key(movie, column) for movie in movies}
        # The sort is stable in both directions.
        known = [movie for movie in movies if keys[movie.path] is not None]
        turned = order is Qt.SortOrder.DescendingOrder
        known.sort(key=lambda movie: keys[movie.path], reverse=turned)
        rows = (*known, *(movie for movie in movies if keys[movie.path] is None))
        self._places = {movie.path: row for row, movie in enumerate(rows)}
        return rows

    def set_result(self, path: Path, result: MovieResult) -> None:
        self._results[path] = result
        if (row := self.row_of(path)) is not None:
            self.cells_changed(row, MovieColumn.REWARD, MovieColumn.RESULT)

    def set_results(self, paths: Iterable[Path], result: MovieResult) -> None:
        """Give many movies the same result, with one signal for all."""
        self._results.update(dict.fromkeys(paths, result))
        self.all_changed()

    def result(self, path: Path) -> MovieResult:
        return self._results.get(path, MovieResult())

    def row_of(self, path: Path) -> int | None:
        return self._places.get(path)

    def tip(self, movie: MovieInfo) -> str:
        lines = [str(movie.path), f"{movie.game} ({movie.system})"]
        lines += filter(None, [self.result(movie.path).why])
        if movie.beyond_training:
            lines.append(self.tr("training cannot press {0}").format(movie.beyond_training))
        return movie.problem or "\n".join(lines)


@dataclass(frozen=True, slots=True)
class MovieGroup:
    """Movies of one agent and state. ``returns`` are the returns of the scored ones."""

    agent: str
    state: str
    movies: tuple[MovieInfo, ...]
    returns: tuple[float, ...]
    done: int


def groups_of(model: MoviesModel) -> list[MovieGroup]:
    key = attrgetter("agent", "state")
    groups = []
    for (agent, state), movies in groupby(sorted(model.rows, key=key), key):
        shown = tuple(movies)
        results = [model.result(movie.path) for movie in shown]
        totals = tuple(result.totals[0] for result in results if result.totals)
        groups.append(MovieGroup(agent, state, shown, totals, sum(each.done for each in results)))
    return groups


class MovieGroupsModel(ui.RowsModel[MovieGroup]):
    """One row for each pair of agent and state."""

    def table(self) -> Sequence[ui.Column[MovieGroup]]:
        def number(title: str, pick: Callable[[Sequence[float]], float]) -> ui.Column[MovieGroup]:
            return ui.number_column(
                title,
                lambda group: pick(group.returns) if group.returns else None,
                lambda value: "" if value is None else ui.plain_number(value),
                self._mono,
            )

        def length(group: MovieGroup) -> float:
            return median(movie.frames for movie in group.movies)

        return (
            ui.Column(self.tr("agent"), lambda group: group.agent or "—"),
            ui.Column(self.tr("state"), lambda group: group.state or "—"),
            ui.number_column(self.tr("movies"), lambda group: len(group.movies), font=self._mono),
            number(self.tr("best"), max),
            number(self.tr("median"), median),
            number(self.tr("worst"), min),
            ui.number_column(self.tr("length"), length, ui.grouped, self._mono),
            ui.number_column(self.tr("done"), lambda group: group.done, font=self._mono),
        )


class MovieMomentsModel(ui.RowsModel[MovieMoment]):
    """One row for each moment, the largest of a kind first. ``titles`` are titles of movies."""

    titles: Mapping[Path, str] = {}

    def table(self) -> Sequence[ui.Column[MovieMoment]]:
        return (
            ui.Column(self.tr("moment"), self._kind),
            ui.number_column(self.tr("frame"), lambda at: at.frame, font=self._mono),
            ui.number_column(self.tr("size"), lambda at: at.size, ui.plain_number, self._mono),
            ui.Column(self.tr("movie"), lambda at: self.titles.get(at.path, at.path.name)),
        )

    def _kind(self, moment: MovieMoment) -> str:
        kinds = {
            "largest gain": self.tr("largest gain"),
            "largest loss": self.tr("largest loss"),
            "no reward": self.tr("no reward for long"),
            "done": self.tr("done"),
            "inputs differ": self.tr("inputs differ from here"),
            "rewards differ": self.tr("rewards differ from here"),
            "RAM differ": self.tr("RAM differs from here"),
        }
        return kinds.get(moment.kind, moment.kind.replace("-", " "))

    def color(self, moment: MovieMoment) -> str:
        roles = {"largest gain": "good", "largest loss": "bad", "done": "text"}
        return roles.get(moment.kind, "secondary")

    def tip(self, moment: MovieMoment) -> str:
        return str(moment.path)


_MOST_MOMENTS: Final = 25  # most moments of one kind that are listed


def largest(found: Sequence[MovieMoment]) -> list[MovieMoment]:
    """Return the largest moments of each kind, the kinds in the order of their first moment."""
    kinds: dict[str, list[MovieMoment]] = {each.kind: [] for each in found}
    for moment in sorted(found, key=lambda each: -abs(each.size)):
        kinds[moment.kind].append(moment)
    return [each for ranked in kinds.values() for each in ranked[:_MOST_MOMENTS]]


class MovieLists(QStackedWidget):
    """Pages for the movies, their groups, and their moments. ``group_chosen`` and ``moment_chosen``
    give the double-clicked row."""

    group_chosen = Signal(object)
    moment_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.movies = MoviesModel(self)
        self.table = ui.DataTable(self.tr("Movies"), self.movies)
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        header = self.table.horizontalHeader()
        header.setSortIndicator(MovieColumn.NAME, Qt.SortOrder.AscendingOrder)
        self.table.setSortingEnabled(True)
        self.groups = MovieGroupsModel(self)
        groups = ui.DataTable(self.tr("Movies by agent and state"), self.groups)
        groups.set_widths((80, 80, 60, 60, 60, 60, 64, 50), stretch=0)
        groups.setToolTip(self.tr("Double-click a group to see its movies"))
        groups.activated.connect(lambda at: self.group_chosen.emit(self.groups.at(at.row())))
        self.moments = MovieMomentsModel(self)
        moments = ui.DataTable(self.tr("Moments"), self.moments)
        moments.set_widths((130, 66, 66, 150), stretch=3, whole=(0, 1), spare=(2,))
        moments.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        moments.setToolTip(self.tr("Double-click a moment to see it; score movies to find them"))
        moments.activated.connect(lambda at: self.moment_chosen.emit(self.moments.at(at.row())))
        for table in (self.table, groups, moments):
            self.addWidget(table)

    def fit_columns(self) -> None:
        """Hide columns in which no movie has a value."""
        at = MovieColumn
        widths = (100, 70, 60, 58, 62, 62, 136, 64, 60)
        unused = [
            FILTERS[name]
            for name in ("agent", "state", "episode")
            if all(getattr(movie, name) in ("", None) for movie in self.movies.all)
        ]
        whole, spare = (at.EPISODE, at.FRAMES, at.CORE), (at.CORE, at.PLAYERS, at.STATE)
        self.table.set_widths(widths, stretch=at.NAME, whole=whole, spare=spare, unused=unused)

    def add_sorting(self, menu: QMenu) -> None:
        """Add sorting to a menu, for the keyboard; the current column reverses its order."""
        sort = menu.addMenu(self.tr("Sort by"))
        header, orders = self.table.horizontalHeader(), Qt.SortOrder
        shown = header.sortIndicatorSection(), header.sortIndicatorOrder()
        for column, each in enumerate(self.movies.table()):
            turned = shown == (column, orders.AscendingOrder)
            order = orders.DescendingOrder if turned else orders.AscendingOrder
            sort.addAction(each.title, partial(self.table.sortByColumn, column, order))
