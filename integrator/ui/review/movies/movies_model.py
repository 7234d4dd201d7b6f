"""The table of movies: each one's facts, and its result after playing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor

from integrator.session.library.movie_rows import MovieInfo
from integrator.ui.widgets.table_model import Index, TableModel
from integrator.ui.widgets.texts import plain_number
from integrator.ui.widgets.theme import Theme, mono_font
from integrator.ui.widgets.translation import translate


class MovieColumn(IntEnum):
    """Columns from left to right."""

    NAME = 0
    FRAMES = 1
    REWARD = 2
    RESULT = 3
    PLAYERS = 4
    CORE = 5


@dataclass(frozen=True, slots=True)
class MovieResult:
    """The result of a movie: a short text, and its role: good, bad, warn or link.

    ``totals`` are the sums of the players' rewards, empty as long as they are not known.
    """

    text: str
    role: str
    totals: tuple[float, ...] = ()


def ended_text(done_frame: int | None) -> str:
    """The end of a movie that played as recorded."""
    if done_frame is None:
        return translate("MoviesModel", "not done")
    return translate("MoviesModel", "done at frame {0}").format(f"{done_frame:,}")


_NUMBERS = (MovieColumn.FRAMES, MovieColumn.REWARD, MovieColumn.PLAYERS)


def _name(movie: MovieInfo) -> str:
    """The file's name, with its folder when that is not the listed one."""
    return movie.path.name if movie.place == "." else f"{movie.place}/{movie.path.name}"


class MoviesModel(TableModel):
    """A row a movie. Results stay with the file when the folder is read again."""

    columns = MovieColumn

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._movies: tuple[MovieInfo, ...] = ()
        self._results: dict[Path, MovieResult] = {}
        self._sorted = (MovieColumn.NAME, Qt.SortOrder.AscendingOrder)
        self._mono = mono_font()

    def set_movies(self, movies: Sequence[MovieInfo]) -> None:
        """Take another folder's content."""
        ordered = self._ordered(movies)
        if ordered != self._movies:
            self.beginResetModel()
            self._movies = ordered
            self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Put the rows into the order of a column; movies without a number there come last."""
        self._sorted = (MovieColumn(column), order)
        self.sort_again()

    def sort_again(self) -> None:
        """Put the rows into the chosen order, after results came."""
        self.layoutAboutToBeChanged.emit()
        before, indexes = self._movies, self.persistentIndexList()
        self._movies = self._ordered(before)
        places = {movie.path: row for row, movie in enumerate(self._movies)}
        moved = [self.index(places[before[at.row()].path], at.column()) for at in indexes]
        self.changePersistentIndexList(indexes, moved)
        self.layoutChanged.emit()

    def _ordered(self, movies: Sequence[MovieInfo]) -> tuple[MovieInfo, ...]:
        column, order = self._sorted
        keys = {movie.path: self._sort_key(movie, column) for movie in movies}
        known = [movie for movie in movies if keys[movie.path] is not None]
        # Of equal movies the one that stood first stays first, in both directions.
        known.sort(
            key=lambda movie: keys[movie.path] or (0.0, ""),
            reverse=order is Qt.SortOrder.DescendingOrder,
        )
        return (*known, *(movie for movie in movies if keys[movie.path] is None))

    def _sort_key(self, movie: MovieInfo, column: MovieColumn) -> tuple[float, str] | None:
        if column is MovieColumn.NAME:
            return (0.0, _name(movie))
        if movie.problem:
            return None
        if column is MovieColumn.REWARD:
            result = self._results.get(movie.path)
            return (result.totals[0], "") if result is not None and result.totals else None
        numbers = {MovieColumn.FRAMES: movie.frames, MovieColumn.PLAYERS: movie.players}
        if column in numbers:
            return (float(numbers[column]), "")
        return (0.0, self._text(movie, column))

    def set_result(self, path: Path, result: MovieResult) -> None:
        """Set the result of a movie."""
        self._results[path] = result
        for row, movie in enumerate(self._movies):
            if movie.path == path:
                self.dataChanged.emit(
                    self.index(row, MovieColumn.REWARD), self.index(row, MovieColumn.RESULT)
                )

    @property
    def results(self) -> Mapping[Path, MovieResult]:
        """The results of the movies played so far."""
        return self._results

    def movie_at(self, row: int) -> MovieInfo:
        """The movie of a row."""
        return self._movies[row]

    def row_of(self, path: Path) -> int | None:
        """The row of a movie."""
        return next((row for row, m in enumerate(self._movies) if m.path == path), None)

    def length(self) -> int:
        """One row a movie."""
        return len(self._movies)

    def titles(self) -> Sequence[str]:
        """See :class:`MovieColumn`."""
        return (
            self.tr("movie"),
            self.tr("frames"),
            self.tr("reward"),
            self.tr("result"),
            self.tr("players"),
            self.tr("core"),
        )

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text, colour and font of a cell."""
        movie, column = self._movies[index.row()], MovieColumn(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(movie, column)
        if role == Qt.ItemDataRole.ForegroundRole:
            return QColor(self._color(movie, column))
        if role == Qt.ItemDataRole.FontRole and column in _NUMBERS:
            return self._mono
        if role == Qt.ItemDataRole.ToolTipRole:
            return movie.problem or self._tip(movie)
        return None

    def _tip(self, movie: MovieInfo) -> str:
        lines = [str(movie.path), f"{movie.game} ({movie.system})"]
        if movie.beyond_training:
            lines.append(self.tr("training can not press {0}").format(movie.beyond_training))
        return "\n".join(lines)

    def _text(self, movie: MovieInfo, column: MovieColumn) -> str:
        if column is MovieColumn.NAME:
            return f"{_name(movie)} ⚠" if movie.beyond_training else _name(movie)
        if column is MovieColumn.RESULT:
            result = self._results.get(movie.path)
            return self.tr("unreadable") if movie.problem else result.text if result else ""
        if movie.problem:
            return ""
        result = self._results.get(movie.path)
        totals = () if result is None else result.totals
        texts = {
            MovieColumn.REWARD: " / ".join(map(plain_number, totals)),
            MovieColumn.FRAMES: f"{movie.frames:,}",
            MovieColumn.PLAYERS: str(movie.players),
            MovieColumn.CORE: movie.core,
        }
        return texts[column]

    def _color(self, movie: MovieInfo, column: MovieColumn) -> str:
        colors = self._theme.colors
        if column is MovieColumn.RESULT:
            if movie.problem:
                return colors.bad
            result = self._results.get(movie.path)
            named = {
                "good": colors.good,
                "bad": colors.bad,
                "warn": colors.warn,
                "link": colors.link,
            }
            return named[result.role] if result else colors.faint
        return colors.text if column is MovieColumn.NAME else colors.secondary
