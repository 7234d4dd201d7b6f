"""The pressed buttons over the picture."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from ui_driver import OPEN_TIMEOUT_MS, open_and_wait, step

from integrator.session.session import Session
from integrator.ui.review.movies_controller import MoviesController
from integrator.ui.review.movies_view import MoviesView
from integrator.ui.screen.pad_labels import button_label, shown_bits
from integrator.ui.shell.main_window import MainWindow

FRAMES = 60


def hold_right(session: Session) -> None:
    bit = session.system.buttons.index("RIGHT")
    session.advance((1 << bit,), frames=FRAMES)


@pytest.fixture
def review(window: MainWindow, qtbot: QtBot, airstriker: Path) -> MainWindow:
    """A window that reviews a folder with a movie of ours, a wrong one and a broken one."""
    open_and_wait(window, qtbot, airstriker)

    def record(session: Session) -> None:
        session.record(airstriker / "good.bk2")
        hold_right(session)
        session.stop_recording()

    with qtbot.waitSignal(window.controller.core_memory, raising=False, timeout=1):
        window.bridge.ask(record)
    step(window, qtbot)
    shutil.copy(airstriker / "good.bk2", airstriker / "lies.bk2")
    (airstriker / "broken.bk2").write_bytes(b"PK nothing")
    window.use_workspace("review")
    window.parts[MoviesController].list_folder(airstriker)
    qtbot.waitUntil(lambda: window.parts[MoviesView].model.rowCount() == 3, timeout=OPEN_TIMEOUT_MS)
    return window


def test_the_overlay_can_be_switched_on_and_is_kept(review: MainWindow, qtbot: QtBot) -> None:
    screen = review.screen_panel.game_screen
    before = screen.grab().toImage()
    review.actions_by_key["show_buttons"].setChecked(True)
    qtbot.wait(30)
    assert screen.grab().toImage() != before
    assert review._settings.shows_buttons


def test_buttons_have_short_names_and_directions_first() -> None:
    buttons = ("B", None, "SELECT", "START", "UP", "DOWN", "LEFT", "RIGHT")
    labels = [button_label(str(buttons[bit])) for bit in shown_bits(buttons)]
    assert labels == ["↑", "↓", "←", "→", "B", "Sel", "St"]
