"""Banners over the screen."""

from __future__ import annotations

from pytestqt.qtbot import QtBot
from ui_driver import banners

from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.notices import NoticeKind


def test_a_banner_that_is_put_away_leaves_the_layout_at_once(
    window: MainWindow, qtbot: QtBot
) -> None:
    """A widget that Qt is about to delete must not be found: PySide would remember it for good."""
    notices = window.screen_panel.notices
    notices.clear()
    for text in ("one", "two", "one"):
        window.say(NoticeKind.INFO, text)
    assert banners(window) == ["two", "one"]
    assert notices.banners()[1].count == 2
    notices.banners()[0].dismiss()
    assert banners(window) == ["one"]
    assert notices._stack.count() == 1
    notices.clear()
    assert notices._stack.count() == 0
    assert notices.isHidden()
    qtbot.wait(20)
    window.say(NoticeKind.GOOD, "three")
    assert banners(window) == ["three"]
    assert notices.isVisible()
