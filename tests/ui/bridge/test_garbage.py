"""Cycles are collected while a game plays, and what the window is made of only when it does not."""

import gc
import threading
import weakref
from contextlib import ExitStack
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from ui_driver import open_and_wait

from integrator.session.session import Session
from integrator.ui.bridge.garbage import return_memory
from integrator.ui.shell.main_window import MainWindow
from libretro_host.processes.kernel import resident_bytes


class Cycle:
    """Something that only a collection frees."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def _nothing_is_frozen() -> None:
    """As in the program, where no tests were collected."""
    gc.unfreeze()


def made() -> weakref.ref[Cycle]:
    return weakref.ref(Cycle())


def test_while_a_game_plays_only_what_is_new_is_collected(
    window: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    open_and_wait(window, qtbot, airstriker)
    kept = Cycle()
    old = weakref.ref(kept)
    window.bridge.play()
    qtbot.waitUntil(lambda: gc.get_freeze_count() > 10_000)
    del kept
    # Versions of Python differ in the number of objects after which they collect.
    new = [made() for _ in range(gc.get_threshold()[0] + 1)][-1]
    qtbot.waitUntil(lambda: new() is None)
    gc.collect()
    assert old() is not None
    window.bridge.pause()
    qtbot.waitUntil(lambda: old() is None)
    assert gc.get_freeze_count() < 1000


def test_a_game_that_was_closed_while_it_played_is_forgotten(
    window: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    open_and_wait(window, qtbot, airstriker)
    sessions: list[weakref.ref[Session]] = []
    window.bridge.ask(lambda session: sessions.append(weakref.ref(session)), lambda _: None)
    window.bridge.play()
    qtbot.waitUntil(lambda: gc.get_freeze_count() > 10_000)
    window.actions_by_key["close_game"].trigger()
    qtbot.waitUntil(lambda: sessions[0]() is None)


def test_memory_that_a_thread_freed_goes_back_to_the_system() -> None:
    kept: list[bytearray] = []

    def work() -> None:
        pieces = [(bytearray(100_000), bytearray(1000)) for _ in range(2000)]
        kept.extend(small for _, small in pieces)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    before = resident_bytes()
    return_memory()
    assert before - resident_bytes() > 100e6


def test_cycles_are_collected_by_python_after_the_last_window_only(
    window: MainWindow, qtbot: QtBot, airstriker: Path, held_garbage: ExitStack
) -> None:
    open_and_wait(window, qtbot, airstriker)
    window.bridge.play()
    qtbot.waitUntil(lambda: gc.get_freeze_count() > 10_000)
    held_garbage.close()
    assert not gc.isenabled()
    window.close()
    assert gc.isenabled()
    assert gc.get_freeze_count() < 1000


def test_a_hold_of_its_own_outlasts_the_window(window: MainWindow, held_garbage: ExitStack) -> None:
    window.close()
    assert not gc.isenabled()
    held_garbage.close()
    assert gc.isenabled()
