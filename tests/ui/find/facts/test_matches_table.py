"""The table of matches at the width of a small window: every number and reason is whole."""

from fractions import Fraction

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView
from pytestqt.qtbot import QtBot

from integrator.domain.query.facts import Equals
from integrator.domain.query.rank import Match, Reading
from integrator.domain.sweep.readings import PLAIN
from integrator.domain.timeline.lookup import History
from integrator.domain.values.memory import DataType
from integrator.session.hidden.movies import Answer, FactFrame
from integrator.ui.find.facts_lists import MatchesModel, MatchRow
from integrator.ui.find.results_model import ProofMark
from integrator.ui.find.results_view import ResultsTable
from integrator.ui.widgets.theme import Theme

ROWS = 40
FRAMES = (38, 185, 295)
PLAY = History((), np.zeros(1, np.uint8))


def answer(failed: Equals | None = None) -> Answer:
    """A score with many readings that agree, at three facts, of which one may fail."""
    lead = Reading(0x306, DataType.parse(">d3"), PLAIN)
    copies = tuple(Reading(0x307 + n, DataType.parse(">d2"), PLAIN) for n in range(ROWS))
    match = Match(lead.address, lead.type, lead.scale, failed, copies)
    numbers = tuple(Fraction(each) for each in (10, 20, 30))
    frames = tuple(FactFrame(PLAY, frame, 10) for frame in FRAMES)
    known = dict.fromkeys(match.readings, numbers)
    return Answer((match,), ROWS + 1, 0, frames=frames, numbers=known)


def shown_table(
    qtbot: QtBot, theme: Theme, digits: int
) -> tuple[ResultsTable[MatchRow], MatchesModel]:
    """An empty table as wide as the digits, whatever fonts the system has."""
    model = MatchesModel(theme)
    table: ResultsTable[MatchRow] = ResultsTable(model)
    qtbot.addWidget(table)
    model.setParent(table)
    table.resize(digits * table.fontMetrics().horizontalAdvance("0"), 120)
    table.show()
    return table, model


def cut(table: ResultsTable[MatchRow]) -> list[str]:
    """Cells and titles in sight that are narrower than their texts."""
    model, header = table.model(), table.horizontalHeader()
    assert isinstance(header, QHeaderView)
    shown = [c for c in range(model.columnCount()) if not table.isColumnHidden(c)]
    cells = [
        str(model.index(row, column).data())
        for row in range(3)
        for column in shown
        if table.sizeHintForIndex(model.index(row, column)).width() > table.columnWidth(column)
    ]
    metrics = header.fontMetrics()
    titles = {c: str(model.headerData(c, header.orientation())).splitlines() for c in shown}
    wide = [
        line
        for column, lines in titles.items()
        for line in lines
        if metrics.horizontalAdvance(line) > header.sectionSize(column)
    ]
    return cells + wide


def test_reasons_are_whole_and_a_verdict_finds_its_column(qtbot: QtBot, theme: Theme) -> None:
    table, model = shown_table(qtbot, theme, digits=70)
    model.set_answer(answer())
    table.selectRow(0)
    table.unfold(unfolded=True)
    proof = model.place("proof")
    assert table.isColumnHidden(proof)
    qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() == 0)
    assert cut(table) == []
    model.add_proofs({(0x306, ">d3"): ProofMark("original", "good", "")})
    assert not table.isColumnHidden(proof)
    assert "original" not in cut(table)


def test_numbers_that_grow_while_the_game_runs_stay_whole(qtbot: QtBot, theme: Theme) -> None:
    table, model = shown_table(qtbot, theme, digits=90)
    model.set_answer(answer())
    lead = model.item(0).reading
    for number in (7, 1750, 52_850_000):
        model.set_live({lead: Fraction(number)})
        assert model.index(0, model.place("now")).data() == str(number)
        assert cut(table) == []


def test_numbers_that_were_read_stay_when_rows_fold(qtbot: QtBot, theme: Theme) -> None:
    table, model = shown_table(qtbot, theme, digits=90)
    model.set_answer(answer())
    table.selectRow(0)
    table.unfold(unfolded=True)
    member = model.item(1).reading
    model.set_live({member: Fraction(7)})
    for unfolded in (False, True):
        table.unfold(unfolded=unfolded)
    assert model.index(1, model.place("now")).data() == "7"


def test_a_crowded_table_scrolls_and_cuts_no_reason(qtbot: QtBot, theme: Theme) -> None:
    table, model = shown_table(qtbot, theme, digits=54)
    model.set_answer(answer(Equals(295, 12345)))
    evidence = model.index(0, model.place("evidence"))
    assert evidence.data() == "fails at 295"
    assert evidence.data(Qt.ItemDataRole.ToolTipRole) == "fails 295 = 12345"
    assert cut(table) == []
    qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() > 0)
    table.resize(table.width() * 2, 120)
    qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() == 0)
    column = evidence.column()
    right = table.columnViewportPosition(column) + table.columnWidth(column)
    assert right > 0.85 * table.width()
