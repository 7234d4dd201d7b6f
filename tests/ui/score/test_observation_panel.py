"""The Observation panel: stable-retro's picture of the frame, preprocessed, and its crop."""

from functools import partial

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui_driver import step

from integrator.ui.score.observation_panel import SMALL, ObservationView
from integrator.ui.shell.main_window import MainWindow
from libretro_host.stepper import Reduction

LOW_BITS = np.array([0xF8, 0xFC, 0xF8], np.uint8)


def shown(view: ObservationView) -> NDArray[np.uint8]:
    frame = view.screen_view.frame
    assert frame is not None
    return frame.rgb()


def drawn(window: MainWindow) -> NDArray[np.uint8]:
    """The game's picture, less the bits that stable-retro cuts."""
    frame = window.screen_panel.game_screen.frame
    assert frame is not None
    return frame.rgb() & LOW_BITS


@pytest.fixture
def view(open_game: MainWindow, qtbot: QtBot) -> ObservationView:
    step(open_game, qtbot, 3)
    open_game.use_workspace("score")
    open_game.docks.all["observation"].raise_()
    view = open_game.parts[ObservationView]
    qtbot.waitUntil(lambda: view.screen_view.frame is not None)
    return view


def test_each_frame_is_shown_as_stable_retro_hands_it_out(
    open_game: MainWindow, qtbot: QtBot, view: ObservationView
) -> None:
    for _ in range(2):
        step(open_game, qtbot, 30)
        qtbot.waitUntil(lambda: np.array_equal(shown(view), drawn(open_game)))
    assert view.note.text() == "320 × 224 · 5-6-5 bits of color"
    assert not view.warning.isVisible()


def test_gray_small_and_stacked(open_game: MainWindow, qtbot: QtBot, view: ObservationView) -> None:
    step(open_game, qtbot, 12)
    view.gray.click()
    gray = Reduction((224, 320), gray=True)
    assert np.array_equal(shown(view)[:, :, 0], gray.reduce(drawn(open_game)))
    view.small.click()
    newest = Reduction((224, 320), (SMALL, SMALL), gray=True).reduce(drawn(open_game))
    assert np.array_equal(shown(view)[:, :, 1], newest)
    view.stacked.click()
    assert shown(view).shape == (2 * SMALL, 2 * SMALL, 3)
    assert np.array_equal(shown(view)[SMALL:, SMALL:, 2], newest)
    assert view.note.text() == "84 × 84 × 4 · gray · of 320 × 224"


def test_a_crop_drawn_on_the_observation_is_the_scenario_s(
    open_game: MainWindow, qtbot: QtBot, view: ObservationView
) -> None:
    def drag(*box: float) -> None:
        view.draw.click()
        qtbot.waitUntil(view.tool.isVisible)
        assert np.array_equal(shown(view), drawn(open_game)), "the whole picture"
        area = view.screen_view.rect_of(*box).toRect()
        end = area.topLeft() + QPoint(area.width(), area.height())
        QTest.mousePress(view.tool, Qt.MouseButton.LeftButton, pos=area.topLeft())
        QTest.mouseMove(view.tool, end)
        QTest.mouseRelease(view.tool, Qt.MouseButton.LeftButton, pos=end)
        assert not view.tool.isVisibleTo(view.screen_view)

    def crop() -> list[int]:
        documents = open_game.controller.documents
        return list(documents.scenario.get("crop", ())) if documents else []

    for x in (32, 64):
        drag(x, 64, 96, 80)
        qtbot.waitUntil(partial(lambda x: bool(crop()) and abs(crop()[0] - x) <= 2, x))
        left, top, width, height = crop()
        assert np.abs(np.array([top, width, height]) - (64, 96, 80)).max() <= 2
        wanted = drawn(open_game)[top : top + height, left : left + width]
        qtbot.waitUntil(partial(lambda crop: np.array_equal(shown(view), crop), wanted))
        assert view.note.text().endswith("of 320 × 224")
