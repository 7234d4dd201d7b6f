"""A panel out of sight gets no frames and reads nothing, and catches up when it appears."""

from pytestqt.qtbot import QtBot
from ui_driver import frame_number, settled_frame, step

from integrator.session.session import Session
from integrator.ui.bridge.sight import LiveReader, Sight
from integrator.ui.review.plots_panel import PlotsView
from integrator.ui.shell.main_window import MainWindow


def test_a_panel_out_of_sight_gets_the_newest_frame_once_it_appears(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    open_game.use_workspace("play")
    numbers: list[int] = []
    sight = Sight(open_game.bridge, open_game.parts[PlotsView])
    sight.follow(open_game.bridge.readout_ready, lambda result: numbers.append(result.number))
    step(open_game, qtbot, 3)
    assert not sight
    assert numbers == []
    with qtbot.waitSignal(sight.appeared):
        open_game.use_workspace("review")
    assert numbers == [frame_number(open_game)]


def test_a_frame_of_a_closed_game_is_not_shown_later(open_game: MainWindow, qtbot: QtBot) -> None:
    open_game.use_workspace("play")
    numbers: list[int] = []
    sight = Sight(open_game.bridge, open_game.parts[PlotsView])
    sight.follow(open_game.bridge.readout_ready, lambda result: numbers.append(result.number))
    step(open_game, qtbot)
    with qtbot.waitSignal(open_game.bridge.closed):
        open_game.bridge.close_game()
    with qtbot.waitSignal(sight.appeared):
        open_game.use_workspace("review")
    assert numbers == []


def test_a_reader_asks_once_for_what_was_touched_in_sight(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    open_game.use_workspace("play")
    shown: list[int] = []
    asked: list[int] = []

    def look(session: Session) -> int:
        asked.append(session.timeline.position)
        return session.timeline.position

    sight = Sight(open_game.bridge, open_game.parts[PlotsView])
    reader = LiveReader(sight, lambda: look, shown.append, interval_ms=0)
    reader.touch()
    reader.touch()
    settled_frame(open_game, qtbot)
    assert asked == []
    open_game.use_workspace("review")
    qtbot.waitUntil(lambda: bool(shown))
    settled_frame(open_game, qtbot)
    assert shown == asked == [frame_number(open_game)]


def test_a_reader_passes_a_failure_on_and_asks_again(open_game: MainWindow, qtbot: QtBot) -> None:
    errors: list[Exception] = []
    shown: list[int] = []

    def fail(session: Session) -> int:
        if not errors:
            raise ValueError(f"frame {session.timeline.position}")
        return session.timeline.position

    show, fails = shown.append, errors.append
    reader = LiveReader(open_game.bridge, lambda: fail, show, interval_ms=0, failed=fails)
    reader.touch()
    qtbot.waitUntil(lambda: bool(errors))
    reader.touch()
    qtbot.waitUntil(lambda: bool(shown))
    assert [str(error) for error in errors] == ["frame 1"]
