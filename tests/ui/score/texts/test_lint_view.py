"""The Lint panel: a click on a finding leads to its place."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from integrator.domain.findings import Severity
from integrator.ui.score.reward_view import RewardView
from integrator.ui.score.texts.lint_panel import LintView
from integrator.ui.shell.main_window import MainWindow


def test_a_term_without_variable_is_found_and_a_click_goes_there(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    lint, reward = open_game.parts[LintView], open_game.parts[RewardView]
    open_game.docks.all["lint"].show()
    reward.add_term("nowhere")

    def row() -> int | None:
        findings = [lint.model.at(at) for at in range(lint.model.rowCount())]
        return next((at for at, each in enumerate(findings) if "nowhere" in each.path), None)

    qtbot.waitUntil(lambda: row() is not None)
    assert "error" in open_game.docks.all["lint"].header.note.text()
    at = row() or 0
    assert lint.model.at(at).severity is Severity.ERROR
    lint.table.scrollTo(lint.model.index(at, 0))
    box = lint.table.visualRect(lint.model.index(at, 0))
    QTest.mouseClick(lint.table.viewport(), Qt.MouseButton.LeftButton, pos=box.center())
    card = reward.card("nowhere")
    assert card is not None
    qtbot.waitUntil(card.hasFocus)
