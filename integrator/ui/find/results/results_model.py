"""Found numbers as a table: the columns that all lists have, groups, and verdicts of proofs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, cast

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QIcon

from integrator.domain.query.behaviour import Reading
from integrator.domain.values.variables import VariableSpec
from integrator.ui.find.results.rows import Folds, Item, ResultLine, Rows
from integrator.ui.terms.help_texts import agreement_tip, type_tip
from integrator.ui.terms.proof_marks import ProofMark
from integrator.ui.widgets.fields import address_text
from integrator.ui.widgets.rows_model import NO_PARENT, Column, RowsModel
from integrator.ui.widgets.texts import bits_text
from integrator.ui.widgets.theme import Theme

NumberKey = tuple[int, str]
"""Address and type of a number that can be proved."""


@dataclass(frozen=True, slots=True)
class ResultColumn(Column[ResultLine[Item]], Generic[Item]):
    """A column of found numbers.

    ``width`` in pixels, ``stretch`` and ``whole`` are those of :meth:`DataTable.set_widths`, and
    ``spare`` its order among the columns that are left out, 0 for one that stays. A click into a
    column that ``unfolds`` lists the row's group.
    """

    name: str = ""
    width: int = 60
    stretch: bool = False
    whole: bool = False
    spare: int = 0
    unfolds: bool = False


def key_of(reading: Reading) -> NumberKey:
    """The key of a number; bits share the proof of their byte."""
    return reading.address, reading.type.spec


class ResultsModel(RowsModel[ResultLine[Item]], Generic[Item]):
    """Readings, unless a source says how its items are read, and which columns they have.

    ``columns_changed``: there are other columns, or they need other widths.
    """

    columns_changed = Signal()
    rows: Rows[Item]

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(theme, parent)
        self._proofs: dict[NumberKey, ProofMark] = {}
        self._draws: Mapping[int, ProofMark] = {}
        self.rows = Folds(())

    # -- rows -------------------------------------------------------------------------------

    def show_groups(self, groups: Iterable[Iterable[Item]]) -> None:
        self.show(Folds(groups))

    def item(self, row: int) -> Item:
        return self.rows.line(row).item

    def put(self, row: int, item: Item, first: str, last: str) -> None:
        self.rows.put(row, item)
        self.cells_changed(row, self.place(first), self.place(last))

    def unfold(self, row: int, *, unfolded: bool) -> None:
        rows, line = self.rows, self.rows.line(row)
        if not isinstance(rows, Folds) or not line.others or line.unfolded is unfolded:
            return
        begin = self.beginInsertRows if unfolded else self.beginRemoveRows
        begin(NO_PARENT, row + 1, row + line.others)
        rows.fold(row, unfolded=unfolded)
        (self.endInsertRows if unfolded else self.endRemoveRows)()
        self.cells_changed(row)

    def reading(self, item: Item) -> Reading:
        if not isinstance(item, Reading):
            raise NotImplementedError
        return item

    def set_variables(self, variables: Mapping[str, VariableSpec]) -> None: ...

    # -- proofs -----------------------------------------------------------------------------

    def add_proofs(self, proofs: Mapping[NumberKey, ProofMark]) -> None:
        """Show verdicts, which stay with their numbers until the game is closed."""
        first = bool(proofs) and not self._proofs
        self._proofs.update(proofs)
        self.column_changed("proof")
        if first:
            self.change_columns()

    def set_draws(self, draws: Mapping[int, ProofMark]) -> None:
        self._draws = draws
        self.column_changed("proof")

    def forget_proofs(self) -> None:
        self._proofs.clear()
        self.set_draws({})

    def proof(self, reading: Reading) -> ProofMark | None:
        proved = self._proofs.get(key_of(reading))
        if proved is not None or not self._draws:
            return proved
        drawing = (self._draws.get(reading.address + n) for n in range(reading.type.width))
        return next((mark for mark in drawing if mark is not None), None)

    # -- columns ----------------------------------------------------------------------------

    def table(self) -> Sequence[ResultColumn[Item]]:
        return self.address(), self.type(), self.scale(62), self.verdict(stretch=True)

    @property
    def shown(self) -> tuple[ResultColumn[Item], ...]:
        return cast("tuple[ResultColumn[Item], ...]", self._table)

    def change_columns(self) -> None:
        self.forget_columns()
        self.columns_changed.emit()

    def place(self, name: str) -> int:
        return next(at for at, column in enumerate(self.shown) if column.name == name)

    def column_changed(self, name: str) -> None:
        if self.rows:
            column = self.place(name)
            self.dataChanged.emit(self.index(0, column), self.index(len(self.rows) - 1, column))

    def tint(self, token: str) -> Callable[[ResultLine[Item]], str]:
        return lambda line: self.color(line) or str(getattr(self._theme.colors, token))

    def number(
        self,
        title: str,
        text: Callable[[ResultLine[Item]], str],
        width: int,
        title_tip: str = "",
        **traits: Any,
    ) -> ResultColumn[Item]:
        """A column of numbers; ``traits`` are those of :class:`ResultColumn`."""
        return ResultColumn(
            title, text, font=self._mono, width=width, title_tip=title_tip, **traits
        )

    def address(self, width: int = 84, **traits: Any) -> ResultColumn[Item]:
        own: dict[str, Any] = {"color": self.tint("link"), "name": "address"}
        own |= {"whole": True, "unfolds": True}
        return self.number(self.tr("address"), self._address_text, width, **own, **traits)

    def type(self, width: int = 52, **traits: Any) -> ResultColumn[Item]:

        def icon(line: ResultLine[Item]) -> QIcon | None:
            return self._theme.icons.icon("warning") if self._warning(line.item) else None

        def tip(line: ResultLine[Item]) -> str:
            return "\n".join(filter(None, (self._type_tip(line.item), self._warning(line.item))))

        def text(line: ResultLine[Item]) -> str:
            return type_text(self.reading(line.item))

        own: dict[str, Any] = {"icon": icon, "tip": tip, "name": "type", "whole": True}
        return self.number(self.tr("type"), text, width, **own, **traits)

    def scale(self, width: int, color: str = "text", **traits: Any) -> ResultColumn[Item]:

        def text(line: ResultLine[Item]) -> str:
            return str(self.reading(line.item).scale).replace("x", "×") or "×1"

        def tip(line: ResultLine[Item]) -> str | None:
            return self._scale_tip(line.item)

        own: dict[str, Any] = {
            "color": self.tint(color),
            "tip": tip,
            "name": "scale",
            "whole": True,
        }
        return self.number(self.tr("scale"), text, width, **own, **traits)

    def verdict(self, width: int = 76, **traits: Any) -> ResultColumn[Item]:

        def mark(line: ResultLine[Item]) -> ProofMark | None:
            return self.proof(self.reading(line.item))

        def color(line: ResultLine[Item]) -> str:
            found, colors = mark(line), self._theme.colors
            return colors.text if found is None else found.color(colors)

        def tip(line: ResultLine[Item]) -> str | None:
            found = mark(line)
            return self.tip(line) if found is None else found.tip

        return ResultColumn(
            self.tr("proof"),
            self._proof_text,
            color=color,
            tip=tip,
            name="proof",
            width=width,
            **traits,
        )

    def _address_text(self, line: ResultLine[Item]) -> str:
        return ("  " if line.is_member else "") + address_text(self.reading(line.item).address)

    def _proof_text(self, line: ResultLine[Item]) -> str:
        mark = self.proof(self.reading(line.item))
        return "" if mark is None else mark.text

    def _type_tip(self, item: Item) -> str:
        return type_tip(self.reading(item).type)

    def _scale_tip(self, item: Item) -> str | None:
        return self.reading(item).scale.formula

    def _warning(self, _item: Item) -> str:
        return ""

    def _agreement(self, line: ResultLine[Item], words: Callable[[Reading, Reading], str]) -> str:
        return words(self.reading(line.lead), self.reading(line.item)) if line.is_member else ""

    def tip(self, line: ResultLine[Item]) -> str | None:
        return self._agreement(line, agreement_tip) or None


def type_text(reading: Reading) -> str:
    """Type of a number, or the bits of its byte: ``>u2``, ``>f4``, ``bit 3``, ``bits 0-3``."""
    if reading.real is not None:
        return reading.real.spec
    return str(reading.type) if reading.mask is None else bits_text(reading.mask)
