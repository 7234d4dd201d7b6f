"""The What-if panel: a wrong scenario is seen on recorded play, and corrected."""

import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui_driver import do_and_show, frame_number, open_and_wait, settled_frame, wait_for_timers

from integrator.commands.demo import PlayScript
from integrator.commands.shared.options import demo_game
from integrator.paths import shipped
from integrator.session.edits import commands as edits
from integrator.session.frame.result import FrameResult
from integrator.session.rescoring import WhatIfJob, WhatIfResult
from integrator.session.session import Session
from integrator.ui.score.what_if_view import EpisodeColumn, WhatIfView
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.docks import dock_of

START_FRAME = 184
"""Frame of the demo game's input script that its state Start begins with."""


def play_to_the_end(session: Session) -> FrameResult:
    """One whole game of the demo: the script, then idle until the bats have won."""
    source = shipped("resources") / "demo-game" / "input-script.json"
    script = PlayScript.load(source, session.system.buttons)
    session.run(script.inputs[START_FRAME:])
    session.advance((1 << session.system.buttons.index("START"),), frames=2)  # it ends paused
    while not session.advance(frames=30).values["game_over"]:
        assert session.timeline.length < 8000
    return session.advance()


@pytest.fixture
def played(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> MainWindow:
    """The demo game in the Score workspace, played to its end."""
    game = Path(shutil.copytree(demo_game(), tmp_path / "EmberMoth-Nes-v0"))
    open_and_wait(window, qtbot, game)
    window.use_workspace("score")
    newest = do_and_show(window, qtbot, play_to_the_end)
    settled(window, qtbot, lambda result: result.frames == newest.number)
    wait_for_timers(qtbot, window.parts[WhatIfView])
    for _ in range(2):  # The comparison that the last timer began: its start, and its one step.
        settled_frame(window, qtbot)
    return window


def settled(window: MainWindow, qtbot: QtBot, holds: object) -> WhatIfResult:
    """The panel's content once it is as expected."""
    view = window.parts[WhatIfView]

    def check() -> bool:
        return view.result is not None and bool(holds(view.result))  # type: ignore[operator]  # callable

    qtbot.waitUntil(check)
    assert view.result is not None
    return view.result


def set_done(window: MainWindow, value: object) -> None:
    """Edit the done block as the panel's fields do."""
    window.controller.edit(edits.set_in_scenario(("done",), value))


def test_curves_lie_above_numbers_in_a_narrow_panel(played: MainWindow, qtbot: QtBot) -> None:
    view = played.parts[WhatIfView]
    settled(played, qtbot, lambda result: result.same)
    view.setParent(None)
    qtbot.addWidget(view)
    digit = view.fontMetrics().horizontalAdvance("0")
    for digits, is_narrow in ((100, False), (44, True), (100, False)):
        view.resize(digits * digit, 30 * digit)
        view.show()
        canvas = view.canvas
        assert canvas is not None
        qtbot.waitUntil(canvas.isVisible)
        assert (canvas.width() > 0.9 * view.width()) == is_narrow
        assert canvas.height() > 6 * digit
        for column in (EpisodeColumn.BEFORE, EpisodeColumn.AFTER):
            needed = view.table.sizeHintForIndex(view.model.index(0, column)).width()
            assert view.table.columnWidth(column) >= needed


def test_a_wrong_done_is_corrected_by_what_if(played: MainWindow, qtbot: QtBot) -> None:
    view = played.parts[WhatIfView]
    unedited = settled(played, qtbot, lambda result: result.same)
    lost = unedited.episodes[0].before_done
    assert lost is not None
    assert "no difference" in dock_of(view).header.note.text()
    assert view.moves.count() == 0
    # Lives are counted from 0: "zero" ends the episode one life too early.
    set_done(played, {"variables": {"lives": {"op": "zero"}}})
    wrong = settled(played, qtbot, lambda result: not result.same)
    early = wrong.episodes[0].after_done
    assert early is not None
    assert early < lost
    assert view.moves.count() >= 1
    assert view.model.index(0, EpisodeColumn.DONE_AFTER).data() == f"{early:,}"
    assert view.canvas is not None
    assert len(view.canvas.marks.points()) == len(wrong.moves)
    # Look at the frame: the moth still has a life, so that is not the end.
    item = view.moves.item(0)
    where = view.moves.visualItemRect(item).center()
    QTest.mouseClick(
        view.moves.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, where
    )
    qtbot.waitUntil(lambda: frame_number(played) == wrong.moves[0].start)
    assert played.controller.last is not None
    assert played.controller.last.values["game_over"] == 0
    set_done(played, {"variables": {"lives": {"op": "negative"}}})
    right = settled(played, qtbot, lambda result: result.episodes[0].after_done == lost)
    assert right.same


def test_before_is_what_was_saved_or_one_edit_ago(played: MainWindow, qtbot: QtBot) -> None:
    view = played.parts[WhatIfView]
    for reward in (2, 3):
        played.controller.edit(
            edits.set_in_scenario(("reward", "variables", "score", "reward"), reward)
        )

    def times(result: WhatIfResult) -> float:
        episode = result.episodes[0]
        return episode.after_return[0] / episode.before_return[0]

    settled(played, qtbot, lambda result: times(result) == 3)
    QTest.mouseClick(view.baseline.button("edit"), Qt.MouseButton.LeftButton)
    settled(played, qtbot, lambda result: times(result) == 1.5)
    QTest.mouseClick(view.baseline.button("saved"), Qt.MouseButton.LeftButton)
    settled(played, qtbot, lambda result: times(result) == 3)
    played.actions_by_key["save"].trigger()
    settled(played, qtbot, lambda result: result.same)


@pytest.mark.parametrize("workspace", ["play", "review"])
def test_recorded_play_is_compared_in_any_workspace(
    open_game: MainWindow, qtbot: QtBot, workspace: str
) -> None:
    open_game.use_workspace(workspace)
    wait_for_timers(qtbot, open_game.parts[WhatIfView])
    open_game.docks.all["what_if"].come_forward()
    settled(open_game, qtbot, lambda result: result.same)
    open_game.use_workspace(workspace)
    open_game.controller.edit(edits.set_in_scenario(("reward", "time"), {"reward": 2}))
    wait_for_timers(qtbot, open_game.parts[WhatIfView])
    open_game.docks.all["what_if"].come_forward()
    settled(open_game, qtbot, lambda result: not result.same)


def use_script(window: MainWindow) -> None:
    """Let a script give the reward."""

    def write(session: Session) -> None:
        session.integration.scripts["s.lua"] = "function f() return 1 end"

    window.bridge.ask(write)
    rules = {"scripts": ["s.lua"], "reward": {"script": "f"}}
    window.controller.edit(edits.change_scenario(lambda root: root.update(rules)))


def test_a_panel_that_is_first_seen_while_frames_are_scored_shows_that(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, held_scoring: threading.Event
) -> None:
    open_and_wait(window, qtbot, Path(shutil.copytree(demo_game(), tmp_path / "EmberMoth-Nes-v0")))
    newest = do_and_show(window, qtbot, play_to_the_end)
    use_script(window)
    window.use_workspace("score")
    view = window.parts[WhatIfView]
    qtbot.waitUntil(lambda: "frame by frame" in view.status.text())
    assert view.cancel.isVisible()
    held_scoring.set()
    settled(window, qtbot, lambda result: result.frames == newest.number)


def test_scripts_show_progress_and_can_be_stopped(
    played: MainWindow, qtbot: QtBot, held_scoring: threading.Event
) -> None:
    view = played.parts[WhatIfView]
    use_script(played)
    qtbot.waitUntil(view.cancel.isVisible)
    assert "frame by frame" in view.status.text()
    QTest.mouseClick(view.cancel, Qt.MouseButton.LeftButton)
    assert view.again.isVisible()
    assert view.result is not None
    assert view.result.same
    held_scoring.set()
    QTest.mouseClick(view.again, Qt.MouseButton.LeftButton)
    settled(played, qtbot, lambda result: not result.same)
    assert not view.cancel.isVisible()


def test_a_stop_between_two_slices_ends_the_scoring(
    played: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, gaps = played.parts[WhatIfView], played.bridge.frame_gaps
    jobs: list[WhatIfJob] = []
    held: list[Callable[[], object]] = []

    def run(chore: Callable[[], object]) -> None:
        """Let slices wait, as they do while frames are coming."""
        if getattr(chore, "__self__", None) is view._live:
            held.append(chore)
        else:
            chore()

    def waits_between_slices() -> bool:
        if held and not jobs:
            held.pop()()
        return bool(held and jobs)

    monkeypatch.setattr(gaps, "run", run)
    monkeypatch.setattr(WhatIfJob, "step", lambda job, _: jobs.append(job))
    set_done(played, {"variables": {"lives": {"op": "zero"}}})
    qtbot.waitUntil(waits_between_slices)
    view.cancel.click()
    while held:
        held.pop()()
    settled_frame(played, qtbot)
    assert len(jobs) == 1


def test_rules_beyond_use_are_told_and_the_curves_stay(played: MainWindow, qtbot: QtBot) -> None:
    view = played.parts[WhatIfView]
    before = view.result
    set_done(played, {"variables": {"nobody": {"op": "zero"}}})
    qtbot.waitUntil(lambda: "nobody" in view.status.text())
    assert view.result is before
