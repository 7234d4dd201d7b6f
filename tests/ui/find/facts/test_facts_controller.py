"""Facts on the time slider, and facts about movies."""

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui_driver import frame_number, step

from integrator.session.hidden.movies import Answer, Grouped, MovieLibrary, answer
from integrator.session.session import Session
from integrator.ui.find import facts as facts_module
from integrator.ui.find.facts import FactsView
from integrator.ui.review.travel_controller import TravelController
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.time_slider.painting import moved
from integrator.ui.time_slider.timeline_view import TimelineView

pytestmark = pytest.mark.usefixtures("shared_window")

SCORE = 0xFF024E
"""The address of Airstriker's score."""


def grip(timeline: TimelineView, frame: int) -> QPoint:
    """The place of the handle of a fact at a frame."""
    return QPoint(timeline.x_of(frame), timeline.height() - 26)


@pytest.mark.parametrize(
    ("line", "which", "frame", "result"),
    [
        ("300 = 1200", 0, 17, "17 = 1200"),
        ("512: 3 -> 2", 0, 40, "40: 3 -> 2"),
        ("5..12 unchanged", 1, 300, "5..300 unchanged"),
        ("5..12 unchanged", 0, 300, None),
        ("5..12: 3 -> 2   # play", 0, 7, "7..12: 3 -> 2   # play"),
    ],
)
def test_a_frame_of_a_fact_is_put_elsewhere(
    line: str, which: int, frame: int, result: str | None
) -> None:
    assert moved(line, which, frame) == result


def test_facts_are_dragged_on_the_slider(
    facts: FactsView, open_game: MainWindow, qtbot: QtBot
) -> None:
    timeline = open_game.screen_panel.timeline
    facts.facts.pin("30 = 3")
    facts.facts.pin("40..60 unchanged")
    assert [(mark.row, mark.frame) for mark in timeline.fact_marks] == [(0, 30), (1, 40), (1, 60)]
    qtbot.waitUntil(lambda: facts.model.rowCount() > 0)
    QTest.mousePress(timeline, Qt.MouseButton.LeftButton, pos=grip(timeline, 30))
    QTest.mouseMove(timeline, grip(timeline, 80))
    QTest.mouseRelease(timeline, Qt.MouseButton.LeftButton, pos=grip(timeline, 80))
    assert facts.facts.rows[0].line == "80 = 3"
    assert timeline.value() == 80
    QTest.mouseDClick(timeline, Qt.MouseButton.LeftButton, pos=grip(timeline, 80))
    assert [each.on for each in facts.facts.rows] == [False, True]
    assert facts.text == "40..60 unchanged"
    menu = open_game.parts[FactsView].slider_menu(80, 0)
    next(each for each in menu.actions() if "again" in each.text()).trigger()
    assert [each.on for each in facts.facts.rows] == [True, True]
    next(each for each in menu.actions() if each.text() == "Remove it").trigger()
    assert [mark.row for mark in timeline.fact_marks] == [0, 0]


def test_results_change_with_a_fact_that_is_dragged(facts: FactsView, qtbot: QtBot) -> None:
    note = facts.window().docks.all["facts"].header.note  # type: ignore[attr-defined]  # MainWindow
    facts.facts.pin("50 = 3")
    qtbot.waitUntil(lambda: "fit" in note.text())
    before = note.text()
    facts.facts.move_fact(0, 0, 1)
    qtbot.waitUntil(lambda: note.text() != before)


def test_an_answer_to_facts_that_were_left_out_meanwhile_is_not_shown(
    facts: FactsView, qtbot: QtBot
) -> None:
    turn, ended = threading.Event(), threading.Event()
    facts.background.start(lambda _: turn.wait(120))
    facts.facts.pin("50 = 3")
    qtbot.waitUntil(lambda: len(facts.background._jobs) == 2)
    facts.facts.toggle(0)
    facts.solve()
    turn.set()
    facts.background.start(lambda _: None, lambda _: ended.set())
    qtbot.waitUntil(ended.is_set)
    assert facts.matches.rowCount() == 0


