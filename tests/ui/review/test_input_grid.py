"""The table of the Input log alone: its places, strokes and selection."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from integrator.ui.review.input_log.input_grid import InputGrid, fitting_letters
from integrator.ui.widgets.table import show_row_menus
from integrator.ui.widgets.theme import Theme


def test_labels_of_keys_are_shortened_and_not_cut(qapp: QApplication) -> None:
    metrics = QFontMetricsF(qapp.font())
    room = metrics.horizontalAdvance("Se") + 0.5
    assert fitting_letters("Sel", room, metrics) == "Se"
    assert fitting_letters("A", room, metrics) == "A"
    assert fitting_letters("Sel", 0, metrics) == ""


@pytest.fixture
def bare(theme: Theme, qtbot: QtBot) -> InputGrid:
    """A grid of two players and 200 recorded frames, too narrow for all buttons."""
    assert Theme.now is theme
    grid = InputGrid()
    qtbot.addWidget(grid)
    grid.resize(300, 300)
    grid.seen.set_buttons(("B", "A", "UP", "DOWN", "LEFT", "RIGHT", "L", "R"), 2, ())
    grid.seen.set_length(200, (), {}, 200)
    grid.show()
    return grid


def test_at_the_end_of_the_table_rows_are_drawn_next_to_their_numbers(bare: InputGrid) -> None:
    bare.verticalScrollBar().setValue(bare.verticalScrollBar().maximum())
    bare.seen.position = bare.seen.rowCount() - 1
    row = bare.visualRect(bare.seen.index(bare.seen.position - 1, bare.columnAt(5)))
    image = bare.viewport().grab().toImage()
    above, top, bottom, below = (
        image.pixelColor(row.left(), y).name()
        for y in (row.top() - 1, row.top(), row.bottom(), row.bottom() + 1)
    )
    assert top == bottom
    assert top not in {above, below}
    assert bare.needed[0] == bare.rowAt(0) + 1


def test_a_stroke_leaves_the_columns_where_they_are(bare: InputGrid) -> None:
    across = bare.horizontalScrollBar()
    across.setValue(across.maximum())
    place = bare.visualRect(bare.seen.index(5, len(bare.seen.keys) - 2)).center()
    QTest.mouseClick(bare.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert across.value() == across.maximum() > 0


def test_a_second_click_on_a_row_that_is_cut_off_hits_the_same_row(bare: InputGrid) -> None:
    edited: list[int] = []
    bare.edit_requested.connect(lambda first, *_: edited.append(first))
    bare.resize(300, bare.height() - bare.viewport().height() % bare.rowHeight(0) + 9)
    place = QPoint(30, bare.viewport().height() - 3)
    for _ in range(2):
        QTest.mouseClick(bare.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert edited[0] == edited[1]


def test_shift_selects_from_the_frame_on_the_screen_on(bare: InputGrid) -> None:
    bare.seen.set_position(8)
    frames, shift = bare.verticalHeader().viewport(), Qt.KeyboardModifier.ShiftModifier
    for frame, selected in ((10, (8, 10)), (12, (8, 12)), (4, (4, 8))):
        place = QPoint(20, bare.rowViewportPosition(frame - 1) + 5)
        QTest.mouseClick(frames, Qt.MouseButton.LeftButton, shift, place)
        assert bare.chosen == selected


def test_another_game_in_the_midst_of_a_stroke_ends_it(bare: InputGrid, qtbot: QtBot) -> None:
    asked: list[object] = []
    bare.edit_requested.connect(lambda *edit: asked.append(edit))
    bare.select((3, 4))
    place = bare.visualRect(bare.seen.index(5, 9)).center()
    QTest.mousePress(bare.viewport(), Qt.MouseButton.LeftButton, pos=place)
    with qtbot.waitSignal(bare.selection_changed):
        bare.seen.set_buttons(("A",), 1, ())
    QTest.mouseRelease(bare.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert not asked


def test_frames_that_are_gone_are_not_selected_when_others_come(bare: InputGrid) -> None:
    bare.select((190, 199))
    bare.seen.set_length(195, (), {}, 195)
    assert bare.chosen == (190, 195)
    bare.seen.set_names(["score"])
    assert bare.selectionModel().isRowSelected(190)
    bare.seen.set_length(185, (), {}, 185)
    bare.seen.set_length(200, (), {}, 200)
    assert bare.chosen is None


def test_titles_of_values_have_the_color_of_what_training_cannot_press(
    bare: InputGrid,
) -> None:
    bare.seen.set_names(["MMMMMM"])
    head, column = bare.horizontalHeader(), len(bare.seen.keys)
    bare.resize(900, 300)
    at = head.sectionViewportPosition(column)
    title = head.viewport().grab(QRect(at, 0, head.sectionSize(column), head.height())).toImage()
    places = [(x, y) for x in range(title.width()) for y in range(title.height())]
    colors = [title.pixelColor(*place) for place in places]
    assert max(color.red() - color.blue() for color in colors) > 80  # yellow, where all is gray


def test_a_right_click_on_a_number_opens_the_menu_under_the_pointer(bare: InputGrid) -> None:
    menus: list[QMenu] = []

    def menu_of(_: object) -> QMenu:
        menus.append(QMenu(bare))
        menus[0].addAction("Clone")
        return menus[0]

    show_row_menus(bare, menu_of, bare.verticalHeader())
    where = QPoint(20, 30)
    bare.verticalHeader().customContextMenuRequested.emit(where)
    assert menus[0].pos() == bare.verticalHeader().viewport().mapToGlobal(where)
    assert bare.chosen == (2, 2)


def test_rows_that_are_not_played_have_no_values(bare: InputGrid) -> None:
    seen = bare.seen
    seen.set_names(["score_of_player_1"])
    column = len(seen.keys)
    rows, lag = np.zeros((30, 2), np.uint16), np.zeros(30, np.bool_)
    seen.set_rows(171, (rows, lag, np.full((20, 1), 7)))
    assert [seen.text(frame, column) for frame in (190, 191)] == ["7", ""]
    assert seen.headerData(column, Qt.Orientation.Horizontal) == "scor…r_1"
    tip = seen.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert tip == "score_of_player_1"
