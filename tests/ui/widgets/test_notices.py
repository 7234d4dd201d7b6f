"""Banners over the screen."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from ui_driver import banners, open_and_wait

from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.notices import MAX_BANNERS, NoticeArea, NoticeKind


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


def test_notices_leave_the_picture_its_size_and_the_score_its_place(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    panel = open_game.screen_panel
    screen, notices = panel.game_screen, panel.notices
    notices.clear()
    open_game.resize(1280, 690)
    qtbot.waitUntil(lambda: screen.scale >= 2)
    for text in ("Short.", "So long that it has several lines: " + "words and more words, " * 12):
        before = screen.picture_rect()
        open_game.say(NoticeKind.ERROR, text)
        assert screen.picture_rect() == before
        upper = screen.picture_rect().adjusted(0, 0, 0, -screen.picture_rect().height() / 2)
        upper.translate(screen.mapTo(panel, QPointF(0, 0)))
        assert not upper.intersects(QRectF(notices.geometry()))
        assert panel.rect().contains(notices.geometry())
    notices.clear()
    open_game.say(NoticeKind.GOOD, "Short.")
    assert not notices.geometry().intersects(panel.header.geometry())
    open_game.say(NoticeKind.ERROR, "Two lie over the lower edge.")
    panel.show_done(done=True)
    assert (
        not panel.done_mark.geometry()
        .translated(panel.stage.mapTo(panel, QPoint()))
        .intersects(notices.geometry())
    )


def test_a_notice_that_came_before_the_picture_leaves_the_score_in_sight(
    window: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    panel, screen = window.screen_panel, window.screen_panel.game_screen
    window.resize(1280, 690)
    window.bridge.opened.connect(lambda *_: window.say(NoticeKind.ERROR, "Early."))
    open_and_wait(window, qtbot, airstriker)
    qtbot.waitUntil(lambda: screen.scale >= 2 and panel.notices.isVisible())
    top = screen.mapTo(panel, screen.picture_rect().topLeft().toPoint()).y()
    height = screen.picture_rect().height() / 2
    notices = panel.notices.geometry()
    assert notices.bottom() < top or notices.top() > top + height


@pytest.mark.usefixtures("theme")
def test_a_repeated_notice_is_counted_and_old_ones_make_room(qtbot: QtBot) -> None:
    stage = QWidget()
    qtbot.addWidget(stage)
    stage.resize(600, 400)
    stage.show()
    area = NoticeArea(stage, lambda _: 0)
    for _ in range(3):
        area.show_notice(NoticeKind.ERROR, "the same")
    assert [banner.count for banner in area.banners()] == [3]
    for number in range(MAX_BANNERS + 2):
        area.show_notice(NoticeKind.ERROR, f"message {number}")
    assert len(area.banners()) == MAX_BANNERS
    assert area.banners()[0].text == f"message {MAX_BANNERS + 1}"
    area.clear()
    assert not area.isVisible()
