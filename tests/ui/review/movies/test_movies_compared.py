"""Two movies side by side: the cores of the pair end with what asked for them."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from desynced import put_out_of_step
from movie_fixtures import choose, pick
from pytestqt.qtbot import QtBot

from integrator.session.hidden import movies
from integrator.session.hidden.movies import MoviePair
from integrator.session.session import Session
from integrator.session.setup.plan import SessionPlan
from integrator.ui.review.movies import movies_compared
from integrator.ui.review.movies.movies_compared import SideBySide
from integrator.ui.shell.main_window import MainWindow


@pytest.fixture
def pairs(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> list[str]:
    """The story of the pairs that dialogs make; with a parameter, only a stop ends the making."""
    story: list[str] = []
    deadline = time.monotonic() + 60 * hasattr(request, "param")

    class Pair(MoviePair):
        def __init__(
            self, plan: SessionPlan, paths: tuple[Path, Path], stopped: Callable[[], bool]
        ) -> None:
            story.append("began")
            while time.monotonic() < deadline and not stopped():
                time.sleep(0.01)
            super().__init__(plan, paths, stopped)
            story.append("made")

    class Hidden(Session):
        def close(self, *, keep_journal: bool = False) -> None:
            super().close(keep_journal=keep_journal)
            story.append("closed")

    monkeypatch.setattr(movies_compared, "MoviePair", Pair)
    monkeypatch.setattr(movies, "Session", Hidden)
    return story


def compare(window: MainWindow, qtbot: QtBot, agents: tuple[Path, ...]) -> SideBySide:
    choose(window, agents[:2])
    pick(window, agents[0], "side by side")
    qtbot.waitUntil(lambda: window.findChild(SideBySide) is not None)
    dialog = window.findChild(SideBySide)
    assert dialog is not None
    return dialog


def test_the_cores_of_a_pair_end_with_the_window(
    review: MainWindow, qtbot: QtBot, agents: tuple[Path, ...], pairs: list[str]
) -> None:
    dialog = compare(review, qtbot, agents)
    qtbot.waitUntil(lambda: "frame 1 of 150" in dialog.state.text())
    review.close()
    assert pairs == ["began", "made", "closed", "closed"]


@pytest.mark.parametrize("pairs", ["long"], indirect=True)
def test_the_cores_of_a_pair_in_the_making_end_with_the_window(
    review: MainWindow, qtbot: QtBot, agents: tuple[Path, ...], pairs: list[str]
) -> None:
    compare(review, qtbot, agents)
    qtbot.waitUntil(lambda: bool(pairs))
    review.close()
    assert pairs == ["began", "closed"]


@pytest.mark.parametrize("pairs", ["long"], indirect=True)
@pytest.mark.parametrize("end", ["dialog", "game"])
def test_the_cores_of_a_pair_in_the_making_end_with_dialog_and_game(
    review: MainWindow, qtbot: QtBot, agents: tuple[Path, ...], pairs: list[str], end: str
) -> None:
    dialog = compare(review, qtbot, agents)
    qtbot.waitUntil(lambda: bool(pairs))
    if end == "dialog":
        dialog.close()
    else:
        review.bridge.close_game()
    qtbot.waitUntil(lambda: pairs == ["began", "closed"])
    qtbot.waitUntil(lambda: review.findChild(SideBySide) is None)


def test_a_side_that_is_out_of_step_says_so(
    review: MainWindow, qtbot: QtBot, agents: tuple[Path, ...]
) -> None:
    row = put_out_of_step(agents[1], 20)
    dialog = compare(review, qtbot, agents)
    qtbot.waitUntil(lambda: "frame 1 of 150" in dialog.state.text())
    assert not any("out of step" in facts.text() for facts in dialog.facts)
    dialog.slider.setValue(row + 1)
    qtbot.waitUntil(lambda: f"frame {row + 1} of" in dialog.state.text())
    assert "out of step" not in dialog.facts[0].text()
    assert f"out of step at row {row}" in dialog.facts[1].text()
    assert dialog.facts[1].property("role") == "bad"
