"""The Movies panel: a folder's movies, and the outcome of those that were played."""

import shutil
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from desynced import give_another_rom
from movie_fixtures import choose, pick
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui_driver import MOVIE_FRAMES, banners, frame_number, settled_frame, step

from integrator.domain.errors import SessionError
from integrator.domain.movies.model import MovieConsole
from integrator.domain.movies.writer import MovieWriter
from integrator.session.edits import commands as edits
from integrator.session.frame.result import PlaybackEnded
from integrator.session.hidden import movies
from integrator.session.hidden.movies import MovieScore
from integrator.session.library.entries import MovieInfo
from integrator.ui.review.input_log.input_log_panel import InputLogView
from integrator.ui.review.movies.movies_compared import MovieCurves, SideBySide
from integrator.ui.review.movies.movies_lists import MovieColumn, MovieResult
from integrator.ui.review.movies.movies_view import MoviesView
from integrator.ui.review.travel_controller import TravelController
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.table import DataTable
from integrator.ui.widgets.theme import SIZES

pytestmark = pytest.mark.usefixtures("shared_window")


def text(window: MainWindow, path: Path, column: MovieColumn) -> str:
    model = window.parts[MoviesView].model
    row = model.row_of(path)
    assert row is not None
    return str(model.index(row, column).data())


def test_a_folder_lists_its_movies(review: MainWindow, airstriker: Path) -> None:
    assert text(review, airstriker / "good.bk2", MovieColumn.FRAMES) == str(MOVIE_FRAMES + 1)
    assert "Genesis Plus GX" in text(review, airstriker / "good.bk2", MovieColumn.CORE)
    assert text(review, airstriker / "broken.bk2", MovieColumn.RESULT) == "unreadable"


