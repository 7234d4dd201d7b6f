"""The Expectations panel: numbers of a range kept, red after an edit, accepted, taken back."""

import json
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from ui_driver import banners, frame_number, slider, wait_for_timers

from integrator.session.edits.commands import set_in_scenario
from integrator.ui.review.expectations_panel import (
    ExpectationColumn,
    ExpectationsView,
)
from integrator.ui.review.travel_controller import TravelController
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.docks import dock_of

pytestmark = pytest.mark.usefixtures("shared_window")

FIRST, LAST = 40, 100


def view_of(window: MainWindow) -> ExpectationsView:
    return window.parts[ExpectationsView]


def colors(window: MainWindow) -> str:
    verdicts = view_of(window).model.verdicts
    return " ".join("green" if verdicts[row].holds else "red" for row in sorted(verdicts))


def wait_for(window: MainWindow, qtbot: QtBot, wanted: str) -> None:
    qtbot.waitUntil(lambda: colors(window) == wanted)


def expect_range(window: MainWindow, qtbot: QtBot) -> None:
    """Use the panel's own menu on a range of the slider."""
    window.use_workspace("review")
    slider(window).set_range((FIRST, LAST))
    menu = QMenu()
    window.parts[ExpectationsView].fill_menu(menu)
    menu.actions()[0].trigger()
    wait_for(window, qtbot, "green green green")


def test_a_range_is_kept_checked_after_an_edit_and_accepted(
    played: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    expect_range(played, qtbot)
    view = view_of(played)
    assert not view.accept.isEnabled()
    assert (airstriker / "expected.bk2").is_file()
    played.controller.edit(set_in_scenario(["reward", "time"], {"reward": 1.5}))
    wait_for(played, qtbot, "green red red")
    rewards = view.model.verdicts[1]
    assert rewards.frame == rewards.expected.first
    text = view.model.index(1, ExpectationColumn.RESULT).data()
    assert text == f"frame {rewards.frame:,}: 1.5 instead of 0"
    view.table.clicked.emit(view.model.index(1, 0))
    begin = rewards.expected.first
    qtbot.waitUntil(lambda: frame_number(played) > LAST)
    assert begin >= 2
    qtbot.waitUntil(view.accept.isEnabled)
    QTest.mouseClick(view.accept, Qt.MouseButton.LeftButton)
    wait_for(played, qtbot, "green green green")
    played.actions_by_key["undo"].trigger()
    wait_for(played, qtbot, "green red red")
    played.actions_by_key["save"].trigger()
    kept = airstriker / "expectations.json"
    qtbot.waitUntil(kept.is_file)
    assert len(json.loads(kept.read_text())["expectations"]) == 3


def test_a_movie_that_was_stopped_on_its_way_expects_nothing(
    played: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path, before = tmp_path / "play.bk2", banners(played)
    travel = played.parts[TravelController]
    played.bridge.ask(lambda session: session.timeline.export(path, 1))
    view_of(played).expect_movie(path)
    travel.replay.stop()
    after = list[tuple[object, ...]]()
    played.bridge.ask(lambda session: session.integration.expectations.entries, after.append)
    qtbot.waitUntil(lambda: bool(after))
    assert after == [()]
    assert banners(played) == before


def test_results_are_whole_in_a_narrow_panel(played: MainWindow, qtbot: QtBot) -> None:
    expect_range(played, qtbot)
    played.controller.edit(set_in_scenario(["reward", "time"], {"reward": 1.5}))
    wait_for(played, qtbot, "green red red")
    view = view_of(played)
    dock_of(view).come_forward()
    metrics, table = view.table.fontMetrics(), view.table
    table.setMaximumWidth(45 * metrics.horizontalAdvance("0"))
    text = str(view.model.index(1, ExpectationColumn.RESULT).data())
    qtbot.waitUntil(
        lambda: table.columnWidth(ExpectationColumn.RESULT) < metrics.horizontalAdvance(text)
    )
    qtbot.waitUntil(lambda: table.rowHeight(1) >= 2 * metrics.height())


def test_a_variable_a_typed_total_and_removing(played: MainWindow, qtbot: QtBot) -> None:
    played.use_workspace("review")
    controller, view = played.parts[ExpectationsView], view_of(played)
    controller.expect_frames(FIRST, LAST, variable="lives")
    wait_for(played, qtbot, "green")
    controller.expect_frames(FIRST, LAST, total=987654.0)
    wait_for(played, qtbot, "green red")
    assert "987654" in view.model.index(1, ExpectationColumn.RESULT).data()
    view.row_menu(1).actions()[1].trigger()
    wait_for(played, qtbot, "green green")
    view.row_menu(0).actions()[2].trigger()
    wait_for(played, qtbot, "green")
    controller.expect_frames(LAST, 10**9)
    qtbot.waitUntil(lambda: any("not held" in text for text in banners(played)))


@pytest.mark.parametrize("workspace", ["play", "agents"])
def test_numbers_are_kept_and_checked_in_any_workspace(
    open_game: MainWindow, qtbot: QtBot, workspace: str
) -> None:
    open_game.use_workspace(workspace)
    open_game.bridge.ask(lambda session: session.run(np.zeros((LAST, 1), np.uint16)))
    open_game.parts[ExpectationsView].expect_frames(FIRST, LAST)
    wait_for(open_game, qtbot, "green green green")
    open_game.use_workspace(workspace)
    open_game.controller.edit(set_in_scenario(["reward", "time"], {"reward": 1.5}))
    wait_for_timers(qtbot, open_game.parts[ExpectationsView])
    open_game.docks.all["expectations"].come_forward()
    wait_for(open_game, qtbot, "green red red")
