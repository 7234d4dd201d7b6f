"""The Agents panel: probes play while the game is open; an episode is a row, a dot and a movie."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from pytestqt.qtbot import QtBot
from ui_driver import OPEN_TIMEOUT_MS, frame_number, timeline_facts

from integrator.agents.result import EpisodeResult
from integrator.domain.values.variables import TIME_TERM
from integrator.session.edits.commands import set_in_scenario
from integrator.ui.agents.agents_panel import AgentsView, EpisodeRow
from integrator.ui.review.movies.movies_view import MoviesView
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.theme import SIZES, ui_font

PLAY_MS = 6 * OPEN_TIMEOUT_MS
FRAMES = 120


@pytest.fixture
def agents(open_game: MainWindow) -> AgentsView:
    """The panel, with one short episode of an agent that presses nothing chosen."""
    open_game.use_workspace("agents")
    view = open_game.parts[AgentsView]
    for name, box in view.form.boxes.items():
        box.setChecked(name == "no-op")
    view.form.episodes.setValue(1)
    view.form.frames.setValue(FRAMES)
    view.form.jobs.setValue(1)
    return view


def texts(view: AgentsView, row: int) -> list[str]:
    return [str(view.sorted.index(row, column).data()) for column in EpisodeRow]


def failed_episode(error: str) -> EpisodeResult:
    return EpisodeResult("brute", "Start", 3, 0, 0.0, 0, 0.0, "error", None, error=error)


def test_an_episode_by_unsaved_edits_is_a_row_and_a_movie_that_opens_in_review(
    agents: AgentsView, open_game: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    open_game.controller.edit(set_in_scenario(["reward"], {"time": {"reward": 0.5}}))
    agents.form.others.setText("held:B+RIGHT")
    agents.start.click()
    assert not agents.start.isEnabled()
    qtbot.waitUntil(agents.start.isEnabled, timeout=PLAY_MS)
    assert agents.progress.isHidden()
    assert agents.pictures.isHidden()
    shown = sorted(texts(agents, row) for row in range(agents.sorted.rowCount()))
    rest = ["Level1", "0", "0", "60", "120", "time"]
    assert [row[:7] for row in shown] == [["held:B+RIGHT", *rest], ["no-op", *rest]]
    assert shown[0][EpisodeRow.TERMS] == f"{TIME_TERM} 60"
    open_game.parts[AgentsView].keep_movies(tmp_path / "kept")
    movies = open_game.parts[MoviesView].model
    qtbot.waitUntil(lambda: movies.rowCount() == 2)
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == [
        "held-B+RIGHT-Level1-0-000000.bk2",
        "no-op-Level1-0-000000.bk2",
    ]
    before = timeline_facts(open_game).length
    agents.table.activated.emit(agents.sorted.index(1, 0))
    qtbot.waitUntil(lambda: open_game.workspace == "review")
    # The reset's idle frame is the first of the movie.
    qtbot.waitUntil(lambda: timeline_facts(open_game).length == before + FRAMES + 1)
    qtbot.waitUntil(lambda: frame_number(open_game) == before + 1)
    open_game.bridge.close_game()
    qtbot.waitUntil(lambda: not agents.model.rows)
    assert agents.pages.currentWidget() is agents.pages.empty


def test_an_unknown_agent_is_told_and_cancelled_work_keeps_the_episodes_so_far(
    agents: AgentsView, open_game: MainWindow, qtbot: QtBot
) -> None:
    said: list[str] = []
    open_game.controller.said.connect(lambda _, text: said.append(text))
    agents.form.boxes["no-op"].setChecked(False)
    agents.start.click()
    assert said == ["Choose an agent"]
    agents.form.others.setText("nobody")
    agents.start.click()
    qtbot.waitUntil(lambda: len(said) == 2, timeout=PLAY_MS)
    assert said[1].startswith("no agent 'nobody'")
    assert agents.start.isEnabled()
    assert agents.pages.empty.heading.text() == "No agent has played yet"
    agents.form.others.setText("no-op")
    agents.form.episodes.setValue(10_000)
    agents.form.frames.setValue(300)
    agents.start.click()
    qtbot.waitUntil(lambda: agents.pages.empty.heading.text() == "The agents play", timeout=PLAY_MS)
    qtbot.waitUntil(lambda: bool(agents.pictures.texts and agents.model.rows), timeout=PLAY_MS)
    assert agents.pictures.texts[0].startswith("no-op ")
    assert agents.progress.bar.maximum() == 10_000
    agents.progress.cancel.click()
    qtbot.waitUntil(agents.start.isEnabled, timeout=PLAY_MS)
    assert 1 <= len(agents.model.rows) < 10_000
    assert agents.pictures.texts == []


RESULT = EpisodeResult("jerk", "Start", 3, 0, 20.0, 600, 10.0, "done", None, {"score": 20.0})


def test_rows_are_sorted_by_numbers_and_dots_find_their_rows(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.use_workspace("agents")
    view = window.parts[AgentsView]
    qtbot.waitUntil(lambda: view.canvas is not None)
    rewards = (20.0, 100.0, 3.0)
    view.add([replace(RESULT, episode=at, reward=reward) for at, reward in enumerate(rewards)])
    view.add([failed_episode("no such game")])
    view.table.sortByColumn(EpisodeRow.REWARD, Qt.SortOrder.DescendingOrder)
    assert [texts(view, row)[EpisodeRow.REWARD] for row in range(4)] == ["100", "20", "3", "0"]
    assert texts(view, 0)[EpisodeRow.MINUTE] == "600.0"
    assert view.summary.text() == "3 episodes: best 100 · median 20 · worst 3"
    assert view.canvas is not None
    # An episode that could not be played is no dot.
    x, y = view.canvas.dots.getData()
    assert (len(x), sorted(y)) == (3, [3.0, 20.0, 100.0])
    view.number.button("frames").click()
    assert set(view.canvas.dots.getData()[1]) == {600.0}
    view.canvas.picked.emit(2)
    assert texts(view, view.table.currentIndex().row())[EpisodeRow.REWARD] == "3"
    assert not view.open.isEnabled()


def test_titles_fields_and_the_summary_are_whole_in_a_narrow_window(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.resize(1280, 720)
    qtbot.waitUntil(lambda: window.width() == 1280)
    window.use_workspace("agents")
    view = window.parts[AgentsView]
    view.add([replace(RESULT, episode=at, reward=1234.5) for at in range(16)])
    qtbot.waitUntil(view.table.isVisible)
    header = view.table.horizontalHeader()
    titles = [column.title for column in view.model.table()]
    small = QFontMetrics(ui_font(SIZES.font_small))
    qtbot.waitUntil(
        lambda: all(
            header.sectionSize(column) >= small.horizontalAdvance(titles[column]) + 18
            for column in EpisodeRow
            if not header.isSectionHidden(column)
        )
    )
    for column in (EpisodeRow.AGENT, EpisodeRow.EPISODE, EpisodeRow.REWARD, EpisodeRow.ENDED):
        assert not header.isSectionHidden(column)
    for field in (view.form.others, view.form.cluster):
        text = field.fontMetrics().horizontalAdvance(field.placeholderText())
        assert text < field.width() - 20
    assert view.summary.width() >= view.summary.sizeHint().width()
