"""Pinning numbers of the screen to frames, up to a named variable."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui_driver import step

from integrator.ui.find.facts.facts_view import FactsView
from integrator.ui.memory.variables_view import VariablesView
from integrator.ui.shell.main_window import MainWindow

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
    return [facts.model.match_at(row).address for row in range(facts.model.rowCount())]


def test_facts_lead_to_a_variable(facts: FactsView, open_game: MainWindow, qtbot: QtBot) -> None:
    step(open_game, qtbot, 2)
    QTest.keyClicks(facts.value, "3")
    QTest.keyClick(facts.value, Qt.Key.Key_Return)
    assert facts.text == "3 = 3"
    qtbot.waitUntil(lambda: facts.model.rowCount() > 0, timeout=20_000)
    open_game.controller.poke("lives", 9)
    step(open_game, qtbot, 2)
    QTest.keyClicks(facts.value, "9")
    QTest.mouseClick(facts.pin_button, Qt.MouseButton.LeftButton)
    facts.add_fact("1..3 unchanged")
    first = {LIVES, LIVES + 1}
    qtbot.waitUntil(lambda: bool(first & set(addresses(facts)[:1])), timeout=20_000)
    QTest.keyClicks(facts.name, "ships")
    QTest.mouseClick(facts.make, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "ships" in open_game.parts[VariablesView].model.names)


def test_an_unticked_fact_is_left_out(
    facts: FactsView, open_game: MainWindow, qtbot: QtBot
) -> None:
    step(open_game, qtbot, 2)
    facts.add_fact("2 = 3")
    facts.add_fact("3 = 123456")
    qtbot.waitUntil(lambda: "fit" in open_game.docks.all["facts"].header.note.text())
    facts.list.item(1).setCheckState(Qt.CheckState.Unchecked)
    assert facts.text == "2 = 3"
    qtbot.waitUntil(
        lambda: facts.model.rowCount() > 0 and facts.model.match_at(0).failed is None,
        timeout=20_000,
    )


def test_a_fact_that_says_nothing_is_refused_beside_its_field(facts: FactsView) -> None:
    QTest.keyClicks(facts.value, "somewhere about ten")
    QTest.keyClick(facts.value, Qt.Key.Key_Return)
    assert facts.list.count() == 0
    assert facts.problem.isVisible()


def test_a_frame_that_was_not_played_is_told(facts: FactsView, qtbot: QtBot) -> None:
    facts.add_fact("99999 = 3")
    qtbot.waitUntil(lambda: "99999" in facts.problem.text(), timeout=20_000)
