"""The Reward panel: terms are added, edited, removed, and marked without their variable."""

import json

from PySide6.QtCore import Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui_driver import scenario

from integrator.ui.memory.variables import VariablesView
from integrator.ui.score.reward_view import RewardView
from integrator.ui.shell.main_window import MainWindow


def test_a_reward_term_is_added_edited_and_removed(open_game: MainWindow, qtbot: QtBot) -> None:
    open_game.use_workspace("score")
    view = open_game.parts[RewardView]
    view.add_term("lives")
    qtbot.waitUntil(lambda: view.card("lives") is not None)
    card = view.card("lives")
    assert card is not None
    field = card.fields["penalty"]
    field.selectAll()
    QTest.keyClicks(field, "-x")
    assert field.property("invalid")
    field.selectAll()
    QTest.keyClicks(field, "2.5")
    QTest.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: view.terms[view.cards.index(card)].value.get("penalty") == 2.5)
    card.setFocus()
    QTest.keyClick(card, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: view.card("lives") is None)
    assert "lives" not in json.dumps(scenario(open_game)["reward"])


def test_a_term_without_a_variable_is_marked(open_game: MainWindow, qtbot: QtBot) -> None:
    open_game.parts[VariablesView].remove("score")
    qtbot.waitUntil(lambda: "score" not in open_game.parts[VariablesView].model.names)
    card = open_game.parts[RewardView].card("score")
    assert card is not None
    assert "no variable" in card.title.toolTip()


def test_the_menu_of_terms_opens_at_the_click(open_game: MainWindow, qtbot: QtBot) -> None:
    open_game.use_workspace("score")
    view = open_game.parts[RewardView]
    menu = view.add.menu()
    QCursor.setPos(view.mapToGlobal(view.rect().center()))
    open_game.actions_by_key["add_reward"].trigger()
    qtbot.waitUntil(menu.isVisible)
    # The test's screen is narrower than the window, so that only the height can be compared.
    assert abs(menu.y() - QCursor.pos().y()) < 20
    menu.close()


def test_the_empty_page_leads_to_the_suggestions(open_game: MainWindow, qtbot: QtBot) -> None:
    view = open_game.parts[RewardView]
    for term in view.terms:
        open_game.controller.set_in_scenario(term.path, None)
    qtbot.waitUntil(lambda: view.pages.currentWidget() is view.pages.empty)
    suggest = open_game.actions_by_key["suggest"]
    [button] = [each for each in view.pages.empty.buttons if "Suggest" in each.text()]
    with qtbot.waitSignal(suggest.triggered):
        button.click()
