"""Every command of the menus has an icon and a shortcut of its own."""

from __future__ import annotations

from integrator.ui.actions.actions import SPECS
from integrator.ui.shell.main_window import MainWindow


def test_every_action_has_its_icon_and_a_shortcut_of_its_own(window: MainWindow) -> None:
    shortcuts = [spec.shortcut for spec in SPECS if spec.shortcut]
    assert len(shortcuts) == len(set(shortcuts))
    for spec in SPECS:
        assert window.actions_by_key[spec.key].icon().isNull() == (not spec.icon)
