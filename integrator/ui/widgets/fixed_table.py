"""A table of a dialog in the look of the panels' tables."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableWidget

from integrator.ui.widgets.panels.table import DataTable
from integrator.ui.widgets.theme import SIZES


class FixedTable(QTableWidget):
    """Columns with titles, whole rows selected; cells are only read unless ``editable``."""

    def __init__(self, name: str, titles: Sequence[str], *, editable: bool = False) -> None:
        super().__init__(0, len(titles))
        self.setAccessibleName(name)
        self.setHorizontalHeaderLabels(list(titles))
        self.setShowGrid(False)
        self.setAlternatingRowColors(True)
        if not editable:
            self.setEditTriggers(DataTable.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(DataTable.SelectionBehavior.SelectRows)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(SIZES.row + 2)
        header = self.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setStretchLastSection(True)
