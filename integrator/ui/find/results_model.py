"""The model of found numbers: rows in groups that unfold, or pages that are made on demand."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Generic, NamedTuple, TypeVar, cast

from PySide6.QtCore import QObject, Signal

from integrator.domain.query.rank import Reading
from integrator.domain.values.variables import VariableSpec
from integrator.domain.words import tr
from integrator.session.proof.experiment import Redraw
from integrator.session.proof.proof import Verdict
from integrator.ui import widgets as ui
from integrator.ui.terms import agreement, type_tip

MAX_ROWS: Final = 1_000_000  # most rows of a view, because Qt's header needs some bytes for each

Item = TypeVar("Item")


class ResultLine(NamedTuple, Generic[Item]):
    """A row: its number, the leader of its group, and, for a leader, the other members."""

    item: Item
    lead: Item
    members: tuple[Item, ...] = ()
    unfolded: bool = False

    @property
    def is_member(self) -> bool:
        return self.item is not self.lead


Text = Callable[[ResultLine[Item]], str]


class Pages(Sequence[ResultLine[Item]]):
    """Rows of an immutable sequence that makes its items at each access; pages are cached."""

    def __init__(self, items: Sequence[Item]) -> None:
        def page(number: int) -> list[ResultLine[Item]]:
            return [ResultLine(each, each) for each in items[64 * number : 64 * (number + 1)]]

        self._length = min(len(items), MAX_ROWS)
        self._page = lru_cache(32)(page)

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, row: Any) -> Any:
        return self._page(row // 64)[row % 64]

    def __setitem__(self, row: int, line: ResultLine[Item]) -> None:
        self._page(row // 64)[row % 64] = line


class ProofMark(NamedTuple):
    """The content of a proof cell: its text, the token of its color, and a tooltip."""

    text: str
    color: str
    tip: str


_RULINGS: Final = {
    "original": (tr("original"), "good"),
    "copy": (tr("copy"), "warn"),
    "inert": (tr("inert"), "faint"),
    "unknown": (tr("unknown"), "secondary"),
}


def mark_of(verdict: Verdict) -> ProofMark:
    """Return the mark of a poked candidate, with the code and width if known: ``BCD, 3 bytes``."""
    ruling, color = _RULINGS[verdict.ruling]
    text, form = ui.words(ruling), verdict.form
    if verdict.copy_of is not None:
        source = ui.address_text(verdict.copy_of.address)
        text = ui.translate("ProofMarks", "copy of {0}").format(source)
    elif form is not None:
        width = form.type.width if form.type is not None else 0
        sized = ui.counted(ui.translate("ProofMarks", "{0}, {1} byte[|s]"), width)
        text = f"{text} · {sized.format(form.code, width) if width else form.code}"
    return ProofMark(text, color, "\n".join(verdict.reasons))


def mark_of_redraw(redraw: Redraw) -> ProofMark:
    """Return the mark of a byte that redrew the place that the user marked on the screen."""
    text = ui.translate("ProofMarks", "draws {0} px").format(redraw.inside)
    tip = ui.translate(
        "ProofMarks",
        "Poked, it changed {0} px in the marked place and {1} px outside, {2} frame[|s] later",
    )
    tip = ui.counted(tip, redraw.frame).format(redraw.inside, redraw.outside, redraw.frame)
    return ProofMark(text, "good" if redraw.outside <= redraw.inside else "warn", tip)


NumberKey = tuple[int, str]  # address and type of a number that can be proved


def key_of(reading: Reading) -> NumberKey:
    """Return the key of a number. Bits have the key, and so the proof, of their byte."""
    return reading.address, reading.type.spec


@dataclass(frozen=True, slots=True)
class ResultColumn(ui.Column[ResultLine[Item]], Generic[Item]):
    """A column of found numbers. ``width`` (pixels), ``stretch`` and ``whole`` are arguments of
    :meth:`DataTable.set_widths`. If space is short, columns are hidden in the order of ``spare``,
    except those with 0. A click in a column that ``unfolds`` lists the group of the row."""

    name: str = ""
    width: int = 60
    stretch: bool = False
    whole: bool = False
    spare: int = 0
    unfolds: bool = False


class ResultsModel(ui.RowsModel[ResultLine[Item]], Generic[Item]):
    """Rows of Readings. A subclass for other items overrides :meth:`reading` and :meth:`table`.
    ``columns_changed`` follows a change of the columns or of the widths that they need."""

    columns_changed = Signal()
    rows: list[ResultLine[Item]] | Pages[Item]

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._proofs: dict[NumberKey, ProofMark] = {}
        self._draws: Mapping[int, ProofMark] = {}
        self.rows = []

    def show_groups(self, groups: Iterable[Iterable[Item]]) -> None:
        self.show([ResultLine(lead, lead, tuple(members)) for lead, *members in groups])

    def item(self, row: int) -> Item:
        found: Item = self.rows[row].item
        return found

    def put(self, row: int, item: Item, first: str, last: str) -> None:
        line = self.rows[row]
        lead = line.lead if line.is_member else item
        self.rows[row] = line._replace(item=item, lead=lead)
        self.cells_changed(row, self.place(first), self.place(last))

    def lead_of(self, row: int) -> int:
        while self.rows[row].is_member:
            row -= 1
        return row

    def unfold(self, row: int, *, unfolded: bool) -> None:
        rows, line = self.rows, self.rows[row]
        count = len(line.members)
        if not isinstance(rows, list) or not count or line.unfolded is unfolded:
            return
        if unfolded:
            self.beginInsertRows(ui.NO_PARENT, row + 1, row + count)
            rows[row + 1 : row + 1] = [ResultLine(each, line.lead) for each in line.members]
            self.endInsertRows()
        else:
            # Keep the newest numbers of the members for the next time that the row is unfolded.
            members = tuple(each.item for each in rows[row + 1 : row + 1 + count])
            line = line._replace(members=members)
            self.beginRemoveRows(ui.NO_PARENT, row + 1, row + count)
            del rows[row + 1 : row + 1 + count]
            self.endRemoveRows()
        rows[row] = line._replace(unfolded=unfolded)
        self.cells_changed(row)

    def reading(self, item: Item) -> Reading:
        return cast("Reading", item)

    def set_variables(self, variables: Mapping[str, VariableSpec]) -> None: ...

    def add_proofs(self, proofs: Mapping[NumberKey, ProofMark]) -> None:
        """Show verdicts. They are kept until the game is closed."""
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
        return next(filter(None, drawing), None)

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
            at = self.place(name)
            self.dataChanged.emit(self.index(0, at), self.index(len(self.rows) - 1, at))

    def table(self) -> Sequence[ResultColumn[Item]]:
        return self.address(), self.type(), self.scale(62), self.verdict(stretch=True)

    def tint(self, token: str) -> Callable[[ResultLine[Item]], str]:
        return lambda line: self.color(line) or token

    def column(self, title: str, text: Text[Item], width: int, **traits: Any) -> ResultColumn[Item]:
        return ResultColumn(title, text, width=width, **traits)

    def number(self, title: str, text: Text[Item], width: int, **traits: Any) -> ResultColumn[Item]:
        return self.column(title, text, width, font=self._mono, **traits)

    def address(self, width: int = 84, **traits: Any) -> ResultColumn[Item]:
        traits |= {"color": self.tint("link"), "name": "address", "whole": True, "unfolds": True}
        return self.number(self.tr("address"), self._address_text, width, **traits)

    def type(self, width: int = 52, **traits: Any) -> ResultColumn[Item]:

        def text(line: ResultLine[Item]) -> str:
            """Return the type of a number, or the bits of its byte: ``>u2``, ``>f4``, ``bit 3``."""
            found = self.reading(line.item)
            if found.real is not None:
                return str(found.real)
            return str(found.type) if found.mask is None else ui.bits_text(found.mask)

        def icon(line: ResultLine[Item]) -> str | None:
            return "warning" if self._warning(line.item) else None

        def tip(line: ResultLine[Item]) -> str:
            return "\n".join(filter(None, (self._type_tip(line.item), self._warning(line.item))))

        traits |= {"icon": icon, "tip": tip, "name": "type", "whole": True}
        return self.number(self.tr("type"), text, width, **traits)

    def scale(self, width: int, color: str = "text", **traits: Any) -> ResultColumn[Item]:
        traits |= {"color": self.tint(color), "tip": lambda line: self._scale_tip(line.item)}

        def text(line: ResultLine[Item]) -> str:
            return str(self.reading(line.item).scale).replace("x", "×") or "×1"

        return self.number(self.tr("scale"), text, width, name="scale", whole=True, **traits)

    def verdict(self, width: int = 76, **traits: Any) -> ResultColumn[Item]:

        def mark(line: ResultLine[Item]) -> ProofMark:
            plain = ProofMark("", "text", self.tip(line) or "")
            return self.proof(self.reading(line.item)) or plain

        traits |= {
            "name": "proof",
            "color": lambda line: mark(line).color,
            "tip": lambda line: mark(line).tip or None,
        }
        return self.column(self.tr("proof"), self._proof_text, width, **traits)

    def _address_text(self, line: ResultLine[Item]) -> str:
        return ("  " if line.is_member else "") + ui.address_text(self.reading(line.item).address)

    def _proof_text(self, line: ResultLine[Item]) -> str:
        mark = self.proof(self.reading(line.item))
        return "" if mark is None else mark.text

    def _type_tip(self, item: Item) -> str:
        return type_tip(self.reading(item).type)

    def _scale_tip(self, item: Item) -> str | None:
        return self.reading(item).scale.formula

    def _warning(self, _item: Item) -> str:
        return ""

    def _agreement(self, line: ResultLine[Item]) -> tuple[str, str]:
        member = line.is_member
        return agreement(self.reading(line.lead), self.reading(line.item)) if member else ("", "")

    def tip(self, line: ResultLine[Item]) -> str | None:
        return self._agreement(line)[1] or None
