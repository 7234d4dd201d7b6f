"""Previews, rules for each frame, ranges and named searches of the Find panel."""

import struct
from pathlib import Path

import pytest
from lupa import lua51
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui_driver import scenario, step

from integrator.session.edits.commands import float_function
from integrator.session.searches import SearchStatus
from integrator.session.session import Session
from integrator.session.setup.roots import systems
from integrator.ui.find.candidates import CandidateColumn
from integrator.ui.find.find_view import FindView
from integrator.ui.find.proof import NamingCard
from integrator.ui.memory.variables import VariablesView
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.docks import dock_of


@pytest.fixture
def find(open_game: MainWindow, qtbot: QtBot) -> FindView:
    """The Find panel of Airstriker with its further options shown."""
    open_game.use_workspace("find")
    view = open_game.parts[FindView]
    view.form.more.click()
    qtbot.waitUntil(view.form.options.isVisible)
    return view


def status_after(find: FindView, qtbot: QtBot, widget: object) -> SearchStatus:
    """Click, and wait for the next status of the search."""
    with qtbot.waitSignal(find.status_changed) as answer:
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton)  # type: ignore[call-overload]  # any widget
    status = answer.args[0] if answer.args else None
    assert isinstance(status, SearchStatus)
    return status


def test_what_a_comparison_would_leave_is_told_and_true(find: FindView, qtbot: QtBot) -> None:
    QTest.keyClicks(find.form.value, "3")
    qtbot.waitUntil(lambda: bool(find.form.forecast))
    note = dock_of(find).header.note
    told = note.accessibleName()
    assert told == find.form.forecast
    status = status_after(find, qtbot, find.form.search)
    assert f"{status.count:,}" in told
    assert find.form.forecast == ""
    assert note.accessibleName().endswith(f"→ {status.count:,}")


def test_a_forecast_stands_in_the_header_and_takes_no_room(find: FindView, qtbot: QtBot) -> None:
    status_after(find, qtbot, find.form.memory_buttons["unchanged"])
    layout = find.form.layout()
    assert layout is not None
    before = layout.totalHeightForWidth(find.form.width())
    find.form.show_forecast("unchanged", 1)
    assert "would leave 1 now" in dock_of(find).header.note.accessibleName()
    assert layout.totalHeightForWidth(find.form.width()) == before


