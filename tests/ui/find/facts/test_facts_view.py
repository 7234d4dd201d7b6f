"""Pinning numbers of the screen to frames, up to a named variable."""

import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from ui_driver import step

from integrator.session.hidden.movies import MovieLibrary
from integrator.ui.find.facts import FactsView
from integrator.ui.memory.variables import VariablesView
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.theme import Theme

pytestmark = pytest.mark.usefixtures("shared_window")

LIVES = 0xFF025A


@pytest.fixture
def facts(open_game: MainWindow, qtbot: QtBot) -> FactsView:
    """The Facts panel of Airstriker, in front."""
    open_game.use_workspace("find")
    open_game.docks.all["facts"].raise_()
    view = open_game.parts[FactsView]
    qtbot.waitUntil(view.isVisible)
    return view


def addresses(facts: FactsView) -> list[int]:
    return [facts.model.item(row).reading.address for row in range(facts.model.rowCount())]


def test_facts_lead_to_a_variable(facts: FactsView, open_game: MainWindow, qtbot: QtBot) -> None:
    step(open_game, qtbot, 2)
    QTest.keyClicks(facts.value, "3")
    QTest.keyClick(facts.value, Qt.Key.Key_Return)
    assert facts.text == "3 = 3"
    qtbot.waitUntil(lambda: facts.model.rowCount() > 0)
    open_game.controller.poke("lives", 9)
    step(open_game, qtbot, 2)
    QTest.keyClicks(facts.value, "9")
    QTest.mouseClick(facts.pin_button, Qt.MouseButton.LeftButton)
    facts.facts.pin("1..3 unchanged")
    first = {LIVES, LIVES + 1}
    qtbot.waitUntil(lambda: bool(first & set(addresses(facts)[:1])))
    QTest.mouseClick(facts.make, Qt.MouseButton.LeftButton)
    assert QApplication.focusWidget() is facts.name
    QTest.keyClicks(facts.name, "ships")
    QTest.mouseClick(facts.make, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "ships" in open_game.parts[VariablesView].model.names)


def test_an_unticked_fact_is_left_out(
    facts: FactsView, open_game: MainWindow, qtbot: QtBot
) -> None:
    step(open_game, qtbot, 2)
    facts.facts.pin("2 = 3")
    facts.facts.pin("3 = 123456")
    qtbot.waitUntil(lambda: "fit" in open_game.docks.all["facts"].header.note.text())
    facts.facts.toggle(1)
    assert facts.text == "2 = 3"
    qtbot.waitUntil(lambda: facts.model.rowCount() > 0 and facts.model.item(0).match.failed is None)


def test_a_fact_that_says_nothing_is_refused_beside_its_field(facts: FactsView) -> None:
    QTest.keyClicks(facts.value, "somewhere about ten")
    QTest.keyClick(facts.value, Qt.Key.Key_Return)
    assert not facts.facts.rows
    assert facts.problem.isVisible()


def test_a_fact_edited_into_nonsense_keeps_its_text(facts: FactsView) -> None:
    facts.facts.pin("2 = 3")
    assert not facts.facts.setData(facts.facts.index(0, 0), "somewhere about ten")
    assert facts.text == "2 = 3"
    assert facts.problem.isVisible()
    assert facts.facts.setData(facts.facts.index(0, 0), "3 = 4")
    assert facts.text == "3 = 4"


def test_a_frame_that_was_not_played_is_told(facts: FactsView, qtbot: QtBot) -> None:
    facts.facts.pin("99999 = 3")
    qtbot.waitUntil(lambda: "99999" in facts.problem.text())


def texts(facts: FactsView, row: int) -> dict[str, str]:
    """The cells of a row by the titles of their columns."""
    model, across = facts.model, Qt.Orientation.Horizontal
    columns = range(model.columnCount())
    return {model.headerData(c, across): model.index(row, c).data() or "" for c in columns}


def places(facts: FactsView) -> list[int]:
    """The rows of the lives' number as it is, in one byte or two."""
    rows = range(facts.model.rowCount())
    found = [(row, facts.model.item(row).reading) for row in rows]
    return [
        row for row, each in found if each.address in (LIVES, LIVES + 1) and not str(each.scale)
    ]


