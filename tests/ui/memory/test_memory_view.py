"""The Memory panel: bytes of a running game, and typing into them."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui_driver import cell, frame_number, open_and_wait, settled_frame, step

from integrator.domain.values.memory import BYTE, AddressSpace, DataType, Region
from integrator.ui.find.find_view import FindView
from integrator.ui.memory.hex_canvas import FADE_STEPS, RowLayout, SeenBytes
from integrator.ui.memory.hex_view import HexView
from integrator.ui.memory.memory_view import MemoryView
from integrator.ui.memory.variables import VariableColumn, VariablesView
from integrator.ui.shell.main_window import MainWindow

pytestmark = pytest.mark.usefixtures("shared_window")

LIVES = 0xFF025A
"""Airstriker's lives: >u2, so the low byte is at the next address."""


@pytest.fixture
def memory(open_game: MainWindow, qtbot: QtBot) -> MemoryView:
    """The Memory panel of Airstriker, with the lives in sight."""
    open_game.use_workspace("find")
    view = open_game.parts[MemoryView]
    qtbot.waitUntil(view.grid.isVisible)
    assert view.grid.go_to(LIVES)
    qtbot.waitUntil(lambda: view.grid.byte(LIVES + 1) == 3)
    return view


def test_rows_begin_at_round_addresses_and_skip_gaps() -> None:
    layout = RowLayout(AddressSpace([Region(0x108, 0x20), Region(0x8000, 16)]))
    assert layout.rows == 4
    spans = [(0x108, 0x110), (0x110, 0x120), (0x120, 0x128), (0x8000, 0x8010)]
    assert layout.spans(0, 3) == spans
    assert layout.row_of(0x127) == 2
    assert layout.row_of(0x128) is None


def test_a_change_fades_only_as_frames_go_by() -> None:
    seen = SeenBytes(4)
    seen.show(0, np.array([1, 2, 3, 4], np.uint8), advanced=True)
    assert not seen.ages.any()
    seen.show(0, np.array([1, 9, 3, 4], np.uint8), advanced=True)
    assert seen.ages.tolist() == [0, FADE_STEPS, 0, 0]
    seen.show(0, np.array([1, 9, 3, 4], np.uint8), advanced=False)
    assert seen.ages[1] == FADE_STEPS
    seen.show(0, np.array([1, 9, 3, 4], np.uint8), advanced=True)
    assert seen.ages[1] == FADE_STEPS - 1


@pytest.mark.usefixtures("theme")
def test_an_address_of_a_view_without_a_size_is_shown_where_it_would_be_later(qtbot: QtBot) -> None:
    early, late = HexView(), HexView()
    for view in (early, late):
        qtbot.addWidget(view)
        view.set_space(AddressSpace([Region(0, 0x2000)]))
    early.go_to(0x300)
    for view in (early, late):
        view.resize(600, 12 * view.row_height)
        view.show()
    late.go_to(0x300)
    assert early.visible_rows() == late.visible_rows()
    assert early.visible_rows()[0] > 0x300 // 16 - 6


def test_bytes_stand_in_the_consoles_order(memory: MemoryView) -> None:
    assert memory.grid.byte(LIVES) == 0
    assert ">u2 3 " in memory.readings.text() + " "
    assert [mark.name for mark in memory.grid.variables_within(LIVES, LIVES + 1)] == ["lives"]


def test_typing_two_digits_pokes_a_byte(
    memory: MemoryView, open_game: MainWindow, qtbot: QtBot
) -> None:
    memory.grid.go_to(LIVES + 1)
    QTest.keyClicks(memory.grid, "07")
    qtbot.waitUntil(lambda: memory.grid.byte(LIVES + 1) == 7)
    assert memory.grid.place == LIVES + 2
    step(open_game, qtbot)
    assert cell(open_game, "lives", VariableColumn.VALUE) == "7"


def test_a_poke_while_paused_shows_in_every_panel(
    memory: MemoryView, open_game: MainWindow, qtbot: QtBot
) -> None:
    number = frame_number(open_game)
    memory.grid.go_to(LIVES + 1)
    QTest.keyClicks(memory.grid, "07")
    qtbot.waitUntil(lambda: cell(open_game, "lives", VariableColumn.VALUE) == "7")
    open_game.controller.poke("lives", 5)
    qtbot.waitUntil(lambda: memory.grid.byte(LIVES + 1) == 5)
    qtbot.waitUntil(lambda: cell(open_game, "lives", VariableColumn.VALUE) == "5")
    assert frame_number(open_game) == number