def test_a_comparison_is_made_after_every_frame_until_stopped(
    find: FindView, open_game: MainWindow, qtbot: QtBot
) -> None:
    find.form.when.setCurrentIndex(find.form.when.findData("frame"))
    QTest.mouseClick(find.form.memory_buttons["unchanged"], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(find.form.rule.isVisible)
    step(open_game, qtbot, 3)
    qtbot.waitUntil(lambda: find.status is not None and len(find.status.steps) >= 3)
    status = status_after(find, qtbot, find.form.rule)
    assert not find.form.rule.isVisible()
    step(open_game, qtbot, 2)
    assert find.status is not None
    assert len(find.status.steps) == len(status.steps)


def test_only_a_range_of_addresses_is_kept(find: FindView, qtbot: QtBot) -> None:
    QTest.keyClicks(find.form.low, "FF0200")
    QTest.keyClicks(find.form.high, "FF02FF")
    status = status_after(find, qtbot, find.form.limit)
    addresses = status.addresses()
    assert addresses.min() == 0xFF0200
    assert addresses.max() == 0xFF02FF
    find.form.low.setText("x")
    QTest.mouseClick(find.form.exclude, Qt.MouseButton.LeftButton)
    assert "x" in find.form.error.text()


def test_variables_and_single_addresses_are_excluded(find: FindView, qtbot: QtBot) -> None:
    QTest.keyClicks(find.form.value, "3")
    status_after(find, qtbot, find.form.search)
    status = status_after(find, qtbot, find.form.known)
    assert 0xFF025A not in status.addresses()
    first = find.model.item(0).address
    assert first in status.addresses()
    exclude = next(a for a in find.row_menu().actions() if a.text().startswith("Exclude"))
    with qtbot.waitSignal(find.status_changed) as answer:
        exclude.trigger()
    assert answer.args is not None
    assert first not in answer.args[0].addresses()


def test_scaled_numbers_are_left_out(find: FindView, qtbot: QtBot) -> None:
    QTest.keyClicks(find.form.value, "30")
    scaled = status_after(find, qtbot, find.form.search)
    status_after(find, qtbot, find.form.scales)
    QTest.keyClicks(find.form.value, "30")
    plain = status_after(find, qtbot, find.form.search)
    assert plain.count < scaled.count


def test_a_bit_becomes_a_variable_with_a_mask(
    find: FindView, open_game: MainWindow, qtbot: QtBot
) -> None:
    kinds = find.form.kinds
    with qtbot.waitSignal(find.status_changed):
        kinds.setCurrentIndex(kinds.findText("bits"))
        kinds.activated.emit(kinds.currentIndex())
    QTest.keyClicks(find.form.value, "1")
    status_after(find, qtbot, find.form.search)
    model = find.model
    rows = [model.item(row) for row in range(200)]
    assert all(row.mask is not None and row.shown == 1 for row in rows)
    at = next(n for n, row in enumerate(rows) if row.mask == 2)
    assert model.data(model.index(at, CandidateColumn.TYPE)) == "bit 1"
    find.table.selectRow(at)
    QTest.keyClicks(find.name, "flag")
    QTest.mouseClick(find.make, Qt.MouseButton.LeftButton)
    card = open_game.parts[NamingCard]
    qtbot.waitUntil(card.isVisible)
    assert "it reads 0 or 2." in card.text.text()
    QTest.mouseClick(card.make, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "flag" in open_game.parts[VariablesView].model.names)
    documents = open_game.controller.documents
    assert documents is not None
    spec = documents.variables["flag"]
    assert (spec.address, str(spec.type), spec.mask) == (rows[at].address, "|u1", 2)


def test_floats_are_offered_for_consoles_of_32_bits_only(find: FindView) -> None:
    kinds = find.form.kinds
    assert kinds.findText("floats") < 0
    find.form.offer_types(floats=True)
    find.form.show_types(scales=True, kinds=("floats",))
    assert kinds.currentText() == "floats"
    with_floats = {name for name, system in systems().items() if system.floats}
    assert with_floats == {"32x", "Dreamcast", "GbAdvance", "N64", "NintendoDs", "Saturn"}


def test_a_float_becomes_a_variable_of_its_bytes_with_a_function(
    find: FindView, open_game: MainWindow, qtbot: QtBot
) -> None:
    address = 0xFF8000

    def write(session: Session) -> None:
        session.memory.write(address, ">u4", 0xC1480000)  # -12.5

    done: list[object] = []
    open_game.bridge.ask(write, lambda _: done.append(True))
    qtbot.waitUntil(lambda: bool(done))
    with qtbot.waitSignal(find.status_changed):
        find.form.offer_types(floats=True)
        find.form.show_types(scales=True, kinds=("floats",))
        kinds = find.form.kinds
        kinds.activated.emit(kinds.currentIndex())
    QTest.keyClicks(find.form.value, "-12")
    status_after(find, qtbot, find.form.search)
    model = find.model
    rows = [model.item(row) for row in range(model.rowCount())]
    at = next(n for n, row in enumerate(rows) if row.address == address)
    texts = [model.data(model.index(at, column)) for column in CandidateColumn]
    assert texts[CandidateColumn.TYPE] == ">f4"
    assert texts[CandidateColumn.VALUE] == "-12.5"
    find.table.selectRow(at)
    QTest.keyClicks(find.name, "speed")
    QTest.mouseClick(find.make, Qt.MouseButton.LeftButton)
    card = open_game.parts[NamingCard]
    qtbot.waitUntil(card.isVisible)
    assert "no floating-point variables" in card.text.text()
    assert not card.reward.isVisible()
    card.lua.setChecked(True)
    QTest.mouseClick(card.make, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "script.lua" in str(scenario(open_game).get("scripts")))
    documents = open_game.controller.documents
    assert documents is not None
    assert str(documents.variables["speed"].type) == ">u4"
    assert "function shown_speed()" in documents.scripts["script.lua"]


@pytest.mark.parametrize("number", [0.0, 1.0, -12.5, 3.1415927, 1e-40, -3e38, 65536.25])
def test_the_function_of_a_float_makes_its_number(number: float) -> None:
    [wanted], [held] = (
        struct.unpack("<f", struct.pack("<f", number)),
        struct.unpack("<I", struct.pack("<f", number)),
    )
    lua = lua51.LuaRuntime()
    lua.execute(f"data = {{x = {held}}}\n" + float_function("x"))
    assert lua.eval("shown_x()") == pytest.approx(wanted, rel=1e-12)
    for bits in (0x7F800000, 0xFFC00000):
        lua.execute(f"data.x = {bits}")
        assert lua.eval("shown_x()") == 0


def test_a_search_is_saved_and_taken_up_again(
    find: FindView, qtbot: QtBot, airstriker: Path
) -> None:
    form = find.form
    form.searches.setEditText("ships")
    with qtbot.waitSignal(find.status_changed):
        form.search_chosen.emit("ships")
    QTest.keyClicks(find.form.value, "3")
    kept = status_after(find, qtbot, find.form.search)
    qtbot.waitUntil(lambda: form.searches.currentText() == "ships")
    QTest.mouseClick(form.save, Qt.MouseButton.LeftButton)
    qtbot.waitUntil((airstriker / "searches" / "ships.json").exists)
    with qtbot.waitSignal(find.status_changed) as answer:
        form.search_chosen.emit("window")
    assert answer.args is not None
    assert not answer.args[0].steps
    with qtbot.waitSignal(find.status_changed) as answer:
        form.search_chosen.emit("ships")
    assert answer.args is not None
    assert answer.args[0].count == kept.count


def test_comparing_with_a_snapshot_needs_one(find: FindView, qtbot: QtBot) -> None:
    find.form.against.setCurrentIndex(find.form.against.findData("snapshot"))
    QTest.mouseClick(find.form.memory_buttons["changed"], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "snapshot" in find.form.error.text())
    status_after(find, qtbot, find.form.snapshot)
    status = status_after(find, qtbot, find.form.memory_buttons["unchanged"])
    assert status.steps[-1].against == "snapshot"
