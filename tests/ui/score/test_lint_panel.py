"""The Lint and Plots panels and the Cores dialog."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot
from ui_driver import step

from integrator.domain.findings.finding import Severity
from integrator.ui.review.plots.plots_series import REWARD
from integrator.ui.review.plots.plots_view import PlotsView
from integrator.ui.score.reward_view import RewardView
from integrator.ui.score.texts.lint_view import LintView
from integrator.ui.shell.cores_dialog import CoresDialog
from integrator.ui.shell.main_window import MainWindow


def test_a_term_without_variable_is_found_and_a_click_goes_there(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    lint, reward = open_game.parts[LintView], open_game.parts[RewardView]
    open_game.docks.all["lint"].show()
    reward.add_term("nowhere")

    def row() -> int | None:
        findings = [lint.model.finding(at) for at in range(lint.model.rowCount())]
        return next((at for at, each in enumerate(findings) if "nowhere" in each.path), None)

    qtbot.waitUntil(lambda: row() is not None, timeout=20_000)
    assert "error" in open_game.docks.all["lint"].header.note.text()
    at = row() or 0
    assert lint.model.finding(at).severity is Severity.ERROR
    lint.table.scrollTo(lint.model.index(at, 0))
    box = lint.table.visualRect(lint.model.index(at, 0))
    QTest.mouseClick(lint.table.viewport(), Qt.MouseButton.LeftButton, pos=box.center())
    card = reward.card("nowhere")
    assert card is not None
    qtbot.waitUntil(card.hasFocus)


def test_series_are_drawn_and_a_click_goes_to_the_frame(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    open_game.docks.all["plots"].show()
    open_game.docks.all["plots"].raise_()
    step(open_game, qtbot, 5)
    plots = open_game.parts[PlotsView]
    assert plots.chosen[0] == REWARD
    plots.toggle("lives")
    canvas = plots.canvas
    assert canvas is not None
    qtbot.waitUntil(lambda: canvas.values("lives") == [3.0] * 6)
    assert canvas.cursor_frame == 6
    with qtbot.waitSignal(open_game.bridge.frame_ready):
        plots.seek_requested.emit(2)
    qtbot.waitUntil(lambda: canvas.cursor_frame == 2)
    plots.toggle("lives")
    assert canvas.values("lives") == []


def test_the_cores_dialog_lists_systems_and_options(open_game: MainWindow, qtbot: QtBot) -> None:
    open_game.actions_by_key["cores"].trigger()
    dialog = open_game.findChild(CoresDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.systems.rowCount() > 8, timeout=30_000)
    titles = [dialog.systems.item(row, 2).text() for row in range(dialog.systems.rowCount())]  # type: ignore[union-attr]  # every cell is filled
    assert "genesis_plus_gx" in titles
    qtbot.waitUntil(lambda: dialog.options.rowCount() > 5)
    dialog.close()


def test_a_core_option_is_kept_for_the_game_and_marked_where_training_differs(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    open_game.actions_by_key["cores"].trigger()
    dialog = open_game.findChild(CoresDialog)
    assert dialog is not None
    dialog.tabs.setCurrentIndex(1)
    qtbot.waitUntil(lambda: dialog.options.rowCount() > 5)
    row = 0
    named = dialog.options.item(row, 0)
    assert named is not None
    key = named.toolTip().splitlines()[0]

    def choose(text: str) -> None:
        box = dialog.options.cellWidget(row, 1)
        assert isinstance(box, QComboBox)
        box.setCurrentText(text)
        box.activated.emit(box.currentIndex())

    def note() -> str:
        item = dialog.options.item(row, 2)
        return item.text() if item is not None else ""

    box = dialog.options.cellWidget(row, 1)
    assert isinstance(box, QComboBox)
    training = box.currentText()
    other = next(box.itemText(at) for at in range(box.count()) if box.itemText(at) != training)
    choose(other)
    qtbot.waitUntil(lambda: training in note())
    kept: list[bool] = []
    open_game.bridge.ask(
        lambda session: [one for one in session.game.core_options() if one.option.key == key],
        lambda found: kept.extend(one.kept for one in found),
    )
    qtbot.waitUntil(lambda: kept == [True])
    choose(training)
    qtbot.waitUntil(lambda: note() == "")
    # The cores are still asked for their versions, in processes of their own.
    qtbot.waitUntil(lambda: dialog.systems.rowCount() > 8, timeout=30_000)
    dialog.close()
