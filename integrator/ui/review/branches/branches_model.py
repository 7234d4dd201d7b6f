"""The table of branches: the present line first, then the kept ones, each with its last picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from PySide6.QtCore import QObject
from PySide6.QtGui import QFont, QPixmap

from integrator.ui.widgets.rows_model import Column, RowsModel
from integrator.ui.widgets.texts import clock_text, plain_number
from integrator.ui.widgets.theme import Theme
from integrator.ui.widgets.translation import counted

BranchColumn = IntEnum("BranchColumn", "NAME LENGTH PARTS REWARD", start=0)


@dataclass(frozen=True, slots=True)
class BranchRow:
    """One line of play. ``shared_frames`` is None for the present one."""

    name: str
    length: int
    shared_frames: int | None
    rewards: tuple[float, ...]


class BranchesModel(RowsModel[BranchRow]):
    """A row a line of play. Pictures come later than the rows, and stay with the name."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(theme, parent)
        self._pictures: dict[str, QPixmap] = {}
        self._fps = 60.0
        self._bold = QFont()
        self._bold.setBold(True)

    def set_rows(self, rows: Sequence[BranchRow], fps: float) -> None:
        """Show other lines; only values change while the names are the same."""
        if tuple(rows) == self.rows and fps == self._fps:
            return
        self._fps = fps
        names = {row.name for row in rows}
        self._pictures = {n: p for n, p in self._pictures.items() if n in names}
        if [row.name for row in rows] == [row.name for row in self.rows]:
            self.rows = tuple(rows)
            self.all_changed()
        else:
            self.show(tuple(rows))

    def set_pictures(self, pictures: Mapping[str, QPixmap]) -> None:
        """Show pictures by the lines' names, in place of those shown so far."""
        self._pictures.update(pictures)
        for at, line in enumerate(self.rows):
            if line.name in pictures:
                self.cells_changed(at, BranchColumn.NAME, BranchColumn.NAME)

    def picture(self, name: str) -> QPixmap | None:
        """The picture shown for a line."""
        return self._pictures.get(name)

    def row_of(self, name: str) -> int | None:
        """The row of a line."""
        return next((at for at, line in enumerate(self.rows) if line.name == name), None)

    def table(self) -> Sequence[Column[BranchRow]]:
        """See :class:`BranchColumn`."""
        return (
            Column(
                self.tr("line"),
                lambda line: line.name,
                icon=lambda line: self._pictures.get(line.name),
            ),
            Column(
                self.tr("length"),
                lambda line: clock_text(line.length, self._fps),
                font=self._mono,
            ),
            Column(self.tr("parts at"), self._parts, color=self._parts_color, font=self._mono),
            Column(
                self.tr("reward"),
                lambda line: " / ".join(map(plain_number, line.rewards)),
                font=self._mono,
            ),
        )

    def font(self, line: BranchRow) -> QFont | None:
        """Bold for the present line."""
        return self._bold if line.shared_frames is None else None

    def tip(self, line: BranchRow) -> str:
        """The length in frames."""
        text = counted(self.tr("{0}: {1} frame[|s]", None, line.length), line.length)
        return text.format(line.name, f"{line.length:,}")

    def _parts(self, line: BranchRow) -> str:
        return self.tr("now") if line.shared_frames is None else f"{line.shared_frames:,}"

    def _parts_color(self, line: BranchRow) -> str:
        colors = self._theme.colors
        return colors.good if line.shared_frames is None else colors.secondary