def click(facts: FactsView, row: int, title: str) -> None:
    """Click a cell of the matches."""
    column = list(texts(facts, row)).index(title)
    place = facts.table.visualRect(facts.model.index(row, column)).center()
    QTest.mouseClick(facts.table.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_numbers_stand_beside_the_facts(
    facts: FactsView, open_game: MainWindow, qtbot: QtBot
) -> None:
    step(open_game, qtbot, 2)
    open_game.controller.poke("lives", 8)
    step(open_game, qtbot, 2)
    facts.facts.pin("2 = 3")
    facts.facts.pin("4 = 7")
    facts.facts.pin("5 = 8")
    qtbot.waitUntil(lambda: bool(places(facts)))
    row = places(facts)[0]
    shown = texts(facts, row)
    assert (shown["at\n2"], shown["at\n4"], shown["at\n5"]) == ("3", "8", "8")
    fails = {title: color(facts, row, title) for title in ("at\n2", "at\n4")}
    assert fails["at\n4"] == Theme.now.colors.bad != fails["at\n2"]
    qtbot.waitUntil(lambda: texts(facts, row)["now"] == "8")
    open_game.controller.poke("lives", 5)
    step(open_game, qtbot)
    qtbot.waitUntil(lambda: texts(facts, row)["now"] == "5")
    assert texts(facts, row)["before"] == "8"


def color(facts: FactsView, row: int, title: str) -> str:
    column = list(texts(facts, row)).index(title)
    return str(facts.model.index(row, column).data(Qt.ItemDataRole.ForegroundRole).name())


def test_matches_that_agree_unfold_and_say_why(
    facts: FactsView, open_game: MainWindow, qtbot: QtBot
) -> None:
    step(open_game, qtbot, 2)
    facts.facts.pin("2 = 3")
    qtbot.waitUntil(lambda: facts.model.rowCount() > 0)
    matches = facts.model.rowCount()
    row = next(row for row in range(matches) if facts.model.item(row).match.copies)
    copies = facts.model.item(row).match.copies
    click(facts, row, "agree")
    assert facts.model.rowCount() == matches + len(copies)
    members = [texts(facts, row + 1 + place) for place in range(len(copies))]
    assert [each["type"] for each in members] == [str(each.type) for each in copies]
    assert all(each["evidence"] and each["at\n2"] == "3" for each in members)
    # A member is used as any match: it becomes a variable, too.
    facts.table.selectRow(row + 2)
    QTest.keyClicks(facts.name, "member")
    assert facts.table.currentIndex().isValid()
    found = facts.table.selection()[0]
    assert (found.address, found.type) == (copies[1].address, copies[1].type)
    QTest.keyClick(facts.table, Qt.Key.Key_Left)
    assert facts.model.rowCount() == matches
    assert facts.table.currentIndex().row() == row
    QTest.keyClick(facts.table, Qt.Key.Key_Right)
    assert facts.model.rowCount() == matches + len(copies)


def test_the_widest_plausible_type_leads_and_a_narrow_one_is_warned_of(
    facts: FactsView, open_game: MainWindow, qtbot: QtBot
) -> None:
    step(open_game, qtbot, 2)
    facts.facts.pin("2 = 3")
    qtbot.waitUntil(lambda: facts.model.rowCount() > 0)
    assert "starts again" not in facts.model.index(0, 1).data(Qt.ItemDataRole.ToolTipRole)
    open_game.controller.poke("lives", 240)
    step(open_game, qtbot, 2)
    facts.facts.pin("4 = 240")
    qtbot.waitUntil(lambda: facts.model.item(0).reading.address == LIVES)
    assert texts(facts, 0)["type"] == ">u2"
    click(facts, 0, "agree")
    rows = range(1, 1 + len(facts.model.item(0).match.copies))
    byte = next(row for row in rows if texts(facts, row)["type"] == "|u1")
    assert texts(facts, byte)["evidence"] == "fewer bytes"
    for row, warned in ((0, False), (byte, True)):
        kind = facts.model.index(row, 1)
        assert ("starts again" in kind.data(Qt.ItemDataRole.ToolTipRole)) is warned
        assert (kind.data(Qt.ItemDataRole.DecorationRole) is not None) is warned


def test_zeros_alone_are_warned_of(facts: FactsView, open_game: MainWindow, qtbot: QtBot) -> None:
    step(open_game, qtbot, 2)
    facts.facts.pin("2 = 0")
    qtbot.waitUntil(lambda: "All pinned numbers are 0" in facts.problem.text())
    facts.facts.pin("3 = 3")
    qtbot.waitUntil(lambda: not facts.problem.text())


def test_movies_of_a_closed_game_end_with_the_window(
    facts: FactsView, open_game: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[MovieLibrary] = []
    monkeypatch.setattr(MovieLibrary, "close", lambda library: closed.append(library))
    library = open_game.bridge.post(MovieLibrary).result()
    facts._library = library
    go_on = threading.Event()
    facts.background.start(lambda _: go_on.wait())
    open_game.bridge.close_game()
    threading.Timer(0.3, go_on.set).start()
    open_game.close()
    assert library in closed
