"""The remains of a killed program are offered again: unsaved edits, and play."""

import json
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

import pytest
import warm_children
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox, QPushButton
from pytestqt.qtbot import QtBot
from ui_driver import banners, frame_number, open_and_wait, scenario, step, timeline_facts

from integrator import paths
from integrator.commands.shared.options import demo_game
from integrator.domain.integration.directory import load_integration
from integrator.session.recovery import Recoverable, left_behind, recover
from integrator.session.session import Session
from integrator.session.timeline.restorer import Progress
from integrator.ui.score.reward_view import RewardView
from integrator.ui.shell.assistant import AssistantController
from integrator.ui.shell.files import disk_changes
from integrator.ui.shell.files.disk_changes import Recovery
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.parts import ProofBar

CHILD = Path(__file__).parents[3] / "session" / "recovery_child.py"

_DIES = """
import os, sys
from pathlib import Path
from integrator.session.opening import open_journaled
session = open_journaled(Path(sys.argv[1]))
session.reset()
session.advance((), frames=int(sys.argv[2]))
os.kill(os.getpid(), 9)
"""


def die_while_playing(game: Path, frames: int) -> None:
    done = warm_children.run([sys.executable, "-c", _DIES, str(game), str(frames)], check=False)
    assert done.returncode == -9


