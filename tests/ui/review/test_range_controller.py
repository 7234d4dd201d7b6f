"""Ranges of the time slider as movies, and recording a run once more."""

import time
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu
from pytestqt.qtbot import QtBot
from ui_driver import (
    PLAYED_FRAMES,
    banners,
    frame_number,
    open_and_wait,
    slider,
    step,
    timeline_facts,
)

from integrator.commands.shared.options import demo_game
from integrator.domain.movies.model import Movie
from integrator.domain.movies.reading import read_movie
from integrator.session.opening import movie_consoles
from integrator.session.session import Session
from integrator.session.timeline.restorer import Progress, ReplayStopped
from integrator.session.timeline.travel import Travel
from integrator.ui.review.travel_controller import (
    ExportRangeDialog,
    TravelController,
)
from integrator.ui.shell.main_window import MainWindow

pytestmark = pytest.mark.usefixtures("shared_window")


def drag(window: MainWindow, first: int, last: int) -> None:
    view = slider(window)
    shift, middle = Qt.KeyboardModifier.ShiftModifier, view.height() // 2
    button = Qt.MouseButton.LeftButton
    QTest.mousePress(view, button, shift, QPoint(view.x_of(first), middle))
    QTest.mouseMove(view, QPoint(view.x_of((first + last) / 2), middle))
    QTest.mouseMove(view, QPoint(view.x_of(last), middle))
    QTest.mouseRelease(view, button, shift, QPoint(view.x_of(last), middle))


def read(path: Path) -> Movie:
    return read_movie(path, movie_consoles())


def export_dialog(window: MainWindow) -> ExportRangeDialog:
    window.actions_by_key["export_range"].trigger()
    found = [w for w in QApplication.topLevelWidgets() if isinstance(w, ExportRangeDialog)]
    return next(dialog for dialog in found if dialog.isVisible())


def test_cancel_stops_the_command_that_runs_and_not_a_seek_that_waits(
    played: MainWindow, qtbot: QtBot
) -> None:
    travel, answers = played.parts[TravelController], list[str]()

    def work(_: Session, progress: Progress) -> str:
        while progress(1, 1000):
            time.sleep(0.01)
        return "stopped"

    travel.replay.ask(work, answers.append, lambda _: None)
    travel.seek(40)
    bar = played.screen_panel.replay
    qtbot.waitUntil(bar.isVisible)
    QTest.mouseClick(bar.cancel, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: frame_number(played) == 40)
    assert answers == ["stopped"]
    assert bar.isHidden()


def test_a_command_without_a_game_takes_no_cancel_from_those_after_it(
    window: MainWindow, qtbot: QtBot
) -> None:
    replay, answers = window.parts[TravelController].replay, list[str]()

    def work(_: Session, progress: Progress) -> str:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if not progress(1, 1000):
                return "stopped"
        return "late"

    replay.ask(work, answers.append, lambda _: None)
    open_and_wait(window, qtbot, demo_game())
    replay.ask(work, answers.append, lambda _: None)
    replay.stop()
    qtbot.waitUntil(lambda: bool(answers))
    assert answers == ["stopped"]