def test_escape_forgets_a_half_typed_byte(memory: MemoryView) -> None:
    memory.grid.go_to(LIVES + 1)
    QTest.keyClicks(memory.grid, "F")
    QTest.keyClick(memory.grid, Qt.Key.Key_Escape)
    QTest.keyClick(memory.grid, Qt.Key.Key_Right)
    assert memory.grid.byte(LIVES + 1) == 3


def test_frozen_bytes_are_marked_and_stay(
    memory: MemoryView, open_game: MainWindow, qtbot: QtBot
) -> None:
    memory.grid.go_to(LIVES + 1)
    memory.menu().actions()[0].trigger()
    qtbot.waitUntil(lambda: LIVES + 1 in memory.grid.frozen)
    memory.menu().actions()[0].trigger()
    qtbot.waitUntil(lambda: not memory.grid.frozen)
    step(open_game, qtbot)


def test_an_address_and_a_value_are_found(memory: MemoryView, qtbot: QtBot) -> None:
    QTest.keyClicks(memory.go_to, "FFFF00")
    QTest.keyClick(memory.go_to, Qt.Key.Key_Return)
    assert memory.grid.place == 0xFFFF00
    memory.go_to.clear()
    QTest.keyClicks(memory.go_to, "10")
    QTest.keyClick(memory.go_to, Qt.Key.Key_Return)
    assert "not mapped" in memory.error.text()
    memory.grid.go_to(LIVES - 2)
    memory.type.setCurrentText(">u2")
    QTest.keyClicks(memory.find_field, "3")
    QTest.keyClick(memory.find_field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: memory.grid.place == LIVES)
    memory.find_field.setText("70000")
    QTest.keyClick(memory.find_field, Qt.Key.Key_Return)
    assert "fit" in memory.error.text()
    memory.find_field.setText("LIVES")
    QTest.keyClick(memory.find_field, Qt.Key.Key_Return)
    assert memory.error.text() == "“LIVES” is no number; choose “text” to find letters"


@pytest.mark.usefixtures("new_window")  # of a width of its own
def test_the_bar_folds_before_the_name_of_a_region_is_cut(
    memory: MemoryView, open_game: MainWindow, qtbot: QtBot
) -> None:
    open_game.resize(1280, 720)
    box = memory.region
    for name in ("RAM 00(000000)  000000  8 KiB", "WRAM  7E0000  128 KiB"):
        box.addItem(name, 0)
    box.show()
    qtbot.waitUntil(lambda: memory.type.y() > box.y())
    qtbot.waitUntil(lambda: box.width() >= box.sizeHint().width())
    memory.show_problem("0x12345678 is not mapped, for a reason that is longer than the panel")
    box.hide()
    qtbot.waitUntil(lambda: memory.type.y() == memory.go_to.y())
    assert memory.error.isVisible()


@pytest.mark.usefixtures("new_window")  # whose views stay
def test_views_side_by_side_have_places_and_forms_of_their_own(
    memory: MemoryView, open_game: MainWindow, qtbot: QtBot
) -> None:
    first = memory.grid
    assert memory.join.isHidden()
    QTest.mouseClick(memory.split, Qt.MouseButton.LeftButton)
    second = memory.grid
    assert second is not first
    memory.shown_as.setCurrentIndex(memory.shown_as.findText("<u4"))
    memory.shown_as.activated.emit(0)
    memory.go_to.setText("FF0100")
    QTest.keyClick(memory.go_to, Qt.Key.Key_Return)
    assert (first.place, second.place) == (LIVES, 0xFF0100)
    assert (first.type, str(second.type)) == (None, "<u4")
    QTest.keyClicks(second, "2A")
    qtbot.waitUntil(lambda: second.byte(0xFF0100) == 0x2A)
    assert "0xFF0101" in memory.readings.text()
    assert [mark.name for mark in second.variables_within(LIVES, LIVES + 1)] == ["lives"]
    ways = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
    for width, way in zip((1100, 520), ways, strict=True):
        memory.resize(width, 300)
        assert memory.views.orientation() is way
    first.setFocus()
    assert (memory.grid, memory.shown_as.currentIndex()) == (first, 0)
    assert "0xFF025A" in memory.readings.text()
    second.setFocus()
    QTest.mouseClick(memory.join, Qt.MouseButton.LeftButton)
    assert (memory.grid, memory.grids, memory.join.isHidden()) == (first, [first], True)
    step(open_game, qtbot)


@pytest.mark.usefixtures("new_window")
def test_a_view_that_is_closed_leaves_its_room_to_all_others(memory: MemoryView) -> None:
    memory.add_view()
    memory.add_view()
    assert memory.split.isEnabled()
    memory.add_view()
    assert not memory.split.isEnabled()
    memory.close_view()
    memory.grids[1].setFocus()
    memory.close_view()
    one, other = memory.views.sizes()
    assert abs(one - other) <= 1


