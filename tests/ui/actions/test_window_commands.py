"""Every command of the menus does something, and has an icon and a shortcut of its own."""

from PySide6.QtCore import SIGNAL
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolButton

from integrator.ui.actions.shortcuts import ENTRIES, MENUS
from integrator.ui.shell.main_window import MainWindow


def _handlers(action: QAction) -> int:
    """Count those that hear of ``action``, without the menus and tool buttons that show it."""
    heard = sum(action.receivers(SIGNAL(signal)) for signal in ("triggered(bool)", "toggled(bool)"))
    shown = [each for each in action.associatedObjects() if isinstance(each, (QMenu, QToolButton))]
    return heard - len(shown)


def test_every_action_does_something(window: MainWindow) -> None:
    actions = window.actions_by_key
    assert [spec.key for spec in ENTRIES if _handlers(actions[spec.key]) < 1] == []
    made_up = QMenu(window).addAction("Made up")
    assert _handlers(made_up) == 0


def test_every_action_has_its_icon_and_a_shortcut_of_its_own(window: MainWindow) -> None:
    shortcuts = [spec.shortcut for spec in ENTRIES if spec.shortcut]
    assert len(shortcuts) == len(set(shortcuts))
    for spec in ENTRIES:
        assert window.actions_by_key[spec.key].icon().isNull() == (not spec.icon)


def test_no_letter_leads_to_two_commands_of_a_menu() -> None:
    for title, specs in MENUS.values():
        letters = [
            text[text.index("&") + 1].lower()
            for text in (spec.text for spec in specs)
            if "&" in text
        ]
        assert sorted(set(letters)) == sorted(letters), title


def test_long_menus_are_parted_by_lines(window: MainWindow) -> None:
    for key, menu in window.menus.menus.items():
        lengths, here = [], 0
        for action in menu.actions():
            here = 0 if action.isSeparator() else here + 1
            lengths.append(here)
        assert max(lengths) <= 6, key
        assert not menu.actions()[0].isSeparator()
