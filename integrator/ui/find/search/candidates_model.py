"""The candidates of a RAM search as a table, whose rows are made when they are looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum

from PySide6.QtCore import QObject

from integrator.domain.query.matches.behaviour import Reading
from integrator.domain.query.matches.groups import MOST_GROUPED, groups_of
from integrator.domain.search.results import Candidate
from integrator.domain.values.variables import Neighbours, VariableSpec
from integrator.ui.find.results.results_model import ResultColumn, ResultsModel
from integrator.ui.find.results.rows import Folds, Pages, ResultLine
from integrator.ui.terms.help_texts import agreement, wrap_warning
from integrator.ui.widgets.texts import bits_text
from integrator.ui.widgets.theme import Theme

CandidateColumn = IntEnum(
    "CandidateColumn", "ADDRESS TYPE SCALE VALUE PREVIOUS CHANGES AGE NEAR PROOF", start=0
)


def _number_text(number: float) -> str:
    """A number as a cell shows it: floats with seven digits, the precision of four bytes."""
    return str(number) if isinstance(number, int) else f"{number:.7g}"


class CandidatesModel(ResultsModel[Candidate]):
    """Rows over an immutable sequence of candidates, with live values laid over them."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(theme, parent)
        self._candidates: Sequence[Candidate] = ()
        self.grouped = False
        self._neighbours = Neighbours({})

    def table(self) -> Sequence[ResultColumn[Candidate]]:
        """See :class:`CandidateColumn`."""
        mono, faint = self._mono, self.tint("faint")
        last, quiet = self.tr("last search"), self.tr("quiet for")
        return (
            self.address(80),
            self.type(60),
            self.scale(62, "secondary"),
            ResultColumn(
                self.tr("value"),
                lambda line: _number_text(line.item.value),
                color=self._value_color,
                font=mono,
                name="value",
                width=56,
                whole=True,
            ),
            ResultColumn(
                # A line for each word: the columns are as narrow as their numbers.
                last.replace(" ", "\n"),
                lambda line: _number_text(line.item.previous),
                color=faint,
                font=mono,
                title_tip=self.tr("The number at the last step of the search"),
                width=70,
                spare=2,
            ),
            ResultColumn(
                self.tr("changes"),
                lambda line: str(line.item.changes),
                color=faint,
                font=mono,
                title_tip=self.tr("How many times it changed from frame to frame"),
                width=72,
                spare=3,
            ),
            ResultColumn(
                quiet.replace(" ", "\n"),
                lambda line: "" if line.item.age < 0 else str(line.item.age),
                color=faint,
                font=mono,
                title_tip=self.tr("Frames since it changed"),
                name="age",
                spare=1,
            ),
            ResultColumn(
                self.tr("variable"),
                lambda line: self._neighbours.text(line.item.address, line.item.type.width),
                color=self.tint("secondary"),
                title_tip=self.tr(
                    "The variable at this address, or the nearest one with the distance in bytes"
                ),
                name="near",
                width=104,
            ),
            self.verdict(112, stretch=True),
        )

    # -- rows -------------------------------------------------------------------------------

    def set_candidates(self, candidates: Sequence[Candidate]) -> None:
        """Show other candidates."""
        self._candidates = candidates
        grouped = self.grouped and len(candidates) <= MOST_GROUPED
        self.show(Folds(groups_of(candidates)) if grouped else Pages(candidates))

    def set_grouped(self, grouped: bool) -> None:
        """Put candidates that agree into one row each, which unfolds; or show every candidate."""
        self.grouped = grouped
        self.set_candidates(self._candidates)

    def set_live(self, first: int, present: Sequence[Candidate]) -> None:
        """New numbers of the rows from ``first`` on, if they still show these candidates."""
        for row, fresh in zip(range(first, len(self.rows)), present, strict=False):
            shown = self.item(row)
            same = (shown.address, shown.type_text) == (fresh.address, fresh.type_text)
            if same and fresh != shown:
                self.put(row, fresh, "value", "age")

    def set_variables(self, variables: Mapping[str, VariableSpec]) -> None:
        """Set the known variables, of which each row names the nearest."""
        self._neighbours = Neighbours(variables)
        self.column_changed("near")

    # -- cells ------------------------------------------------------------------------------

    def reading(self, item: Candidate) -> Reading:
        """As in :class:`ResultsModel`."""
        return Reading(item.address, item.type, item.scale, item.mask, item.real)

    def _address_text(self, line: ResultLine[Candidate]) -> str:
        text = super()._address_text(line)
        if not isinstance(self.rows, Folds) or line.is_member:
            return f"   {text}" if line.is_member else text
        sign = "▾" if line.unfolded else "▸"
        return f"{sign if line.others else ' '} {text}"

    def _proof_text(self, line: ResultLine[Candidate]) -> str:
        return super()._proof_text(line) or self._agreement(line, agreement)

    def _scale_tip(self, item: Candidate) -> str | None:
        if not str(item.scale):
            return None
        text = self.tr("The screen shows {0} when memory holds {1}")
        return text.format(item.shown, item.value)

    def _type_tip(self, item: Candidate) -> str:
        if item.real is not None:
            return self.tr(
                "Floating-point number of four bytes. data.json has no such type: a variable "
                "holds the bytes, and a script makes the number of them."
            )
        if item.mask is None:
            return super()._type_tip(item)
        text = self.tr("{0} of the byte: a variable of it has the mask {1} (0x{1:X})")
        return text.format(bits_text(item.mask), item.mask)

    def _warning(self, item: Candidate) -> str:
        if item.mask is not None or item.real is not None:
            return ""
        return wrap_warning(item.type, max(item.value, item.previous, item.first))

    def _value_color(self, line: ResultLine[Candidate]) -> str | None:
        colors, item = self._theme.colors, line.item
        if item.value == item.previous:
            return None
        return colors.good if item.value > item.previous else colors.bad
