"""The Reward terms panel: parts stacked over frames, and the reasons of a frame and of a range."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui_driver import frame_number, settled_frame, slider, wait_for_timers

from integrator.domain.values.variables import TIME_TERM
from integrator.session.edits.commands import set_in_scenario
from integrator.ui.review.plots_panel import AttributionView
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.docks import dock_of

BLOCK = {
    "variables": {"lives": {"measurement": "absolute", "reward": 2.0}},
    "time": {"reward": -0.5},
}


def shown(window: MainWindow) -> list[tuple[str, float]]:
    return [(each.term, each.gave) for each in window.parts[AttributionView].model.rows]


@pytest.fixture
def explained(played: MainWindow, qtbot: QtBot) -> MainWindow:
    played.use_workspace("review")
    dock_of(played.parts[AttributionView]).come_forward()
    played.controller.edit(set_in_scenario(["reward"], BLOCK))
    expected = [(TIME_TERM, -0.5), ("lives", 6.0)]
    qtbot.waitUntil(lambda: shown(played) == expected)
    return played


def test_a_click_on_the_curve_tells_why_that_frame_paid(
    explained: MainWindow, qtbot: QtBot
) -> None:
    view = explained.parts[AttributionView]
    last = frame_number(explained)
    assert f"{last:,}" in view.title.text()
    assert view.stack.layers[:, -1].tolist() == [0, -0.5 * last, 5.5 * last]
    way = view.model.index(1, 3).data()
    assert way == "lives: 3 → 3"
    middle = round(view.stack.x_of(60))
    QTest.mouseClick(view.stack, Qt.MouseButton.LeftButton, pos=QPoint(middle, 20))
    qtbot.waitUntil(lambda: abs(frame_number(explained) - 60) <= 2)
    there = f"Frame {frame_number(explained)} paid 5.5"
    qtbot.waitUntil(lambda: there in view.title.text())


def test_a_range_is_explained_by_its_sums(explained: MainWindow, qtbot: QtBot) -> None:
    slider(explained).set_range((11, 30))
    slider(explained).selected.emit()
    expected = [(TIME_TERM, -10.0), ("lives", 120.0)]
    qtbot.waitUntil(lambda: shown(explained) == expected)
    view = explained.parts[AttributionView]
    assert "Frames 11 to 30 paid 110" in view.title.text()
    assert np.all(np.diff(view.stack.layers[-1]) > 0)
    explained.controller.edit(set_in_scenario(["reward"], None))
    qtbot.waitUntil(lambda: shown(explained) == [])


def test_the_line_in_the_stack_is_at_the_frame_on_the_screen(
    explained: MainWindow, qtbot: QtBot
) -> None:
    view = explained.parts[AttributionView]
    slider(explained).set_range((11, 30))
    slider(explained).selected.emit()
    qtbot.waitUntil(lambda: "Frames 11 to 30" in view.title.text())
    assert view.stack.cursor_frame == frame_number(explained)
    slider(explained).setValue(80)
    qtbot.waitUntil(lambda: frame_number(explained) == 80)
    wait_for_timers(qtbot, view)
    settled_frame(explained, qtbot)
    assert view.stack.cursor_frame == 80


def test_the_reason_of_an_empty_panel_goes_with_its_game(
    explained: MainWindow, qtbot: QtBot
) -> None:
    view = explained.parts[AttributionView]
    hint = view.pages.empty.text
    explained.controller.edit(set_in_scenario(["reward", "variables", "nobody"], {"reward": 1}))
    qtbot.waitUntil(lambda: "nobody" in hint.text())
    explained.bridge.close_game()
    qtbot.waitUntil(lambda: hint.text().startswith("Play, or run a movie"))
