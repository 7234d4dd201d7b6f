"""Find what points here: chains to a number that moves, and a script that follows one."""

import pytest
from pytestqt.qtbot import QtBot
from ui_driver import banners, scenario, step

from integrator.session.session import Session
from integrator.ui.memory.memory_view import MemoryView
from integrator.ui.memory.watches import WatchesView
from integrator.ui.shell.main_window import MainWindow

HIDDEN = 0xFF8000
"""Airstriker leaves this part of its memory alone."""
FIELD = 6


@pytest.fixture
def memory(open_game: MainWindow, qtbot: QtBot) -> MemoryView:
    open_game.use_workspace("find")
    view = open_game.parts[MemoryView]
    qtbot.waitUntil(view.grid.isVisible)
    return view


def move(window: MainWindow, qtbot: QtBot, place: int) -> None:
    """Put the structure elsewhere, among pointers that stay, and play a frame."""
    done: list[None] = []

    def work(session: Session) -> None:
        session.memory.write(HIDDEN, ">u4", place)
        for number in range(1, 30):
            session.memory.write(HIDDEN + 4 * number, ">u4", 0xFF8400)

    window.bridge.ask(work, done.append)
    qtbot.waitUntil(lambda: bool(done))
    step(window, qtbot, 1)


def find(memory: MemoryView, qtbot: QtBot, address: int) -> None:
    """Choose “Find what points here” in the menu of a byte, and wait for the answer."""
    count = len(memory.pointers.seen)
    memory.grid.go_to(address)
    menu = memory.menu()
    next(each for each in menu.actions() if "points here" in each.text()).trigger()
    pointers = memory.pointers
    qtbot.waitUntil(lambda: len(pointers.seen) == count + 1)
    qtbot.waitUntil(pointers.isVisible)


def test_a_number_that_moves_is_followed_watched_and_forgotten(
    open_game: MainWindow, memory: MemoryView, qtbot: QtBot
) -> None:
    view = memory.pointers
    for place in (0xFF8600, 0xFF8A40):
        move(open_game, qtbot, place)
        find(memory, qtbot, place + FIELD)
    assert view.list.item(0).text() == f"[0x{HIDDEN:X}]+0x6"
    assert "0xFF8606" in view.facts.text()
    view.watch.click()
    watches = open_game.parts[WatchesView].model
    qtbot.waitUntil(lambda: bool(watches.watches))
    assert (watches.watches[0].address, watches.watches[0].note) == (
        0xFF8A46,
        f"[0x{HIDDEN:X}]+0x6",
    )
    view.name.setText("not a name")
    view.write.click()
    assert any("is not a name" in text for text in banners(open_game))
    view.name.setText("health")
    view.write.click()
    qtbot.waitUntil(lambda: "health.lua" in str(scenario(open_game).get("scripts")))
    view.forget.click()
    assert not memory.pointers.seen
    assert not view.isVisible()
