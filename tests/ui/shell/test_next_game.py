"""Nothing that was typed or chosen for one game is left when the next one is opened."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QSpinBox
from pytestqt.qtbot import QtBot
from ui_driver import open_and_wait

from integrator.commands.shared.options import demo_game
from integrator.ui.find.facts import FactsView
from integrator.ui.find.find_view import FindView
from integrator.ui.memory.console_panel import ConsoleView
from integrator.ui.score.observation_panel import CropView
from integrator.ui.score.reward_view import RewardView
from integrator.ui.shell.main_window import MainWindow

OF_NO_GAME = {"Other agents", "cluster"}
"""Fields that name programs and machines, which serve the next game as well."""


def typed(window: MainWindow) -> dict[str, str]:
    """The texts in all fields of the panels, by the fields' names."""
    fields = [each for dock in window.docks.all.values() for each in dock.findChildren(QLineEdit)]
    return {
        field.accessibleName() or field.placeholderText(): field.text()
        for field in fields
        if not isinstance(field.parent(), QSpinBox)
    }


def test_the_next_game_begins_with_empty_fields(open_game: MainWindow, qtbot: QtBot) -> None:
    open_game.docks.fill_all()
    before = typed(open_game)
    assert len(before) > 10
    for dock in open_game.docks.all.values():
        for field in dock.findChildren(QLineEdit):
            if not field.text() and not field.isReadOnly():
                QTest.keyClicks(field, "77")
    assert typed(open_game) != before
    open_and_wait(open_game, qtbot, demo_game())
    assert {name for name, text in typed(open_game).items() if "77" in text} == OF_NO_GAME


def test_the_next_game_begins_with_its_first_player(open_game: MainWindow, qtbot: QtBot) -> None:
    reward, crop = open_game.parts[RewardView], open_game.parts[CropView]
    open_game.use_workspace("score")
    for box in (reward.players_box, crop.players_box):
        QTest.mouseClick(box.button("1"), Qt.MouseButton.LeftButton)
    open_and_wait(open_game, qtbot, demo_game())
    assert reward.players_box.button("0").isChecked()
    assert crop.players_box.button("0").isChecked()
    assert reward.card("score") is not None


def test_the_next_game_gets_no_entry_typed_for_the_last_one(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    entry = open_game.parts[ConsoleView].entry
    QTest.keyClicks(entry, "data.lives = 9")
    open_and_wait(open_game, qtbot, demo_game())
    assert entry.toPlainText() == ""
    QTest.keyClick(entry, Qt.Key.Key_Up)
    assert entry.toPlainText() == "data.lives = 9"


def test_the_next_game_begins_without_facts(
    facts: FactsView, open_game: MainWindow, qtbot: QtBot
) -> None:
    def headings() -> list[str]:
        return [each.text() for each in facts.findChildren(QLabel) if each.isVisible()]

    for line in ("20 = 123456", "21 = 1234567", "22 = 654321"):
        facts.facts.pin(line)
    qtbot.waitUntil(lambda: "Nothing fits these facts" in headings())
    open_and_wait(open_game, qtbot, demo_game())
    assert "Pin what you see" in headings()


def test_the_next_game_shows_nothing_of_the_last_search(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    open_game.use_workspace("find")
    find = open_game.parts[FindView]
    QTest.keyClicks(find.form.value, "3")
    with qtbot.waitSignal(find.status_changed):
        QTest.mouseClick(find.form.search, Qt.MouseButton.LeftButton)
    QTest.keyClicks(find.form.value, "4")
    qtbot.waitUntil(lambda: bool(find.form.forecast))
    assert find.form.chips.isVisible()
    assert find.undo.isEnabled()
    open_and_wait(open_game, qtbot, demo_game())
    assert not find.form.chips.isVisible()
    assert find.form.forecast == ""
    assert not find.undo.isEnabled()
