"""Widgets that come in sight late, or are drawn in another theme's colors, are right at once."""

from __future__ import annotations

from pytestqt.qtbot import QtBot
from ui_driver import OPEN_TIMEOUT_MS, step

from integrator.ui.review.input_log_view import InputLogView
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.theme import ThemeChoice


def test_numbers_in_the_status_bar_are_read_in_both_themes(open_game: MainWindow) -> None:
    for choice in (ThemeChoice.LIGHT, ThemeChoice.DARK):
        open_game.desk.choose_theme(choice)
        color = open_game.status._theme.colors.text
        for label in (open_game.status.cumulative, open_game.status.done):
            assert color in label.text()


def test_the_input_log_has_what_was_played_before_it_was_shown(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    log = open_game.parts[InputLogView]
    assert not log.isVisible()
    step(open_game, qtbot, 5)
    qtbot.waitUntil(
        lambda: open_game.screen_panel.timeline.facts is not None, timeout=OPEN_TIMEOUT_MS
    )
    open_game.use_workspace("review")
    qtbot.waitUntil(lambda: log._length == 6, timeout=OPEN_TIMEOUT_MS)