def test_a_range_dragged_with_shift_is_exported_with_its_state(
    played: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = frame_number(played)
    drag(played, 40, 100)
    chosen = slider(played).range
    assert chosen is not None
    assert (abs(chosen[0] - 40), abs(chosen[1] - 100)) <= (1, 1)
    assert frame_number(played) == before  # choosing a range goes nowhere
    dialog = export_dialog(played)
    assert dialog.range == chosen
    path = tmp_path / "range.bk2"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    dialog.accept()
    qtbot.waitUntil(lambda: any(str(path) in text for text in banners(played)))
    movie = read(path)
    expected: list[np.ndarray[tuple[int, ...], np.dtype[np.uint16]]] = []
    played.bridge.ask(
        lambda session: session.timeline.log.inputs(chosen[1] + 1 - movie.frames, chosen[1] + 1),
        expected.append,
    )
    qtbot.waitUntil(lambda: bool(expected))
    assert movie.inputs.tolist() == expected[0].tolist()
    assert movie.frames >= chosen[1] - chosen[0] + 1
    assert movie.state
    QTest.keyClick(slider(played), Qt.Key.Key_Escape)
    assert slider(played).range is None


def test_an_export_that_was_cancelled_is_no_error(
    played: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> None:
        raise ReplayStopped(20, None)

    monkeypatch.setattr(Travel, "export", stopped)
    before, after = banners(played), list[int]()
    played.parts[TravelController].export(tmp_path / "range.bk2", 20, 50)
    played.bridge.ask(lambda session: session.timeline.length, after.append)
    qtbot.waitUntil(lambda: bool(after))
    assert banners(played) == before


def test_a_range_over_a_poke_is_refused_where_it_is_chosen(
    played: MainWindow, qtbot: QtBot
) -> None:
    played.bridge.ask(lambda s: s.memory.write(s.memory.space.regions[0].address, "|u1", 7))
    step(played, qtbot, 3)
    qtbot.waitUntil(lambda: any(m.kind == "poke" for m in timeline_facts(played).markers))
    qtbot.waitUntil(lambda: timeline_facts(played).length == PLAYED_FRAMES + 5)
    dialog = export_dialog(played)
    assert dialog.range == (PLAYED_FRAMES + 3, PLAYED_FRAMES + 5)
    save = dialog.buttons.buttons()[0]
    assert save.isEnabled()
    dialog.first.setValue(20)
    assert not save.isEnabled()
    assert str(PLAYED_FRAMES + 2) in dialog.note.text()
    dialog.last.setValue(PLAYED_FRAMES + 2)
    assert save.isEnabled()
    dialog.reject()


def test_the_sliders_menu_takes_a_range_from_marks(played: MainWindow, qtbot: QtBot) -> None:
    for frame in (30, 90):
        played.bridge.ask(lambda s, f=frame: s.timeline.log.add_marker(f, "here"))  # type: ignore[misc] # a default binds the loop's value
    step(played, qtbot)
    qtbot.waitUntil(
        lambda: len([m for m in timeline_facts(played).markers if m.kind == "user"]) == 2
    )
    menu = QMenu()
    qtbot.addWidget(menu)
    played.parts[TravelController].add_to_menu(70, menu)
    by_text = {action.text(): action for action in menu.actions()}
    by_text["Range between the marks around it"].trigger()
    assert slider(played).range == (30, 90)
    by_text["No range"].setEnabled(True)
    by_text["No range"].trigger()
    assert slider(played).range is None
    by_text["Range begins at frame 70"].trigger()
    assert slider(played).range == (70, timeline_facts(played).length)


def test_a_run_is_recorded_again_from_its_middle(
    played: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played.parts[TravelController].seek(80)
    qtbot.waitUntil(lambda: frame_number(played) == 80)
    path = tmp_path / "again.bk2"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    with qtbot.waitSignal(played.controller.recording_changed):
        played.actions_by_key["record_again"].trigger()
    step(played, qtbot, 5)
    with qtbot.waitSignal(played.controller.recording_changed):
        played.actions_by_key["stop_recording"].trigger()
    movie = read(path)
    assert movie.frames == 85
    assert movie.inputs[1:80].any()
    assert not movie.inputs[80:].any()


def test_each_episode_becomes_a_movie_until_it_is_stopped(
    open_game: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "episodes"
    folder.mkdir()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    told: list[bool] = []
    open_game.controller.recording_changed.connect(told.append)
    open_game.actions_by_key["record_episodes"].trigger()
    qtbot.waitUntil(lambda: told == [True])
    step(open_game, qtbot, 2)
    open_game.actions_by_key["reset"].trigger()
    qtbot.waitUntil(lambda: told == [True, True])
    assert open_game.actions_by_key["stop_recording"].isEnabled()
    step(open_game, qtbot, 3)
    open_game.actions_by_key["stop_recording"].trigger()
    qtbot.waitUntil(lambda: told == [True, True, False])
    lengths = [read(path).frames for path in sorted(folder.glob("*.bk2"))]
    assert len(lengths) == 2
    assert lengths[0] >= 3