def test_movies_in_folders_of_the_folder_are_listed_with_their_place(
    review: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    for place in ("jerk/Level1", "brute"):
        (airstriker / place).mkdir(parents=True)
        shutil.copy(airstriker / "good.bk2", airstriker / place / "good.bk2")
    (airstriker / ".hidden").mkdir()
    shutil.copy(airstriker / "good.bk2", airstriker / ".hidden" / "good.bk2")
    view = review.parts[MoviesView]
    view.read()
    qtbot.waitUntil(lambda: view.model.rowCount() == 5)
    names = [str(view.model.index(row, MovieColumn.NAME).data()) for row in range(5)]
    assert names == ["broken.bk2", "brute/good.bk2", "good.bk2", "jerk/Level1/good.bk2", "lies.bk2"]
    review.screen_panel.transport.speed_chosen.emit(0.0)
    path = airstriker / "jerk" / "Level1" / "good.bk2"
    view.play([path])
    qtbot.waitUntil(lambda: text(review, path, MovieColumn.RESULT) == "not done")
    for other in (airstriker / "good.bk2", airstriker / "brute" / "good.bk2"):
        assert text(review, other, MovieColumn.RESULT) == ""


def test_a_played_movie_says_how_it_went(
    review: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    path = airstriker / "good.bk2"
    review.screen_panel.transport.speed_chosen.emit(0.0)
    review.parts[MoviesView].play([path])
    qtbot.waitUntil(lambda: text(review, path, MovieColumn.RESULT) == "not done")
    assert float(text(review, path, MovieColumn.REWARD)) == reward_of_line(review)
    assert review.controller.paused


def test_a_movie_that_an_edit_leaves_keeps_its_return(
    review: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    path = airstriker / "good.bk2"
    price(review, -1.0)
    review.parts[MoviesView].run_to_end([path])
    qtbot.waitUntil(lambda: text(review, path, MovieColumn.RESULT) == "not done")
    whole = text(review, path, MovieColumn.REWARD)
    review.parts[MoviesView].play([path])
    qtbot.waitUntil(lambda: text(review, path, MovieColumn.RESULT) == "playing")
    step(review, qtbot, 20)
    frame = settled_frame(review, qtbot) - 2
    review.parts[InputLogView].edit(frame, frame, 0, 0, pressed=True)
    qtbot.waitUntil(lambda: text(review, path, MovieColumn.RESULT) == "not done")
    settled_frame(review, qtbot)
    assert text(review, path, MovieColumn.REWARD) == whole


def reward_of_line(window: MainWindow) -> float:
    """The reward of the last episode played, as the window says it."""
    last = window.controller.last
    assert last is not None
    return last.outcome.total_rewards[0]


def test_a_movie_that_goes_out_of_step_is_told(
    review: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    path = airstriker / "lies.bk2"
    lie(path)
    review.parts[MoviesView].run_to_end([path])
    qtbot.waitUntil(lambda: "out of step" in text(review, path, MovieColumn.RESULT))
    qtbot.waitUntil(lambda: any("out of step" in banner for banner in banners(review)))


def test_a_movie_that_cannot_be_scored_says_why(
    review: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    view, movie = review.parts[MoviesView], airstriker / "lies.bk2"
    give_another_rom(movie)
    view.score_movies([movie])
    qtbot.waitUntil(lambda: view.model.result(movie).text == "failed")
    row = view.model.row_of(movie)
    assert row is not None
    tip = view.model.index(row, MovieColumn.RESULT).data(Qt.ItemDataRole.ToolTipRole)
    assert "it was recorded with another ROM" in tip


def test_cancel_ends_the_run_of_movies(review: MainWindow, qtbot: QtBot, airstriker: Path) -> None:
    paths, stopped = [airstriker / "good.bk2", airstriker / "lies.bk2"], threading.Event()
    lie(paths[1])
    review.bridge.ask(lambda _: stopped.wait(120))
    review.parts[MoviesView].run_to_end(paths)
    review.parts[TravelController].replay.stop()  # as Cancel does, which a short run never shows
    stopped.set()
    qtbot.waitUntil(lambda: not any(text(review, each, MovieColumn.RESULT) for each in paths))
    assert not [banner for banner in banners(review) if "out of step" in banner]


def lie(path: Path) -> None:
    """Write a movie whose hashes are of other play."""
    from integrator.domain.movies.reading import read_movie
    from integrator.session.opening import movie_consoles

    movie = read_movie(path, movie_consoles())
    writer = MovieWriter(
        path,
        game=movie.game,
        console=MovieConsole(movie.buttons, movie.system),
        state=movie.state,
        core=movie.core,
    )
    writer.append(movie.inputs, [12345] * movie.frames)
    writer.close()


def price(window: MainWindow, reward: float) -> None:
    """Let each frame cost."""
    window.controller.edit(edits.set_in_scenario(("reward",), {"time": {"reward": reward}}))


def names(window: MainWindow) -> list[str]:
    """The movies in the order of the rows."""
    model = window.parts[MoviesView].model
    return [model.at(row).path.stem for row in range(model.rowCount())]


def rewards(window: MainWindow, paths: tuple[Path, ...]) -> list[str]:
    return [text(window, path, MovieColumn.REWARD) for path in paths]


def click_title(window: MainWindow, column: MovieColumn) -> None:
    header = window.parts[MoviesView].table.horizontalHeader()
    place = QPoint(header.sectionViewportPosition(column) + 12, header.height() // 2)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_movies_are_sorted_by_the_title_that_is_clicked(
    review: MainWindow, agents: tuple[Path, ...]
) -> None:
    assert names(review) == ["a", "b", "broken", "c"]
    click_title(review, MovieColumn.FRAMES)
    assert names(review) == ["b", "c", "a", "broken"]
    choose(review, agents[:1])
    click_title(review, MovieColumn.FRAMES)
    assert names(review) == ["a", "c", "b", "broken"]
    assert review.parts[MoviesView].chosen() == [agents[0]]


def test_a_folder_is_scored_beside_the_game_and_compared(
    review: MainWindow, qtbot: QtBot, agents: tuple[Path, ...]
) -> None:
    view, shown = review.parts[MoviesView], frame_number(review)
    QTest.mouseClick(view.score, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(view.progress.isVisible)
    qtbot.waitUntil(lambda: "" not in rewards(review, agents))
    assert rewards(review, agents) == ["-150", "-90", "-120"]
    assert frame_number(review) == shown
    qtbot.waitUntil(view.progress.isHidden)
    click_title(review, MovieColumn.REWARD)
    click_title(review, MovieColumn.REWARD)
    assert names(review) == ["b", "c", "a", "broken"]
    assert set(view.curves.drawn) == set(agents)
    assert "3 movies: best -90 · median -120 · worst -150" in view.curves.words
    choose(review, agents[:2])
    assert set(view.curves.chosen) == set(agents[:2])
    assert "2 movies: best -90 · median -120 · worst -150" in view.curves.words
    review.resize(1280, 720)
    assert view.curves.isVisible()
    qtbot.waitUntil(lambda: view.height() < 290)
    assert view.model.rowCount() == 4
    qtbot.waitUntil(lambda: view.table.viewport().height() >= 4 * SIZES.row)
    price(review, 2.0)
    qtbot.waitUntil(lambda: rewards(review, agents) == ["300", "180", "240"])


def test_scoring_can_be_cancelled(
    review: MainWindow, qtbot: QtBot, agents: tuple[Path, ...]
) -> None:
    view = review.parts[MoviesView]
    QTest.mouseClick(view.score, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(view.progress.isVisible)
    QTest.mouseClick(view.progress.cancel, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(view.progress.isHidden)
    assert "waits" not in [text(review, path, MovieColumn.RESULT) for path in agents]
    assert "" in rewards(review, agents)


def test_chosen_movies_run_to_their_ends(
    review: MainWindow, qtbot: QtBot, agents: tuple[Path, ...]
) -> None:
    choose(review, agents[:2])
    assert review.parts[MoviesView].score.text() == "Score 2"
    pick(review, agents[0], "Run 2 to their ends")
    qtbot.waitUntil(lambda: rewards(review, agents) == ["-150", "-90", ""])
    assert [each.last.frame for each in review.parts[MoviesView]._judged.values()] == [None] * 2
    # The news that the first one ended may come while the second one runs.
    review.bridge.event_received.emit(PlaybackEnded("", path=agents[0]))
    answered: list[None] = []
    review.bridge.ask(lambda _: None, answered.append)
    qtbot.waitUntil(lambda: bool(answered))
    assert rewards(review, agents) == ["-150", "-90", ""]
    assert [text for text in banners(review) if "has ended" in text] == []


def test_movies_are_played_one_after_the_other_and_the_next(
    review: MainWindow, qtbot: QtBot, agents: tuple[Path, ...]
) -> None:
    review.screen_panel.transport.speed_chosen.emit(0.0)
    choose(review, agents[:2])
    pick(review, agents[0], "one after the other")
    qtbot.waitUntil(lambda: rewards(review, agents) == ["-150", "-90", ""])
    QTest.mouseClick(review.parts[MoviesView].next, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: rewards(review, agents) == ["-150", "-90", "-120"])


def test_a_movie_that_cannot_be_read_leaves_the_waiting_ones(
    review: MainWindow, qtbot: QtBot, agents: tuple[Path, ...]
) -> None:
    view = review.parts[MoviesView]
    review.screen_panel.transport.speed_chosen.emit(0.25)
    view.play(agents[:2])
    qtbot.waitUntil(lambda: text(review, agents[0], MovieColumn.RESULT) == "playing")
    broken = view.model.row_of(agents[0].with_name("broken.bk2"))
    view.table.activated.emit(view.model.index(broken or 0, MovieColumn.NAME))
    review.screen_panel.transport.speed_chosen.emit(0.0)
    qtbot.waitUntil(lambda: rewards(review, agents) == ["-150", "-90", ""])


def test_a_movie_that_another_one_replaces_plays_no_longer(
    review: MainWindow, qtbot: QtBot, agents: tuple[Path, ...]
) -> None:
    view = review.parts[MoviesView]
    results: list[str] = []

    def play_next(path: Path) -> None:
        QTest.mouseClick(view.next, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: text(review, path, MovieColumn.RESULT) == "playing")
        results[:] = [text(review, each, MovieColumn.RESULT) for each in agents]

    review.screen_panel.transport.speed_chosen.emit(0.25)
    view.model.set_result(agents[1], MovieResult("not done", "good", (-90.0,)))
    play_next(agents[0])
    assert results == ["playing", "not done", ""]
    play_next(agents[1])
    assert results == ["", "playing", ""]
    assert rewards(review, agents)[1] == "-90", "known before, and so while it plays"
    play_next(agents[2])
    assert results == ["", "not done", "playing"]


def test_a_recorded_movie_is_listed_wherever_it_lies(
    review: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "mine.bk2"
    with qtbot.waitSignal(review.controller.recording_changed):
        review.controller.record(elsewhere)
    step(review, qtbot, 2)
    review.actions_by_key["stop_recording"].trigger()
    model = review.parts[MoviesView].model
    qtbot.waitUntil(lambda: model.row_of(elsewhere) is not None)
    assert model.rowCount() == 4


def test_five_thousand_movies_are_filtered_grouped_and_have_moments(
    review: MainWindow,
) -> None:
    view = review.parts[MoviesView]
    movies = [
        MovieInfo(
            Path(f"/{agent}/{number:06}.bk2"), agent=agent, state="Start", episode=number, frames=9
        )
        for agent in ("jerk", "random")
        for number in range(2500)
    ]
    view.model.set_movies(movies)
    for movie in movies[:60]:
        done = (movie.episode or 0) % 2 == 0
        view.model.set_result(
            movie.path, MovieResult("", "good", (float(movie.episode or 0),), done)
        )
    began = time.process_time()
    view.filter.setText("agent:jerk return<50")
    assert view.model.rowCount() == 50
    view.filter.setText("agent:jerk return<many")
    assert view.filter.property("invalid")
    view.filter.clear()
    view.show_page("groups")
    assert [len(group.movies) for group in view.lists.groups.rows] == [2500, 2500]
    first = view.lists.groups.rows[0]
    assert (first.agent, max(first.returns), first.done) == ("jerk", 59.0, 30)
    table = view.lists.currentWidget()
    assert isinstance(table, DataTable)
    table.activated.emit(view.lists.groups.index(0, 0))
    assert view.model.rowCount() == 2500
    assert view.lists.currentIndex() == 0
    assert time.process_time() - began < 3


def test_moments_tell_episodes_apart_whose_files_have_one_name(
    review: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    view, paths = review.parts[MoviesView], []
    for number in range(2):
        folder = airstriker / "agents" / "jerk-start" / f"{number:06}"
        folder.mkdir(parents=True)
        name = "Airstriker-Genesis-v0-Level1-000000.bk2"
        paths.append(Path(shutil.copy(airstriker / "good.bk2", folder / name)))
    view.list_folder(airstriker / "agents")
    qtbot.waitUntil(lambda: view.model.rowCount() == 2)
    for path in paths:
        view._take(MovieScore(path, np.zeros((9, 1), np.float32)))
    view.show_page("moments")
    qtbot.waitUntil(lambda: view.lists.moments.rowCount() == 2)
    shown = {view.lists.moments.index(row, 3).data() for row in range(2)}
    assert shown == {"jerk 0 · Level1", "jerk 1 · Level1"}
    view._take(movies.failed_score(paths[1], SessionError("lost")))
    view.show_page("moments")
    qtbot.waitUntil(lambda: [each.path for each in view.lists.moments.rows] == paths[:1])


def test_a_moment_jumps_and_two_movies_part(
    review: MainWindow,
    qtbot: QtBot,
    agents: tuple[Path, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(movies, "first_other_ram", lambda _, paths, *__: 7 * len(paths))
    view = review.parts[MoviesView]
    view.score_movies(list(agents))
    qtbot.waitUntil(lambda: all(rewards(review, agents)))
    choose(review, agents[:2])
    view.show_page("moments")
    qtbot.waitUntil(
        lambda: ("RAM differ", 14) in [(m.kind, m.frame) for m in view.lists.moments.rows]
    )
    qtbot.waitUntil(lambda: "inputs differ" in [each.kind for each in view.lists.moments.rows])
    [parted] = [each for each in view.lists.moments.rows if each.kind == "inputs differ"]
    assert (parted.path, parted.size) == (agents[0], 91)  # the other one has 90 frames
    [loss] = [
        each for each in view.lists.moments.rows if each.path == agents[1] and "loss" in each.kind
    ]
    view.jump(loss.path, loss.frame)
    qtbot.waitUntil(lambda: frame_number(review) >= loss.frame)
    pick(review, agents[0], "side by side")
    qtbot.waitUntil(lambda: review.findChild(SideBySide) is not None)
    dialog = review.findChild(SideBySide)
    assert dialog is not None
    qtbot.waitUntil(lambda: "frame 1 of 150" in dialog.state.text())
    assert "from frame 91" in dialog.firsts[0].text()
    dialog.firsts[0].click()
    qtbot.waitUntil(lambda: "frame 91" in dialog.state.text())
    dialog.close()


@pytest.mark.usefixtures("theme")
def test_many_movies_that_are_scored_again_are_drawn(qtbot: QtBot) -> None:
    """A failed painting ends the program."""
    curves = MovieCurves()
    qtbot.addWidget(curves)
    curves.resize(300, 100)
    for reward in (1.0, 2.0):
        for number in range(30):
            curves.add_score(MovieScore(Path(f"{number}.bk2"), np.full((9, 1), reward, np.float32)))
    assert not curves._painted_ground().isNull()
    picked = curves.movie_at(curves._area().topRight())
    assert picked is not None
    assert curves.drawn[picked][-1, 1] == 18


def test_only_other_files_or_scripts_compare_ram_again(
    review: MainWindow,
    qtbot: QtBot,
    agents: tuple[Path, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared: list[object] = []

    def compare(*pair: object) -> int:
        compared.append(pair)
        return 14

    monkeypatch.setattr(movies, "first_other_ram", compare)
    view, moments = review.parts[MoviesView], review.parts[MoviesView].lists.moments
    view.show_page("moments")
    view.score_movies(agents[:2])
    qtbot.waitUntil(lambda: "RAM differ" in [each.kind for each in moments.rows])
    view.read()  # the files may be others
    qtbot.waitUntil(lambda: not view._other_ram)
    view.show_page("moments")
    qtbot.waitUntil(lambda: len(compared) == 2)
    qtbot.waitUntil(lambda: "RAM differ" in [each.kind for each in moments.rows])
    before = rewards(review, agents[:2])
    price(review, -2.0)
    qtbot.waitUntil(lambda: view._asked == {} and rewards(review, agents[:2]) != before)
    view._show_moments()
    qtbot.waitUntil(view.progress.isHidden)
    assert "RAM differ" in [each.kind for each in moments.rows]
    assert len(compared) == 2


def test_a_look_at_two_movies_displaces_no_scoring(
    review: MainWindow,
    qtbot: QtBot,
    agents: tuple[Path, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(movies, "first_other_ram", lambda *_: 14)
    view, go_on = review.parts[MoviesView], threading.Event()
    view.show_page("moments")
    view.score_movies(agents[:2])
    qtbot.waitUntil(lambda: all(rewards(review, agents[:2])))
    review.bridge.ask(lambda _: go_on.wait(120))
    view.score_movies(agents[2:3])
    view.take_traps(())  # shows the moments, as each change of the list does
    qtbot.wait(400)
    go_on.set()
    qtbot.waitUntil(lambda: all(rewards(review, agents[:3])))


def test_the_movies_of_a_closed_game_are_gone(review: MainWindow, qtbot: QtBot) -> None:
    view = review.parts[MoviesView]
    view.read()  # answered after the game is closed
    review.bridge.close_game()
    assert view.model.rowCount() == 0
    answers: list[None] = []
    review.bridge.in_background(lambda: None, answers.append)
    qtbot.waitUntil(lambda: bool(answers))
    assert view.model.rowCount() == 0