def test_a_new_window_has_the_views_of_the_last_one(
    memory: MemoryView,
    open_game: MainWindow,
    new_window: Callable[[], MainWindow],
    qtbot: QtBot,
    airstriker: Path,
) -> None:
    memory.add_view()
    memory.shown_as.setCurrentIndex(memory.shown_as.findText(">u4"))
    memory.shown_as.activated.emit(0)
    open_game.close()
    window = new_window()
    open_and_wait(window, qtbot, airstriker)
    window.use_workspace("find")
    again = window.parts[MemoryView]
    assert [each.type for each in again.grids] == [None, DataType.parse(">u4")]
    assert all(each.layout_rows is not None for each in again.grids)
    QTest.keyClicks(again.grids[1], "2A")
    qtbot.waitUntil(lambda: again.grids[1].byte(again.grids[1].place - 1) == 0x2A)


def test_bytes_are_copied_as_python(memory: MemoryView) -> None:
    memory.grid.go_to(LIVES)
    QTest.keyClick(memory.grid, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    memory.copy("bytes")
    text = QGuiApplication.clipboard().text()
    assert eval(text) == b"\x00\x03"
    memory.copy("read")
    assert QGuiApplication.clipboard().text() == 'session.memory.read(0xFF025A, ">u2")'


def test_nothing_is_copied_while_the_panel_is_hidden(
    memory: MemoryView, open_game: MainWindow, qtbot: QtBot
) -> None:
    open_game.docks.all["memory"].hide()
    qtbot.waitUntil(lambda: not memory.grid.isVisible())
    settled_frame(open_game, qtbot)  # an older request's bytes have come in
    open_game.controller.poke("lives", 9)
    step(open_game, qtbot, 2)
    assert memory.grid.byte(LIVES + 1) == 3
    open_game.docks.all["memory"].show()
    qtbot.waitUntil(memory.grid.isVisible)
    memory.grid.go_to(LIVES)
    qtbot.waitUntil(lambda: memory.grid.byte(LIVES + 1) == 9)


def test_candidates_of_the_search_are_marked(
    memory: MemoryView, open_game: MainWindow, qtbot: QtBot
) -> None:
    find = open_game.parts[FindView]
    QTest.keyClicks(find.form.value, "3")
    with qtbot.waitSignal(find.status_changed):
        QTest.mouseClick(find.form.search, Qt.MouseButton.LeftButton)
    assert LIVES in memory.grid.candidates_within(LIVES, LIVES + 1)


def test_a_byte_becomes_a_variable(memory: MemoryView, open_game: MainWindow, qtbot: QtBot) -> None:
    memory.make_variable(0xFF1000, ">u4")
    qtbot.waitUntil(lambda: "at_FF1000" in open_game.parts[VariablesView].model.names)


def test_memory_is_shown_as_numbers_and_says_how_often_it_was_written(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    open_game.use_workspace("find")
    open_game.docks.all["memory"].come_forward()
    view = open_game.parts[MemoryView]
    view.grid.go_to(0xFF0000)
    qtbot.waitUntil(view.grid.isVisible)
    plain = view.grid.viewport().grab().toImage()
    view.shown_as.setCurrentIndex(view.shown_as.findText("<i2"))
    view.shown_as.activated.emit(0)
    assert view.grid.viewport().grab().toImage() != plain
    start = view.grid.seen.writes.copy()
    step(open_game, qtbot, 4)
    qtbot.waitUntil(lambda: bool((view.grid.seen.writes > start).any()))
    hot = view.grid.viewport().grab().toImage()
    view.grid.show_heat(True)  # noqa: FBT003 - a slot
    assert view.grid.viewport().grab().toImage() != hot


def test_signed_bytes_have_room_and_are_hit_where_they_are_drawn(
    memory: MemoryView, open_game: MainWindow, qtbot: QtBot
) -> None:
    grid = memory.grid
    open_game.controller.write(0xFF0000, BYTE, 0x80)
    assert grid.go_to(0xFF0000)
    qtbot.waitUntil(lambda: grid.byte(0xFF0000) == 0x80)
    bar = grid.horizontalScrollBar()
    before = bar.maximum()
    memory.shown_as.setCurrentIndex(memory.shown_as.findText("|i1"))
    memory.shown_as.activated.emit(0)
    assert bar.maximum() > before
    for address in (0xFF0000, 0xFF0007, 0xFF0008, 0xFF000F):
        [place] = grid.boxes(address, address + 1)
        bar.setValue(max(0, round(place.right()) - grid.viewport().width()))
        assert grid.address_at((place.center() - QPointF(bar.value(), 0)).toPoint()) == address
