"""The time slider: seek by mouse and keys, step back, rewind, branches, marks, trends."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog, QMenu
from pytestqt.qtbot import QtBot
from ui_driver import banners, frame_number, settled_frame, slider, step, timeline_facts

from integrator.domain.errors import TimelineError
from integrator.session.session import Session
from integrator.session.timeline.travel import Travel
from integrator.ui.memory.variables import VariableColumn, VariablesView
from integrator.ui.review.travel_controller import TravelController
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.time_slider.timeline_view import TimelineView
from integrator.ui.widgets.rows_model import TrendRole

pytestmark = pytest.mark.usefixtures("shared_window")

FRAMES = 200


def idle(session: Session) -> None:
    session.advance(frames=FRAMES)


@pytest.fixture
def played(open_game: MainWindow, qtbot: QtBot) -> MainWindow:
    """A window with a few hundred frames on the timeline, paused at the last."""
    open_game.bridge.ask(idle)
    step(open_game, qtbot)
    qtbot.waitUntil(lambda: timeline_facts(open_game).length == FRAMES + 2)
    return open_game


def arrives(window: MainWindow, qtbot: QtBot, frame: int) -> None:
    qtbot.waitUntil(lambda: frame_number(window) == frame)


def test_a_click_goes_to_its_frame(played: MainWindow, qtbot: QtBot) -> None:
    view = slider(played)
    where = QPoint(view.x_of(80), view.height() // 2)
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=where)
    arrives(played, qtbot, view.frame_at(where.x()))
    assert abs(view.value() - 80) <= 1
    assert f"/ {FRAMES + 2}" in played.screen_panel.transport.frame.text()


def test_a_frame_that_could_not_be_reached_can_be_asked_for_again(
    played: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise TimelineError("not repeated by the core")

    view, before = slider(played), frame_number(played)
    with monkeypatch.context() as broken:
        broken.setattr(Travel, "seek", refuse)
        view.setValue(80)
        qtbot.waitUntil(lambda: any("not repeated" in banner for banner in banners(played)))
    assert view.value() == before
    view.setValue(80)
    arrives(played, qtbot, 80)


def test_a_drag_ends_at_the_frame_under_the_pointer(played: MainWindow, qtbot: QtBot) -> None:
    view = slider(played)
    middle = view.height() // 2
    seeks: list[int] = []
    view.valueChanged.connect(seeks.append)
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=QPoint(view.x_of(190), middle))
    for frame in range(180, 20, -2):
        QTest.mouseMove(view, QPoint(view.x_of(frame), middle))
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=QPoint(view.x_of(22), middle))
    assert len(seeks) > 20
    arrives(played, qtbot, seeks[-1])
    assert abs(seeks[-1] - 22) <= 1


def test_of_many_seeks_the_last_wins_and_few_are_run(played: MainWindow, qtbot: QtBot) -> None:
    shown: list[int] = []
    played.bridge.frame_ready.connect(lambda result: shown.append(result.number))
    for frame in range(1, 101):
        played.parts[TravelController].seek(frame)
    arrives(played, qtbot, 100)
    assert len(shown) < 10


def test_keys_move_the_slider(played: MainWindow, qtbot: QtBot) -> None:
    view = slider(played)
    for key, frame in (
        (Qt.Key.Key_Home, 1),
        (Qt.Key.Key_Right, 2),
        (Qt.Key.Key_PageDown, 62),
        (Qt.Key.Key_Left, 61),
        (Qt.Key.Key_End, FRAMES + 2),
    ):
        QTest.keyClick(view, key)
        arrives(played, qtbot, frame)


def test_step_back_and_frame_advance_along_the_recording(played: MainWindow, qtbot: QtBot) -> None:
    played.actions_by_key["step_back"].trigger()
    arrives(played, qtbot, FRAMES + 1)
    played.actions_by_key["step_back"].trigger()
    arrives(played, qtbot, FRAMES)
    played.actions_by_key["follow"].setChecked(True)
    played.actions_by_key["advance"].trigger()
    arrives(played, qtbot, FRAMES + 1)
    qtbot.wait(200)
    assert timeline_facts(played).length == FRAMES + 2
    assert not timeline_facts(played).branches


def test_holding_backspace_rewinds(played: MainWindow, qtbot: QtBot) -> None:
    screen = played.screen_panel.game_screen
    QTest.keyPress(screen, Qt.Key.Key_Backspace)
    qtbot.waitUntil(lambda: frame_number(played) < FRAMES - 20)
    QTest.keyRelease(screen, Qt.Key.Key_Backspace)
    stopped = settled_frame(played, qtbot)
    qtbot.wait(150)
    assert frame_number(played) == stopped


def test_playing_on_from_the_past_keeps_the_future_as_a_branch(
    played: MainWindow, qtbot: QtBot
) -> None:
    played.parts[TravelController].seek(50)
    arrives(played, qtbot, 50)
    played.bridge.set_masks((1,))
    step(played, qtbot)
    qtbot.waitUntil(lambda: bool(timeline_facts(played).branches))
    (branch,) = timeline_facts(played).branches
    assert (branch.length, branch.shared_frames) == (FRAMES + 2, 50)
    assert "1" in played.screen_panel.transport.branches.text()
    menu = played.parts[TravelController].branch_menu
    menu.aboutToShow.emit()
    entry = next(each for each in menu.findChildren(QMenu) if branch.name in each.title())
    entry.actions()[0].trigger()
    arrives(played, qtbot, FRAMES + 2)
    played.parts[TravelController].delete_branch("main")
    qtbot.waitUntil(lambda: not timeline_facts(played).branches)


def test_a_mark_attracts_the_pointer(
    played: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    played.parts[TravelController].seek(120)
    arrives(played, qtbot, 120)
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("boss", True))
    played.actions_by_key["mark"].trigger()
    qtbot.waitUntil(lambda: any(m.kind == "user" for m in timeline_facts(played).markers))
    view = slider(played)
    assert view.frame_at(view.x_of(120) + 4) == 120


def test_trends_end_at_the_frame_shown(played: MainWindow, qtbot: QtBot) -> None:
    model = played.parts[VariablesView].model
    cell = model.index(model.row_of("lives") or 0, VariableColumn.TREND)
    qtbot.waitUntil(lambda: bool(cell.data(TrendRole)))
    assert len(cell.data(TrendRole)) == 96
    played.parts[TravelController].seek(10)
    qtbot.waitUntil(lambda: len(cell.data(TrendRole)) == 10)


@pytest.mark.usefixtures("theme")
def test_frames_that_were_shown_stay_in_reach_until_new_facts_come(
    played: MainWindow, qtbot: QtBot
) -> None:
    facts, view = timeline_facts(played), TimelineView()
    qtbot.addWidget(view)
    view.show_facts(facts, 60.0)
    view.show_position(facts.length + 1)
    view.show_position(5)
    assert (view.value(), view.maximum()) == (5, facts.length + 1)
    view.show_facts(facts, 60.0)
    assert (view.value(), view.maximum()) == (5, facts.length), "the line may have been cut"


def test_a_zoomed_slider_says_which_frames_it_shows(played: MainWindow) -> None:
    view = slider(played)
    top = QPoint(view.width() - 20, 7)
    assert view.shown_frames == f"frames in the RAM log: {FRAMES + 2}"
    before = view.grab().toImage().pixelColor(top)
    for _ in range(4):
        zoom(view, QPoint(view.x_of(20), view.height() // 2))
    first, last = (view.frame_at(x) for x in (12, view.width() - 12))
    assert 1 <= first < 20 < last < FRAMES
    assert view.shown_frames.startswith(f"frames {first} to {last} of {FRAMES + 2}")
    # The rest of the line is drawn, too: a bar over the plot.
    assert view.grab().toImage().pixelColor(top) != before
    QTest.mouseDClick(view, Qt.MouseButton.LeftButton, pos=QPoint(200, view.height() // 2))
    assert view.shown_frames == f"frames in the RAM log: {FRAMES + 2}"


def zoom(view: TimelineView, place: QPoint) -> None:
    """Turn the wheel one notch forward."""
    turned = QWheelEvent(
        QPointF(place),
        QPointF(view.mapToGlobal(place)),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,  # noqa: FBT003 - Qt's signature
    )
    QApplication.sendEvent(view, turned)
