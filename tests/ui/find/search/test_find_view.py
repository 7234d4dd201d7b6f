"""Searching memory as a user does, up to a named variable."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMenu
from pytestqt.qtbot import QtBot
from ui_driver import banners, step

from integrator.domain.search.results import Candidate
from integrator.session.searches import SearchStatus
from integrator.ui.find.candidates import CandidateColumn
from integrator.ui.find.find_view import FindView
from integrator.ui.find.results_model import MAX_ROWS, Pages
from integrator.ui.memory.variables import VariablesView
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.docks import dock_of
from integrator.ui.widgets.theme import Theme, ThemeChoice

pytestmark = pytest.mark.usefixtures("shared_window")


def search(find: FindView, qtbot: QtBot, value: str) -> SearchStatus:
    """Type a number and press Search."""
    find.form.value.selectAll()
    QTest.keyClicks(find.form.value, value)
    with qtbot.waitSignal(find.status_changed) as answer:
        QTest.mouseClick(find.form.search, Qt.MouseButton.LeftButton)
    status = answer.args[0] if answer.args else None
    assert isinstance(status, SearchStatus)
    return status


def test_a_search_narrows_down_to_a_named_variable(open_game: MainWindow, qtbot: QtBot) -> None:
    open_game.use_workspace("find")
    find = open_game.parts[FindView]
    first = search(find, qtbot, "3")
    step(open_game, qtbot, 3)
    with qtbot.waitSignal(find.status_changed):
        QTest.mouseClick(find.form.memory_buttons["unchanged"], Qt.MouseButton.LeftButton)
    assert find.model.rowCount() > 0
    rows = all_rows(find)
    lives = next(
        at for at, row in enumerate(rows) if (row.address, str(row.type)) == (0xFF025A, ">u2")
    )
    assert rows[lives].value == 3
    assert len(rows) <= first.count
    find.table.selectRow(lives)
    QTest.keyClicks(find.name, "ships")
    assert find.make.isEnabled()
    QTest.mouseClick(find.make, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "ships" in open_game.parts[VariablesView].model.names)
    documents = open_game.controller.documents
    assert documents is not None
    assert documents.variables["ships"].address == 0xFF025A


def test_addresses_tell_rows_apart_in_a_narrow_table(open_game: MainWindow, qtbot: QtBot) -> None:
    open_game.use_workspace("find")
    find = open_game.parts[FindView]
    search(find, qtbot, "3")
    table = find.table
    table.setFixedWidth(320)
    qtbot.waitUntil(lambda: table.width() == 320)
    cell = table.model().index(0, CandidateColumn.ADDRESS)
    text = QFontMetrics(cell.data(Qt.ItemDataRole.FontRole)).horizontalAdvance(cell.data())
    assert table.columnWidth(CandidateColumn.ADDRESS) > text


def test_titles_of_a_narrow_table_are_whole(open_game: MainWindow, qtbot: QtBot) -> None:
    open_game.use_workspace("find")
    find = open_game.parts[FindView]
    search(find, qtbot, "3")
    table = find.table
    table.setFixedWidth(532)
    qtbot.waitUntil(lambda: table.width() == 532)
    header = table.horizontalHeader()
    shown = [each for each in CandidateColumn if not table.isColumnHidden(each)]
    assert CandidateColumn.VALUE in shown
    for column in shown:
        lines = table.model().headerData(column, Qt.Orientation.Horizontal).splitlines()
        text = max(map(header.fontMetrics().horizontalAdvance, lines))
        assert table.columnWidth(column) >= text + 16, column


def test_the_count_has_the_color_of_the_theme(open_game: MainWindow, qtbot: QtBot) -> None:
    find, theme = open_game.parts[FindView], Theme.now
    search(find, qtbot, "3")
    note = dock_of(find).header.note
    theme.choose(ThemeChoice.DARK)
    assert theme.colors.good in note.text()
    dark = note.text()
    theme.choose(ThemeChoice.LIGHT)
    assert theme.colors.good in note.text()
    assert note.text() != dark
    theme.choose(ThemeChoice.DARK)


def test_a_type_near_its_end_is_warned_of(open_game: MainWindow, qtbot: QtBot) -> None:
    open_game.use_workspace("find")
    open_game.controller.poke("lives", 240)
    step(open_game, qtbot)
    find = open_game.parts[FindView]
    search(find, qtbot, "240")
    model, rows = find.model, all_rows(find)

    def warned(spec: str) -> bool:
        at = next(n for n, row in enumerate(rows) if str(row.type) == spec and row.value == 240)
        cell = model.index(at, CandidateColumn.TYPE)
        shown = cell.data(Qt.ItemDataRole.DecorationRole) is not None
        assert shown == ("starts again" in cell.data(Qt.ItemDataRole.ToolTipRole))
        return shown

    assert warned("|u1")
    assert not warned(">u2")


def test_equal_candidates_share_a_row_that_unfolds(open_game: MainWindow, qtbot: QtBot) -> None:
    open_game.use_workspace("find")
    open_game.controller.poke("lives", 240)
    step(open_game, qtbot)
    find = open_game.parts[FindView]
    search(find, qtbot, "240")
    every = {(row.address, row.type_text, str(row.scale)) for row in all_rows(find)}
    QTest.mouseClick(find.form.more, Qt.MouseButton.LeftButton)
    box, model, table = find.form.grouped, find.model, find.table
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    leads = all_rows(find)
    assert 0 < len(leads) < len(every)
    at = next(n for n, row in enumerate(leads) if (row.address, str(row.type)) == (0xFF025A, ">u2"))
    table.scrollTo(model.index(at, 0))
    cell = table.visualRect(model.index(at, CandidateColumn.ADDRESS)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=cell)
    assert model.index(at, CandidateColumn.ADDRESS).data().startswith("▾")
    members = all_rows(find)[at + 1 : at + 1 + model.rowCount() - len(leads)]
    byte = at + 1 + [str(row.type) for row in members].index("|u1")
    assert model.index(byte, CandidateColumn.PROOF).data() == "fewer bytes"
    tips = {c: model.index(byte, c).data(Qt.ItemDataRole.ToolTipRole) for c in CandidateColumn}
    assert "too narrow" in tips[CandidateColumn.PROOF]
    assert "starts again" in tips[CandidateColumn.TYPE]
    table.selectRow(byte)
    QTest.keyClick(table, Qt.Key.Key_Left)
    assert table.currentIndex().row() == at
    for row in reversed(range(model.rowCount())):
        table.selectRow(row)
        QTest.keyClick(table, Qt.Key.Key_Right)
    assert {(row.address, row.type_text, str(row.scale)) for row in all_rows(find)} == every
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    assert model.rowCount() == len(every)


def test_every_title_explains_itself(open_game: MainWindow) -> None:
    model, across = open_game.parts[FindView].model, Qt.Orientation.Horizontal
    for column, words in (
        (CandidateColumn.PREVIOUS, "last step of the search"),
        (CandidateColumn.CHANGES, "How many times"),
        (CandidateColumn.AGE, "Frames since it changed"),
        (CandidateColumn.NEAR, "nearest one"),
    ):
        assert words in model.headerData(column, across, Qt.ItemDataRole.ToolTipRole)


def click_header(window: MainWindow, qtbot: QtBot, column: CandidateColumn) -> None:
    """Sort by a column."""
    find = window.parts[FindView]
    header = find.table.horizontalHeader()
    place = QPoint(header.sectionViewportPosition(column) + 20, header.height() // 2)
    with qtbot.waitSignal(find.status_changed):
        QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)


def all_rows(find: FindView) -> list[Candidate]:
    """The rows as they come."""
    return [find.model.item(row) for row in range(find.model.rowCount())]


def test_rows_are_sorted_by_the_column_that_is_clicked(open_game: MainWindow, qtbot: QtBot) -> None:
    open_game.use_workspace("find")
    find = open_game.parts[FindView]
    search(find, qtbot, "30")
    scales = [str(row.scale) for row in all_rows(find)]
    assert scales[0] == "" != scales[-1]
    assert scales.index(scales[-1]) >= scales.count("")
    click_header(open_game, qtbot, CandidateColumn.ADDRESS)
    by_address = [row.address for row in all_rows(find)]
    assert by_address == sorted(by_address)
    click_header(open_game, qtbot, CandidateColumn.VALUE)
    values = [row.value for row in all_rows(find)]
    assert values == sorted(values)
    click_header(open_game, qtbot, CandidateColumn.VALUE)
    values = [row.value for row in all_rows(find)]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) > 1
    # The order stays while the search goes on, and the menu of a row has it too.
    search(find, qtbot, "30")
    assert [find.model.item(row).value for row in range(9)] == values[:9]
    menu = find.row_menu()
    sort = next(each for each in menu.findChildren(QMenu) if each.title() == "Sort by")
    checked = [action.text() for action in sort.actions() if action.isChecked()]
    assert checked == ["value"]
    with qtbot.waitSignal(find.status_changed):
        sort.actions()[0].trigger()
    assert find.model.item(0).address == by_address[0]


def test_a_column_that_has_no_order_keeps_the_present_one(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    open_game.use_workspace("find")
    find = open_game.parts[FindView]
    search(find, qtbot, "30")
    before = find.order
    header = find.table.horizontalHeader()
    place = QPoint(header.sectionViewportPosition(CandidateColumn.NEAR) + 20, header.height() // 2)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert find.order == before
    assert header.sortIndicatorSection() == CandidateColumn.SCALE


def test_too_many_rows_to_sort_are_told_of(open_game: MainWindow, qtbot: QtBot) -> None:
    open_game.use_workspace("find")
    search(open_game.parts[FindView], qtbot, "0")
    click_header(open_game, qtbot, CandidateColumn.VALUE)
    assert any("50,000" in text for text in banners(open_game))


def test_undo_and_redo_move_between_results(open_game: MainWindow, qtbot: QtBot) -> None:
    open_game.use_workspace("find")
    find = open_game.parts[FindView]
    first = search(find, qtbot, "3")
    second = search(find, qtbot, "4")
    assert second.count < first.count
    with qtbot.waitSignal(find.status_changed) as answer:
        QTest.mouseClick(find.undo, Qt.MouseButton.LeftButton)
    assert answer.args is not None
    assert answer.args[0].count == first.count
    assert find.redo.isEnabled()
    with qtbot.waitSignal(find.status_changed) as answer:
        QTest.mouseClick(find.redo, Qt.MouseButton.LeftButton)
    assert answer.args is not None
    assert answer.args[0].count == second.count


def test_a_comparison_before_any_play_says_what_it_compares_with(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    open_game.use_workspace("find")
    find = open_game.parts[FindView]
    with qtbot.waitSignal(find.status_changed):
        QTest.mouseClick(find.form.memory_buttons["increased"], Qt.MouseButton.LeftButton)
    texts = [label.text() for label in find.findChildren(QLabel) if label.isVisible()]
    assert any("play until the number has changed" in text for text in texts)


def test_text_that_is_no_number_is_refused_beside_the_field(open_game: MainWindow) -> None:
    open_game.use_workspace("find")
    find = open_game.parts[FindView]
    QTest.keyClicks(find.form.value, "many")
    QTest.keyClick(find.form.value, Qt.Key.Key_Return)
    assert find.form.value.property("invalid")
    assert "many" in find.form.error.text()
    assert find.form.error.isVisible()


def test_a_name_that_is_taken_can_not_be_used(open_game: MainWindow, qtbot: QtBot) -> None:
    open_game.use_workspace("find")
    find = open_game.parts[FindView]
    search(find, qtbot, "3")
    QTest.keyClicks(find.name, "lives")
    assert not find.make.isEnabled()
    assert "already" in find.name.toolTip()


def test_a_huge_result_is_shown_without_making_every_row(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    open_game.use_workspace("find")
    find = open_game.parts[FindView]
    status = search(find, qtbot, "0")
    assert status.count > MAX_ROWS
    assert find.model.rowCount() == MAX_ROWS
    rows = find.model.rows
    assert isinstance(rows, Pages)
    assert 64 * rows._page.cache_info().currsize < MAX_ROWS
