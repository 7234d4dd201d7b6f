"""The table of movies: each one's facts, and its result after playing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt

from integrator.session.hidden.movie_scores import MovieScore
from integrator.session.library.movie_rows import MovieInfo
from integrator.session.movie_results import PlayedMovie
from integrator.ui.widgets.rows_model import Column, RowsModel
from integrator.ui.widgets.texts import plain_number
from integrator.ui.widgets.theme import Theme
from integrator.ui.widgets.translation import translate

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
    def of(cls, score: MovieScore | PlayedMovie) -> MovieResult:
        """The result of a movie that was played: its reward, and how it ended."""
        if score.desync_row is not None:
            return cls.out_of_step(score.desync_row, score.totals)
        text = translate("MoviesModel", "not done")
        if score.done_frame is not None:
            text = translate("MoviesModel", "done at frame {0}").format(f"{score.done_frame:,}")
        return cls(text, "good", score.totals)

    @classmethod
    def out_of_step(cls, row: int, totals: tuple[float, ...] = ()) -> MovieResult:
        """The result of a movie whose row left RAM other than recorded."""
        return cls(translate("MoviesModel", "out of step at row {0}").format(row), "bad", totals)


def _name(movie: MovieInfo) -> str:
    """The file's name, with its folder when that is not the listed one."""
    return movie.path.name if movie.place == "." else f"{movie.place}/{movie.path.name}"


class MoviesModel(RowsModel[MovieInfo]):
    """A row a movie. Results stay with the file when the folder is read again."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(theme, parent)
        self._results: dict[Path, MovieResult] = {}
        self._sorted = (MovieColumn.NAME, Qt.SortOrder.AscendingOrder)

    def table(self) -> Sequence[Column[MovieInfo]]:
        """See :class:`MovieColumn`."""
        return (
            Column(self.tr("movie"), self._title, _name, lambda _movie: self._theme.colors.text),
            self._number(self.tr("frames"), lambda movie: movie.frames, "{:,}".format),
            Column(self.tr("reward"), self._reward, self._first_total, font=self._mono),
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
            lines.append(self.tr("training can not press {0}").format(movie.beyond_training))
        return movie.problem or "\n".join(lines)

    def _title(self, movie: MovieInfo) -> str:
        return f"{_name(movie)} ⚠" if movie.beyond_training else _name(movie)

    def _totals(self, movie: MovieInfo) -> tuple[float, ...]:
        return () if movie.problem else self.result(movie.path).totals

    def _first_total(self, movie: MovieInfo) -> float | None:
        return next(iter(self._totals(movie)), None)

    def _reward(self, movie: MovieInfo) -> str:
        return " / ".join(map(plain_number, self._totals(movie)))

    def _result(self, movie: MovieInfo) -> str:
        return self.tr("unreadable") if movie.problem else self.result(movie.path).text

    def _result_color(self, movie: MovieInfo) -> str:
        role = "bad" if movie.problem else self.result(movie.path).role
        return str(getattr(self._theme.colors, role))