@pytest.fixture
def held_recovery(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Recoveries stand still after 600 frames until they are stopped, or the event is set."""
    go_on = threading.Event()

    def held(left: Recoverable, progress: Progress) -> Session:
        def hold(done: int, total: int) -> bool:
            goes_on = progress(done, total)
            while done >= 600 and goes_on and not go_on.wait(0.01):
                goes_on = progress(done, total)
            return goes_on

        return recover(left, hold)

    monkeypatch.setattr(disk_changes, "recover", held)
    return go_on


def press_remedy(window: MainWindow, qtbot: QtBot, part: str) -> None:
    """Press the button of the banner that says ``part``."""

    def found() -> list[QPushButton]:
        shown = window.screen_panel.notices.banners()
        return [
            button
            for banner in shown
            if part in banner.text
            for button in banner.findChildren(QPushButton)
        ]

    qtbot.waitUntil(lambda: bool(found()))
    QTest.mouseClick(found()[0], Qt.MouseButton.LeftButton)


def draft_of_an_edit(window: MainWindow, qtbot: QtBot) -> Path:
    """Reward the time, and wait until the draft of the edit is on disk."""
    window.parts[RewardView].add_time()
    drafts = paths.user_cache_dir() / "drafts"
    qtbot.waitUntil(lambda: bool(list(drafts.glob("*.json"))))
    (draft,) = drafts.glob("*.json")
    return draft


def test_unsaved_edits_are_offered_after_a_death(
    open_game: MainWindow, qtbot: QtBot, airstriker: Path, new_window: Callable[[], MainWindow]
) -> None:
    before = (airstriker / "scenario.json").read_bytes()
    draft = draft_of_an_edit(open_game, qtbot)
    kept = draft.read_bytes()
    other = new_window()
    open_and_wait(other, qtbot, airstriker)
    other.close()
    assert not any("Unsaved edits" in text for text in banners(other)), "the first window lives"
    open_game.close()
    assert not list(draft.parent.iterdir()), "giving up the edits gives up their draft"
    draft.write_bytes(kept)
    fresh = new_window()
    open_and_wait(fresh, qtbot, airstriker)
    press_remedy(fresh, qtbot, "Unsaved edits of Airstriker-Genesis-v0")
    qtbot.waitUntil(lambda: "time" in str(scenario(fresh)))
    assert fresh.isWindowModified()
    assert (airstriker / "scenario.json").read_bytes() == before
    fresh.actions_by_key["save"].trigger()
    qtbot.waitUntil(lambda: not fresh.isWindowModified())
    qtbot.waitUntil(lambda: not list(draft.parent.iterdir()))


def test_unsaved_edits_are_offered_at_the_next_start(
    open_game: MainWindow, qtbot: QtBot, airstriker: Path, new_window: Callable[[], MainWindow]
) -> None:
    before = (airstriker / "scenario.json").read_bytes()
    draft = draft_of_an_edit(open_game, qtbot)
    kept = draft.read_bytes()
    second = new_window()
    second.parts[Recovery].offer()
    qtbot.wait(300)
    assert not banners(second), "the first window lives"
    open_game.close()
    draft.write_bytes(kept)
    second.parts[Recovery].offer()
    press_remedy(second, qtbot, "unsaved edits of Airstriker-Genesis-v0: scenario.json")
    qtbot.waitUntil(lambda: "time" in str(scenario(second)))
    assert second.isWindowModified()
    assert (airstriker / "scenario.json").read_bytes() == before
    assert not any("Unsaved edits" in text for text in banners(second)), "they are restored"


def test_edits_of_a_game_that_does_not_open_go_into_no_other(
    open_game: MainWindow, qtbot: QtBot, airstriker: Path, new_window: Callable[[], MainWindow]
) -> None:
    draft = draft_of_an_edit(open_game, qtbot)
    kept = draft.read_bytes()
    open_game.close()
    draft.write_bytes(kept)
    second = new_window()
    second.parts[Recovery].offer()
    (airstriker / "rom.md").unlink()
    press_remedy(second, qtbot, "unsaved edits of Airstriker-Genesis-v0")
    qtbot.waitUntil(lambda: any("ROM" in text for text in banners(second)))
    open_and_wait(second, qtbot, demo_game())
    qtbot.wait(300)
    assert not second.isWindowModified()


def test_play_goes_on_after_a_death(
    window: MainWindow, qtbot: QtBot, airstriker: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    die_while_playing(airstriker, 150)
    window.parts[Recovery].offer()
    press_remedy(window, qtbot, "ended suddenly while you played Airstriker-Genesis-v0")
    assert any("its frames run again" in text for text in banners(window))
    qtbot.waitUntil(lambda: frame_number(window) == 151)
    step(window, qtbot)
    assert frame_number(window) == 152
    monkeypatch.setattr(QMessageBox, "question", lambda *_: None)
    window.close()
    assert not window.isVisible(), "recovered play has no unsaved edits"


def offer_long_play(window: MainWindow, airstriker: Path) -> None:
    die_while_playing(airstriker, 900)
    window.parts[Recovery].offer()


def begin_recovery(window: MainWindow, qtbot: QtBot) -> ProofBar:
    """Accept the recovery of a game, and wait until its progress is shown."""
    press_remedy(window, qtbot, "ended suddenly while you played")
    bar = window.screen_panel.replay
    qtbot.waitUntil(lambda: bar.isVisible() and bar.bar.value() >= 600)
    return bar


def test_a_long_recovery_shows_its_progress_and_is_offered_again_if_canceled(
    window: MainWindow, qtbot: QtBot, airstriker: Path, held_recovery: threading.Event
) -> None:
    offer_long_play(window, airstriker)
    bar = begin_recovery(window, qtbot)
    assert (bar.text.text(), bar.bar.maximum()) == ("Replaying 901 frames", 901)
    QTest.mouseClick(bar.cancel, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not bar.isVisible())
    qtbot.waitUntil(lambda: any("00:15.0 are on record" in text for text in banners(window)))
    assert not window.bridge.is_open
    assert not any("could not be opened" in text for text in banners(window))
    begin_recovery(window, qtbot)
    held_recovery.set()
    qtbot.waitUntil(lambda: frame_number(window) == 901)
    assert not bar.isVisible()


def test_another_game_need_not_wait_for_a_recovery(
    window: MainWindow, qtbot: QtBot, airstriker: Path, held_recovery: threading.Event
) -> None:
    offer_long_play(window, airstriker)
    begin_recovery(window, qtbot)
    open_and_wait(window, qtbot, demo_game())
    qtbot.waitUntil(lambda: any("on record" in text for text in banners(window)))
    begin_recovery(window, qtbot)
    held_recovery.set()
    qtbot.waitUntil(lambda: frame_number(window) == 901)


@pytest.mark.usefixtures("held_recovery")
def test_a_state_that_is_opened_instead_of_a_recovery_is_loaded(
    window: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    offer_long_play(window, airstriker)
    begin_recovery(window, qtbot)
    with qtbot.waitSignal(window.bridge.opened):
        window.open_path(demo_game() / "Level2.state")
    qtbot.waitUntil(lambda: "state" in {mark.kind for mark in timeline_facts(window).markers})


@pytest.mark.usefixtures("held_recovery")
def test_an_assistant_may_open_a_game_instead_of_a_recovery(
    window: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    offer_long_play(window, airstriker)
    begin_recovery(window, qtbot)
    opened: Future[None] = Future()
    window.parts[AssistantController].open(demo_game(), opened)
    qtbot.waitUntil(opened.done)
    assert opened.exception() is None
    assert window.bridge.is_open


@pytest.mark.usefixtures("held_recovery")
def test_a_window_that_is_closed_in_a_recovery_loses_nothing(
    window: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    offer_long_play(window, airstriker)
    [before] = left_behind()
    begin_recovery(window, qtbot)
    window.close()
    assert left_behind() == [before]


def test_recovered_play_that_no_window_shows_is_offered_again(
    window: MainWindow, qtbot: QtBot, airstriker: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The window is closed after the work of the recovery, and before its result arrives."""
    die_while_playing(airstriker, 150)
    window.parts[Recovery].offer()
    done = threading.Event()

    def recovered(left: Recoverable, progress: Progress) -> Session:
        session = recover(left, progress)
        done.set()
        return session

    monkeypatch.setattr(disk_changes, "recover", recovered)
    monkeypatch.setattr(window.bridge, "_adopt", lambda *_: None)
    press_remedy(window, qtbot, "ended suddenly while you played")
    assert done.wait(60)
    window.close()
    [left] = left_behind()
    assert left.play is not None
    assert left.play.frames == 151


def test_play_and_edits_are_one_offer_with_one_answer(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, new_window: Callable[[], MainWindow]
) -> None:
    source = load_integration(demo_game()).rom
    assert source is not None
    rom = Path(shutil.copy(source, tmp_path / "Moth.nes"))
    child = [sys.executable, str(CHILD), str(rom), str(tmp_path / "root")]
    done = warm_children.run(child, stdout=subprocess.PIPE, check=False)
    assert done.returncode == -9
    told = json.loads(done.stdout)
    made = Path(told["directory"])
    # Opened by hand first: the same offer is there, and the only one.
    open_and_wait(window, qtbot, made)
    qtbot.waitUntil(lambda: any("on record" in text for text in banners(window)))
    assert not any("were kept" in text for text in banners(window))
    press_remedy(window, qtbot, "Unsaved edits come back with them: ")
    qtbot.waitUntil(lambda: frame_number(window) == told["frames"])
    game, documents = window.controller.game, window.controller.documents
    assert game is not None
    assert documents is not None
    assert (game.directory, game.is_integration) == (made, True)
    assert (documents.scenario_name, documents.states) == ("hard", ("Here",))
    assert window.isWindowModified()
    # Another window is offered neither: they belong to this one now.
    other = new_window()
    other.parts[Recovery].offer()
    qtbot.wait(300)
    assert not banners(other)
    window.actions_by_key["save"].trigger()
    qtbot.waitUntil(lambda: not window.isWindowModified())
    assert (made / "hard.json").is_file()
    assert (made / "Here.state").is_file()


def test_a_clean_end_leaves_nothing_to_offer(
    open_game: MainWindow, qtbot: QtBot, new_window: Callable[[], MainWindow]
) -> None:
    step(open_game, qtbot, 2)
    open_game.close()
    fresh = new_window()
    fresh.parts[Recovery].offer()
    qtbot.wait(300)
    assert not banners(fresh)
