"""Chores wait until a frame was painted, and are never forgotten."""

from functools import partial

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject
from pytestqt.qtbot import QtBot

from integrator.session.frame.result import FrameResult
from integrator.ui.bridge.bridge import FrameGaps
from integrator.ui.shell.main_window import MainWindow


@pytest.fixture
def done() -> list[str]:
    """The chores' notes."""
    return []


@pytest.fixture
def playing(qapp: QCoreApplication) -> FrameGaps:
    """FrameGaps between frames that come."""
    return FrameGaps(lambda: True, qapp)


@pytest.fixture
def paused(qapp: QCoreApplication) -> FrameGaps:
    """No frames come."""
    return FrameGaps(lambda: False, qapp)


def test_without_frames_a_chore_runs_at_once(paused: FrameGaps, done: list[str]) -> None:
    paused.run(lambda: done.append("now"))
    assert done == ["now"]


def test_a_gap_takes_one_chore_after_all_that_was_posted(
    playing: FrameGaps, done: list[str]
) -> None:
    class Posted(QObject):
        def event(self, event: QEvent) -> bool:
            if event.type() is QEvent.Type.User:
                done.append("posted")
                return True
            return super().event(event)

    receiver = Posted()
    for name in ("first", "second"):
        playing.run(partial(done.append, name))
    playing.begin()
    QCoreApplication.postEvent(receiver, QEvent(QEvent.Type.User))
    assert done == []
    QCoreApplication.sendPostedEvents()  # without the timer of chores that waited for too long
    assert done == ["posted", "first"]


def test_the_same_chore_waits_once(playing: FrameGaps, done: list[str], qtbot: QtBot) -> None:

    def chore() -> None:
        done.append("chore")

    for _ in range(3):
        playing.run(chore)
    qtbot.waitUntil(lambda: bool(done))
    playing.begin()
    qtbot.wait(20)
    assert done == ["chore"]


def test_no_chore_is_forgotten_when_frames_stop(
    playing: FrameGaps, done: list[str], qtbot: QtBot
) -> None:
    for name in ("first", "second"):
        playing.run(partial(done.append, name))
    qtbot.waitUntil(lambda: len(done) == 2)
    assert done == ["first", "second"]


class Order(QObject):
    """Notes when the screen is painted and when numbers are read out."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.newest = 0
        self.painted = 0
        self.early: list[int] = []
        self.readouts = 0
        window.screen_panel.game_screen.installEventFilter(self)
        window.bridge.frame_ready.connect(self._ready)
        window.bridge.readout_ready.connect(self._read_out)

    def _ready(self, result: FrameResult) -> None:
        self.newest = result.number

    def _read_out(self, result: FrameResult) -> None:
        self.readouts += 1
        if result.number > self.painted:
            self.early.append(result.number)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint:
            self.painted = self.newest
        return super().eventFilter(watched, event)


def test_a_picture_is_painted_before_its_numbers_are_read_out(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    order = Order(open_game)
    open_game.bridge.set_speed(0.125)  # also a busy machine paints a picture before the next comes
    open_game.bridge.play()
    qtbot.waitUntil(lambda: order.readouts > 12)
    # On a busy machine the next frame comes now and then before the numbers of the last one.
    assert len(order.early) < order.readouts / 3, order.early