def test_a_solution_that_is_dropped_while_it_waits_is_never_looked_for(
    facts: FactsView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A movie may play for a minute on the same thread, while the facts change many times."""
    turn, solved, waiting = threading.Event(), list[Grouped](), facts.background._jobs

    def counted(library: MovieLibrary, pinned: Grouped) -> Answer:
        solved.append(pinned)
        return answer(library, pinned)

    monkeypatch.setattr(facts_module, "answer", counted)
    facts.background.start(lambda _: turn.wait(120))
    for line in ("50 = 3", "60 = 3", "70 = 3"):
        before = len(waiting)
        facts.facts.pin(line)
        qtbot.waitUntil(lambda: len(waiting) > before)  # noqa: B023 - called at once
    turn.set()
    qtbot.waitUntil(lambda: not waiting)
    assert len(solved) == 1
    assert facts.matches.rowCount() > 0


def test_facts_that_change_before_the_game_answers_are_not_solved(
    facts: FactsView, open_game: MainWindow, qtbot: QtBot
) -> None:
    facts.facts.pin("50 = 3")
    qtbot.waitUntil(lambda: facts.matches.rowCount() > 0)
    turn, ended = threading.Event(), threading.Event()
    open_game.bridge.ask(lambda _: turn.wait(120))
    facts.solve()
    facts.facts.toggle(0)
    facts.solve()
    open_game.bridge.ask(lambda _: None, lambda _: ended.set())
    turn.set()
    qtbot.waitUntil(ended.is_set)
    qtbot.waitUntil(lambda: not facts.background._jobs)
    assert facts.matches.rowCount() == 0


def test_facts_stay_with_the_line_of_play_that_they_were_pinned_on(
    facts: FactsView, open_game: MainWindow, qtbot: QtBot
) -> None:
    timeline, note = open_game.screen_panel.timeline, open_game.docks.all["facts"].header.note

    def play(start: int, score: int) -> None:
        """Play 30 frames from a frame on with a score that is poked, and pin it to the newest."""

        def forked(session: Session) -> int:
            session.timeline.seek(start)
            session.memory.write(SCORE, ">u4", score)
            session.advance(frames=30)
            return session.timeline.length

        lengths: list[int] = []
        open_game.bridge.ask(forked, lengths.append)
        qtbot.waitUntil(lambda: bool(lengths))
        step(open_game, qtbot)
        newest = lengths[0] + 1
        qtbot.waitUntil(lambda: timeline.facts is not None and timeline.facts.length == newest)
        note.clear()
        facts.facts.pin(f"{lengths[0]} = {score}")
        qtbot.waitUntil(lambda: "fit" in note.text())

    def fits() -> set[int]:
        found = [facts.model.item(row) for row in range(facts.model.rowCount())]
        return {
            each.address for row in found if not row.match.failed for each in row.match.readings
        }

    play(100, 250)
    qtbot.waitUntil(lambda: SCORE in fits())
    play(60, 70)
    qtbot.waitUntil(lambda: "another branch" in facts.facts.index(0, 0).data())
    qtbot.waitUntil(lambda: SCORE in fits())
    assert "another branch" not in facts.facts.index(1, 0).data()
    assert [mark.row for mark in timeline.fact_marks] == [1]
    kept: list[str] = []
    open_game.bridge.ask(lambda session: session.timeline.branches[-1].name, kept.append)
    qtbot.waitUntil(lambda: bool(kept))
    open_game.parts[TravelController].switch_to(kept[0])
    qtbot.waitUntil(lambda: [mark.row for mark in timeline.fact_marks] == [0])
    assert "another branch" in facts.facts.index(1, 0).data()
    open_game.parts[TravelController].delete_branch("main")
    facts.facts.toggle(0)
    qtbot.waitUntil(lambda: "no longer kept" in facts.problem.text())


def test_a_fact_belongs_to_the_line_on_which_it_was_pinned_however_soon_that_is_left(
    facts: FactsView, open_game: MainWindow, qtbot: QtBot
) -> None:
    def fork(session: Session) -> str:
        session.advance(frames=60)
        session.timeline.seek(20)
        session.memory.write(SCORE, ">u4", 250)
        open_game.bridge.show(session.advance(frames=30))
        return session.timeline.branches[-1].name

    kept: list[str] = []
    open_game.bridge.ask(fork, kept.append)
    qtbot.waitUntil(lambda: bool(kept) and frame_number(open_game) == 50)
    note = open_game.docks.all["facts"].header.note
    facts.facts.pin("40 = 250")
    open_game.parts[TravelController].switch_to(kept[0])
    qtbot.waitUntil(lambda: "fit" in note.text())
    timeline = open_game.screen_panel.timeline
    qtbot.waitUntil(lambda: timeline.facts is not None and timeline.facts.length > 60)
    assert "another branch" in facts.facts.index(0, 0).data()
    assert not timeline.fact_marks


def test_facts_about_a_movie_count_too(
    facts: FactsView, open_game: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    movie = tmp_path / "another.bk2"

    def record(session: Session) -> int:
        session.record(movie)
        session.advance(frames=40)
        session.stop_recording()
        return session.timeline.position

    recorded: list[int] = []
    open_game.bridge.ask(record, recorded.append)
    qtbot.waitUntil(lambda: bool(recorded))
    open_game.parts[FactsView].add_movie(movie)
    qtbot.waitUntil(lambda: facts.source.currentData() == movie)
    facts.value.setText("7")
    facts.pin()
    assert "frame" in facts.problem.text()
    facts.value.setText("20 = 3")
    facts.pin()
    assert facts.facts.rows[0].source == movie
    assert not open_game.screen_panel.timeline.fact_marks
    note = open_game.docks.all["facts"].header.note
    qtbot.waitUntil(lambda: "fit" in note.text())
    facts.facts.pin("30 = 3")
    qtbot.waitUntil(lambda: facts.model.rowCount() > 0)
    facts.facts.clear()
    facts.facts.pin("99999 = 3", movie)
    qtbot.waitUntil(lambda: "99999" in facts.problem.text())


def test_movies_that_are_added_at_once_are_both_kept(
    facts: FactsView, open_game: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    movies = [tmp_path / "one.bk2", tmp_path / "other.bk2"]

    def record(session: Session) -> int:
        for movie in movies:
            session.record(movie)
            session.advance(frames=4)
            session.stop_recording()
        return session.timeline.position

    recorded: list[int] = []
    open_game.bridge.ask(record, recorded.append)
    qtbot.waitUntil(lambda: bool(recorded))
    for movie in movies:
        facts.add_movie(movie)
    qtbot.waitUntil(lambda: facts.source.findData(movies[1]) > 0)
    for movie in movies:
        facts.facts.pin("2 = 3", movie)
    note = open_game.docks.all["facts"].header.note
    qtbot.waitUntil(lambda: "fit" in note.text())
    assert not facts.problem.text()
