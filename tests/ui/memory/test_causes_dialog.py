"""Recorded changes of a number in Memory, as *What changed this?* shows them: frames, places."""

from pytestqt.qtbot import QtBot
from ui_driver import OPEN_TIMEOUT_MS, frame_number, open_and_wait, step

from integrator.commands.shared.options import demo_game
from integrator.ui.memory.memory_tools import CausesDialog
from integrator.ui.memory.memory_view import MemoryView
from integrator.ui.review.travel_controller import TravelController
from integrator.ui.shell.main_window import MainWindow

FRAMES, TIME = 0x314, 0x304
"""The demo game counts its frames here, in two bytes, and the time that is left."""


def what_changed(window: MainWindow, address: int) -> CausesDialog:
    memory = window.parts[MemoryView]
    memory.grid.go_to(address)
    actions = memory.menu().actions()
    next(each for each in actions if each.text() == "What changed this?").trigger()
    return memory.causes


def test_changes_are_listed_told_and_gone_to(window: MainWindow, qtbot: QtBot) -> None:
    open_and_wait(window, qtbot, demo_game())
    window.use_workspace("find")
    step(window, qtbot, 12)
    qtbot.waitUntil(window.parts[MemoryView].grid.isVisible)
    view = what_changed(window, FRAMES)
    qtbot.waitUntil(view.isVisible, timeout=OPEN_TIMEOUT_MS)
    changes = view.model.rows
    assert len(changes) >= 8
    assert {(each.step, each.held) for each in changes} == {(1, ())}
    assert f"by +1 on {len(changes)} of them. No button goes with it" in view.facts.text()
    view.try_causes.click()
    qtbot.waitUntil(lambda: "No button is needed for it" in view.trials.text())
    shown = list[tuple[int, str]]()
    view.model.modelReset.connect(
        lambda: shown.append((view.model.rowCount(), view.facts.text().partition("0x")[0]))
    )
    window.bridge.ask(lambda session: (session.timeline.seek(8), session.advance()))
    window.parts[TravelController].refresh()
    qtbot.waitUntil(lambda: bool(view.model.rows) and bool(shown), timeout=OPEN_TIMEOUT_MS)
    assert shown[0] == (0, "Looking for the changes of ")
    changes = view.model.rows
    assert max(each.frame for each in changes) == 9
    view.table.activated.emit(view.model.index(len(changes) - 1, 0))
    first = changes[-1].frame
    qtbot.waitUntil(lambda: frame_number(window) == first, timeout=OPEN_TIMEOUT_MS)
    window.bridge.close_game()
    assert not view.isVisible()


def test_the_place_of_the_picture_is_named_and_outlined(window: MainWindow, qtbot: QtBot) -> None:
    open_and_wait(window, qtbot, demo_game())
    window.use_workspace("find")
    qtbot.waitUntil(window.parts[MemoryView].grid.isVisible)
    window.bridge.ask(lambda session: session.advance(frames=310))
    step(window, qtbot)
    view, screen = what_changed(window, TIME), window.context.screen.game_screen
    said = "The picture changes with it at 168,16, 6 x 7 pixels (4 changes seen)"
    qtbot.waitUntil(lambda: said in view.facts.text(), timeout=OPEN_TIMEOUT_MS)
    assert list(screen.marked) == [(168, 16, 6, 7)]
    view.close()
    assert list(screen.marked) == []
