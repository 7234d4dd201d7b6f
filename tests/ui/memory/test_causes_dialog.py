"""What changed this: the recorded changes of a number in Memory, and a way to their frames."""

from pytestqt.qtbot import QtBot
from ui_driver import OPEN_TIMEOUT_MS, frame_number, open_and_wait, step

from integrator.commands.shared.options import demo_game
from integrator.ui.memory.memory_view import MemoryView
from integrator.ui.shell.main_window import MainWindow

FRAMES = 0x314
"""The demo game counts its frames here, in two bytes."""


def test_changes_are_listed_told_and_gone_to(window: MainWindow, qtbot: QtBot) -> None:
    open_and_wait(window, qtbot, demo_game())
    window.use_workspace("find")
    step(window, qtbot, 12)
    memory, view = window.parts[MemoryView], window.parts[MemoryView].causes
    qtbot.waitUntil(memory.grid.isVisible)
    memory.grid.go_to(FRAMES)
    menu = memory.menu()
    next(each for each in menu.actions() if each.text() == "What changed this?").trigger()
    qtbot.waitUntil(view.isVisible, timeout=OPEN_TIMEOUT_MS)
    changes = view.model.rows
    assert len(changes) >= 8
    assert {(each.step, each.held) for each in changes} == {(1, ())}
    assert f"by +1 on {len(changes)} of them. No button goes with it" in view.facts.text()
    view.try_causes.click()
    qtbot.waitUntil(lambda: "No button is needed for it" in view.trials.text())
    view.table.activated.emit(view.model.index(len(changes) - 1, 0))
    first = changes[-1].frame
    qtbot.waitUntil(lambda: frame_number(window) == first, timeout=OPEN_TIMEOUT_MS)
    window.bridge.close_game()
    assert not view.isVisible()
