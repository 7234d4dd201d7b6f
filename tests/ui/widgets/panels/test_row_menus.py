"""A right click on a row opens its menu."""

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QContextMenuEvent, QStandardItemModel
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from integrator.ui.widgets.table import DataTable, show_row_menus


def test_a_right_click_opens_the_menu_of_its_row(qtbot: QtBot) -> None:
    table = DataTable("numbers", QStandardItemModel(4, 1))
    qtbot.addWidget(table)
    table.setSelectionMode(DataTable.SelectionMode.ExtendedSelection)
    table.resize(200, 300)
    table.show()
    opened: list[int] = []

    def menu_of(index: QModelIndex) -> QMenu | None:
        opened.append(index.row())
        menu = QMenu(table)
        menu.addAction("Remove")
        return menu if index.row() != 3 else None

    show_row_menus(table, menu_of)
    for row in (0, 1):
        table.selectionModel().select(
            table.model().index(row, 0), table.selectionModel().SelectionFlag.Select
        )

    def right_click(row: int) -> set[int]:
        where = table.visualRect(table.model().index(row, 0)).center()
        table.customContextMenuRequested.emit(where)
        return {index.row() for index in table.selectionModel().selectedRows()}

    assert right_click(1) == {0, 1}
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    menu.close()
    assert right_click(3) == {3}
    assert QApplication.activePopupWidget() is None
    assert opened == [1, 3]


def test_the_menu_key_opens_the_menu_of_the_current_row(qtbot: QtBot) -> None:
    table, opened = DataTable("numbers", QStandardItemModel(4, 1)), list[int]()
    qtbot.addWidget(table)
    table.resize(200, 300)
    show_row_menus(table, lambda index: opened.append(index.row()))
    table.show()
    table.activateWindow()
    table.setFocus()
    table.selectRow(1)
    where = table.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle).center()
    keyboard = QContextMenuEvent.Reason.Keyboard
    QApplication.sendEvent(table, QContextMenuEvent(keyboard, where, table.mapToGlobal(where)))
    assert opened == [1]
