"""The suggestions as a table, with each number's curve."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from PySide6.QtCore import QObject, Qt

from integrator.domain.query.matches.behaviour import Reading
from integrator.domain.suggest.suggestion import KINDS, Kind
from integrator.domain.sweep.readings import PLAIN
from integrator.domain.values.variables import VariableSpec
from integrator.session.suggestions.hidden_look import Suggested
from integrator.ui.find.results.results_model import ResultColumn, ResultsModel
from integrator.ui.find.results.rows import ResultLine
from integrator.ui.widgets.rows_model import Index
from integrator.ui.widgets.theme import Theme
from integrator.ui.widgets.translation import translate

_SURE = 0.5
"""From this confidence on, a suggestion is shown as a good one."""
CURVE_ROLE = int(Qt.ItemDataRole.UserRole) + 1
"""The role of a curve's numbers, int64 (points,)."""


class SuggestionsModel(ResultsModel[Suggested]):
    """A row a suggestion: the best of each kind, then the others, best first in each kind."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(theme, parent)
        self._variables: tuple[VariableSpec, ...] = ()
        # Found once a change, not at each painting of each cell: there may be a thousand variables.
        self._known: dict[Suggested, str] = {}
        self._told: dict[Suggested, str] = {}

    def table(self) -> Sequence[ResultColumn[Suggested]]:
        """Kind and confidence, the columns of all lists, and the reason."""
        return (
            ResultColumn(
                self.tr("kind"),
                lambda line: self.kind_text(line.item.suggestion.kind),
                tip=_reason,
                name="kind",
                width=76,
                whole=True,
            ),
            ResultColumn(
                self.tr("sure"),
                lambda line: f"{line.item.suggestion.confidence:.0%}",
                color=self._sure_color,
                tip=_reason,
                width=44,
                whole=True,
            ),
            self.address(),
            self.type(46, spare=1),
            ResultColumn(
                self.tr("course"),
                lambda _: "",
                tip=self._course_tip,
                name="course",
                width=110,
                spare=2,
            ),
            ResultColumn(
                self.tr("reason"),
                lambda line: self._told.get(line.item, line.item.suggestion.reason),
                tip=_reason,
                name="reason",
                width=200,
                stretch=True,
            ),
            self.verdict(108),
        )

    def set_variables(self, variables: Iterable[VariableSpec]) -> None:
        """Show which suggestions are variables already."""
        self._variables = tuple(variables)
        self._compare()
        for name in ("kind", "reason"):
            self.column_changed(name)

    def known_as(self, row: int) -> str:
        """The name of the variable that a row's suggestion is already; empty for a new one."""
        return self._known.get(self.item(row), "")

    def is_new(self, row: int) -> bool:
        """True when no variable is the row's suggestion, or holds all its bytes."""
        return self.item(row) not in self._told

    def _compare(self) -> None:
        """Find the variables that suggestions are, or are a part of."""
        same = {(v.address, v.type, v.mask): v.name for v in reversed(self._variables)}
        whole = [v for v in self._variables if v.mask is None]
        self._known.clear()
        self._told.clear()
        for each in self.suggested():
            number = each.suggestion
            start, end, mask = number.address, number.address + number.type.width, number.mask
            holding = (v for v in whole if v.address <= start and end <= v.address + v.type.width)
            if name := same.get((start, number.type, mask)):
                self._known[each] = name
                self._told[each] = self.tr("is your variable “{0}”").format(name)
            elif mask is None and (found := next(holding, None)):
                self._told[each] = self.tr("is a part of your variable “{0}”").format(found.name)

    def set_rows(self, rows: Sequence[Suggested]) -> None:
        """Show other suggestions."""
        best = best_of(rows)
        # A user looks for one number of each kind: all of them are in sight.
        self.show_groups([each] for each in (*best, *(each for each in rows if each not in best)))
        self._compare()

    def suggested(self) -> list[Suggested]:
        """All rows."""
        return [line.item for line in self.rows]

    def row_of(self, other: Suggested) -> int:
        """The row of the same number as the same kind; the first without one."""
        wanted = other.suggestion.kind, self.reading(other)
        rows = ((each.suggestion.kind, self.reading(each)) for each in self.suggested())
        return next((row for row, each in enumerate(rows) if each == wanted), 0)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """As in :class:`ResultsModel`, and a row's curve."""
        return self.item(index.row()).curve if role == CURVE_ROLE else super().data(index, role)

    def color(self, line: ResultLine[Suggested]) -> str | None:
        """Variables that there are already are faint."""
        return self._theme.colors.faint if line.item in self._told else None

    def _sure_color(self, line: ResultLine[Suggested]) -> str:
        colors = self._theme.colors
        sure = line.item.suggestion.confidence >= _SURE and line.item not in self._told
        return colors.good if sure else colors.faint

    def _course_tip(self, line: ResultLine[Suggested]) -> str:
        low, high = int(line.item.curve.min()), int(line.item.curve.max())
        return self.tr("From {0} to {1} in what was played").format(low, high)

    def reading(self, item: Suggested) -> Reading:
        """As in :class:`ResultsModel`."""
        each = item.suggestion
        return Reading(each.address, each.type, PLAIN, each.mask)

    def kind_text(self, kind: Kind) -> str:
        """A kind in the user's language."""
        return translate("SuggestionsModel", KINDS[kind].words)


def best_of(rows: Iterable[Suggested]) -> list[Suggested]:
    """The first suggestion of each kind."""
    first: dict[Kind, Suggested] = {}
    for each in rows:
        first.setdefault(each.suggestion.kind, each)
    return list(first.values())


def _reason(line: ResultLine[Suggested]) -> str:
    return line.item.suggestion.reason
