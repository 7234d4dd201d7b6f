"""The status bar is readable in both themes."""

from dataclasses import replace

from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.theme import Theme, ThemeChoice


def test_numbers_in_the_status_bar_are_read_in_both_themes(open_game: MainWindow) -> None:
    for choice in (ThemeChoice.LIGHT, ThemeChoice.DARK):
        open_game.context.choose_theme(choice)
        color = Theme.now.colors.text
        for label in (open_game.status.cumulative, open_game.status.done):
            assert color in label.text()


def test_a_theme_keeps_the_reward_of_frames_that_were_not_read(open_game: MainWindow) -> None:
    last, label = open_game.controller.last, open_game.status.reward
    assert last is not None
    open_game.bridge.readout_ready.emit(replace(last, gains=((("score", 7.0),),)))
    assert "+7" in label.text()
    for choice in (ThemeChoice.LIGHT, ThemeChoice.DARK):
        open_game.context.choose_theme(choice)
        assert "+7" in label.text()
