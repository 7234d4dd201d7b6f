"""A match becomes a variable: at once, or with its scale as a reward or for scripts."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui_driver import scenario

from integrator.domain.query.rank import Match
from integrator.domain.sweep.readings import Scale
from integrator.domain.values.memory import DataType
from integrator.session.edits.commands import lua_function
from integrator.ui.find.facts import FactsView
from integrator.ui.find.proof import NamingCard
from integrator.ui.memory.variables import VariablesView
from integrator.ui.shell.main_window import MainWindow

pytestmark = pytest.mark.usefixtures("shared_window")

LIVES = 0xFF025A


def test_a_scaled_number_is_offered_as_reward_and_to_scripts(
    facts: FactsView, open_game: MainWindow, qtbot: QtBot
) -> None:
    match = Match(LIVES, DataType.parse(">u2"), Scale(divisor=10, bias=-1), None)
    card = open_game.parts[NamingCard]
    facts.variable_requested.emit("bonus", match.reading)
    assert card.isVisible()
    documents = open_game.controller.documents
    assert documents is not None
    assert "bonus" not in documents.variables
    card.reward.setChecked(True)
    card.lua.setChecked(True)
    QTest.mouseClick(card.make, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "script.lua" in str(scenario(open_game).get("scripts")))
    assert "'bonus': {'reward': 10.0}" in str(scenario(open_game)["reward"])
    documents = open_game.controller.documents
    assert documents is not None
    assert "return (data.bonus + 1) * 10\n" in documents.scripts["script.lua"]
    assert documents.variables["bonus"].address == LIVES


def test_a_plain_number_becomes_a_variable_at_once(
    facts: FactsView, open_game: MainWindow, qtbot: QtBot
) -> None:
    facts.variable_requested.emit(
        "plain", Match(LIVES, DataType.parse(">u2"), Scale(), None).reading
    )
    assert not open_game.parts[NamingCard].isVisible()
    qtbot.waitUntil(lambda: "plain" in open_game.parts[VariablesView].model.names)


SCALED = Match(LIVES, DataType.parse(">u2"), Scale(divisor=10), None).reading


def test_enter_on_the_card_makes_the_variable(
    facts: FactsView, open_game: MainWindow, qtbot: QtBot
) -> None:
    card = open_game.parts[NamingCard]
    facts.variable_requested.emit("bonus", SCALED)
    QTest.keyClick(card.make, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "bonus" in open_game.parts[VariablesView].model.names)
    assert not card.isVisible()
    assert facts.name.text() == ""


def test_a_click_beside_the_card_keeps_the_name(
    facts: FactsView, open_game: MainWindow, qtbot: QtBot
) -> None:
    card = open_game.parts[NamingCard]
    facts.variable_requested.emit("bonus", SCALED)
    qtbot.waitUntil(card.isVisible)
    QTest.mousePress(card, Qt.MouseButton.LeftButton, pos=QPoint(-40, -40))
    qtbot.waitUntil(card.isHidden)
    assert facts.name.text() == "bonus"
    documents = open_game.controller.documents
    assert documents is not None
    assert "bonus" not in documents.variables


def test_a_function_counts_down_as_the_screen_does() -> None:
    function = lua_function("lives", Scale(divisor=-5, multiplier=2, offset=28))
    assert "return data.lives * -5 / 2 + 28\n" in function


def test_bits_of_a_byte_become_a_variable_with_a_mask(
    facts: FactsView, open_game: MainWindow, qtbot: QtBot
) -> None:
    match = Match(LIVES, DataType.parse("|u1"), Scale(multiplier=16), None, mask=0xF0)
    facts.variable_requested.emit("shield", match.reading)
    card = open_game.parts[NamingCard]
    QTest.mouseClick(card.make, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "shield" in open_game.parts[VariablesView].model.names)
    documents = open_game.controller.documents
    assert documents is not None
    assert documents.variables["shield"].mask == 0xF0
