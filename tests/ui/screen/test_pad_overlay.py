"""The pressed buttons over the picture."""

from pytestqt.qtbot import QtBot

from integrator.ui.screen.pad_overlay import button_label, shown_bits
from integrator.ui.shell.main_window import MainWindow


def test_the_overlay_can_be_switched_on_and_is_kept(review: MainWindow, qtbot: QtBot) -> None:
    screen = review.screen_panel.game_screen
    before = screen.grab().toImage()
    review.actions_by_key["show_buttons"].setChecked(True)
    qtbot.waitUntil(lambda: screen.grab().toImage() != before)
    assert review._settings.shows_buttons


def test_buttons_have_short_names_and_directions_first() -> None:
    buttons = ("B", None, "SELECT", "START", "UP", "DOWN", "LEFT", "RIGHT")
    labels = [button_label(str(buttons[bit])) for bit in shown_bits(buttons)]
    assert labels == ["↑", "↓", "←", "→", "B", "Sel", "St"]
