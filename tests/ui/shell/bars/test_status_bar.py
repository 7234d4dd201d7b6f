"""The status bar is readable in both themes."""

from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.theme import ThemeChoice


def test_numbers_in_the_status_bar_are_read_in_both_themes(open_game: MainWindow) -> None:
    for choice in (ThemeChoice.LIGHT, ThemeChoice.DARK):
        open_game.context.choose_theme(choice)
        color = open_game.status._theme.colors.text
        for label in (open_game.status.cumulative, open_game.status.done):
            assert color in label.text()
