"""After an edit of the scenario every panel shows the same numbers of recorded play."""

import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui_driver import do_and_show, frame_number, open_and_wait

from integrator.commands.demo import PlayScript
from integrator.commands.shared.options import demo_game
from integrator.paths import shipped
from integrator.session.edits import commands as edits
from integrator.session.frame.result import FrameResult
from integrator.session.session import Session
from integrator.session.setup.game import Game
from integrator.ui.review.branches import BranchColumn, BranchesView
from integrator.ui.review.movies.movies_lists import MovieColumn
from integrator.ui.review.movies.movies_view import MoviesView
from integrator.ui.review.plots_panel import REWARD, PlotsView
from integrator.ui.score.reward_view import RewardView
from integrator.ui.score.what_if_view import WhatIfView
from integrator.ui.shell.main_window import MainWindow

pytestmark = pytest.mark.usefixtures("shared_window")

START_FRAME = 184
"""Frame of the demo game's input script that its state Start begins with."""

FRAMES = 700


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A copy of the demo game."""
    return Path(shutil.copytree(demo_game(), tmp_path / "EmberMoth-Nes-v0"))


@pytest.fixture
def played(window: MainWindow, qtbot: QtBot, game: Path) -> MainWindow:
    """A game with points in it on the timeline, which parted from a branch at its last frames."""
    open_and_wait(window, qtbot, game)

    def play(session: Session) -> FrameResult:
        source = shipped("resources") / "demo-game" / "input-script.json"
        rows = PlayScript.load(source, session.system.buttons).inputs[START_FRAME:]
        session.run(rows[: FRAMES - 1])
        session.timeline.seek(FRAMES - 20)
        return session.advance(frames=20)

    ask(window, qtbot, play)
    window.use_workspace("score")
    slider = window.screen_panel.timeline
    qtbot.waitUntil(lambda: slider.facts is not None and slider.facts.length == FRAMES)
    return window


def ask(window: MainWindow, qtbot: QtBot, work: Callable[[Session], FrameResult]) -> None:
    """Let the session do something, and show where it stands then."""
    newest = do_and_show(window, qtbot, work)
    qtbot.waitUntil(lambda: frame_number(window) == newest.number)


def edit(window: MainWindow, factor: float) -> None:
    """Let points of the game's score be worth more, as the field on the card does."""
    window.controller.edit(
        edits.set_in_scenario(("reward", "variables", "score", "reward"), factor)
    )


def series(window: MainWindow, name: str) -> list[float]:
    """The numbers of a series that is plotted."""
    row = window.parts[PlotsView].canvas.shown.get(name)
    values = row.curve.getOriginalDataset()[1] if row else None
    return [] if values is None else list(values)


def numbers(window: MainWindow) -> dict[str, float]:
    """The reward up to the newest frame, as each panel shows it."""
    facts = window.screen_panel.timeline.facts
    result = window.parts[WhatIfView].result
    assert facts is not None
    branches = window.parts[BranchesView].model
    plain = (text.replace(",", "") for text in (window.status.cumulative.text(),))
    plotted = series(window, REWARD)
    card = window.parts[RewardView].card("score")
    assert card is not None
    trend = window.parts[RewardView].terms[0].history
    note = window.docks.all["reward"].header.note.text()
    return {
        "slider": float(facts.totals[-1]),
        "all": facts.rewards[0],
        "branches": float(
            str(branches.index(0, BranchColumn.REWARD).data() or "").replace(",", "") or "nan"
        ),
        "so far": float(note.split("·")[1].split()[0].replace(",", "")),
        "status": float(next(plain).split(">")[1].split("<")[0]),
        "plots": plotted[-1] if plotted else float("nan"),
        "what-if": result.episodes[0].after_return[0] if result else float("nan"),
        "card": trend[-1] if trend else float("nan"),
    }


def agree(window: MainWindow, qtbot: QtBot, expected: float) -> None:
    """Wait until all panels show the number."""

    def check() -> None:
        found = numbers(window)
        assert found == pytest.approx(dict.fromkeys(found, expected))

    qtbot.waitUntil(check)


def test_all_panels_say_the_same_after_an_edit(played: MainWindow, qtbot: QtBot) -> None:
    played.docks.all["plots"].come_forward()
    assert played.controller.last is not None
    points = played.controller.last.outcome.total_rewards[0]
    assert points > 0
    agree(played, qtbot, points)
    edit(played, 3.0)
    agree(played, qtbot, points * 3)
    played.actions_by_key["undo"].trigger()
    agree(played, qtbot, points)


def test_a_movie_that_was_run_is_judged_anew(played: MainWindow, qtbot: QtBot, game: Path) -> None:
    movie = game / "played.bk2"
    ask(played, qtbot, lambda session: export(session, movie))
    played.use_workspace("review")
    played.parts[MoviesView].list_folder(game)
    model = played.parts[MoviesView].model
    qtbot.waitUntil(lambda: model.row_of(movie) is not None)

    def result() -> str:
        return str(model.index(model.row_of(movie) or 0, MovieColumn.REWARD).data())

    played.parts[MoviesView].run_to_end([movie])
    qtbot.waitUntil(lambda: result() != "")
    before = float(result())
    edit(played, 3.0)
    qtbot.waitUntil(lambda: float(result()) == before * 3 > 0)


def export(session: Session, path: Path) -> FrameResult:
    session.timeline.export(path, 1)
    return session.timeline.seek(session.timeline.length)


SCRIPT = "function f() return 2 end"


def use_script(game: Game) -> None:
    game.integration.history.touch("s.lua")
    game.integration.scripts["s.lua"] = SCRIPT
    edits.set_in_scenario(("scripts",), ["s.lua"])(game)
    edits.set_in_scenario(("reward",), {"script": "f"})(game)


def test_slow_scripts_show_progress_and_can_be_stopped(
    played: MainWindow, qtbot: QtBot, held_scoring: threading.Event
) -> None:
    scoring = played.status.scoring
    before = played.screen_panel.timeline.facts
    assert before is not None
    played.controller.edit(use_script)
    qtbot.waitUntil(scoring.stop.isVisible)
    QTest.mouseClick(scoring.stop, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(scoring.again.isVisible)
    held_scoring.set()
    assert "Stopped" in scoring.toolTip()
    facts = played.screen_panel.timeline.facts
    assert facts is not None
    assert facts.rewards == before.rewards
    QTest.mouseClick(scoring.again, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not scoring.isVisible())

    def check() -> None:
        facts = played.screen_panel.timeline.facts
        assert facts is not None
        assert facts.rewards == (2.0 * facts.length,)
        assert [branch.rewards for branch in facts.branches] == [(2.0 * FRAMES,)]

    qtbot.waitUntil(check)
    assert played.controller.last is not None
    assert played.controller.last.outcome.total_rewards == (2.0 * facts.length,)


SCRIPTS = "function never() return false end function two() return 2 end"


def end_by_script(game: Game) -> None:
    game.integration.history.touch("s.lua")
    game.integration.scripts["s.lua"] = SCRIPTS
    edits.set_in_scenario(("scripts",), ["s.lua"])(game)
    edits.set_in_scenario(("done",), {"script": "never"})(game)
    edits.set_in_scenario(("reward", "variables", "score", "reward"), 3.0)(game)


def test_parts_of_the_reward_have_curves_beside_scripts_and_by_scripts(
    played: MainWindow, qtbot: QtBot
) -> None:
    played.docks.all["plots"].come_forward()
    plots, reward = played.parts[PlotsView], played.parts[RewardView]
    assert played.controller.last is not None
    points = played.controller.last.outcome.total_rewards[0]

    def agreed(name: str, expected: float) -> None:
        def check() -> None:
            term = reward.terms[0]
            assert term.name == name
            assert list(term.history)[-1:] == [expected]
            assert series(played, f"{name} → reward")[-1:] == [expected]

        qtbot.waitUntil(check)

    plots.toggle("score → reward")
    agreed("score", points)
    played.controller.edit(end_by_script)
    agreed("score", points * 3)
    assert not reward.script_note.isVisibleTo(reward)
    played.controller.edit(edits.set_in_scenario(("reward", "script"), "two"))
    qtbot.waitUntil(lambda: len(reward.terms) == 2)
    plots.toggle("two → reward")
    agreed("two", 2.0 * FRAMES)
    assert reward.script_note.isVisibleTo(reward)
    assert plots.chosen == [REWARD, "score", "two → reward"]
    # A script alone is a reward, too.
    played.controller.edit(edits.set_in_scenario(("reward", "variables"), None))
    agreed("two", 2.0 * FRAMES)
    assert reward.pages.currentIndex() == 1
