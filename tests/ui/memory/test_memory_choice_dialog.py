"""Choosing the memory that counts: the dialog, and the window's notice afterwards."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from integrator.session.setup.plan import MemoryStore, memory_path
from integrator.ui.memory.memory_tools import MemoryChoiceDialog
from integrator.ui.shell.main_window import MainWindow

GAME = "Airstriker-Genesis-v0"


def show_dialog(window: MainWindow) -> MemoryChoiceDialog:
    window.actions_by_key["memory_ranges"].trigger()
    return window.parts[MemoryChoiceDialog]


def open_again(window: MainWindow, dialog: MemoryChoiceDialog, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.bridge.opened):
        QTest.mouseClick(dialog.open_again, Qt.MouseButton.LeftButton)


def test_a_part_of_memory_is_chosen_and_given_up(open_game: MainWindow, qtbot: QtBot) -> None:
    note = open_game.docks.all["memory"].header.note
    open_game.use_workspace("find")
    qtbot.waitUntil(lambda: note.text().startswith("64 KiB"))
    dialog = show_dialog(open_game)
    assert dialog.all.isChecked()
    assert dialog.all.text() == "&All memory (64 KiB)"
    assert dialog.ranges.toPlainText() == "0xFF0000-0xFFFFFF"
    dialog.some.click()
    dialog.ranges.setPlainText("0xFF4000-0xFF4FFF")
    open_again(open_game, dialog, qtbot)
    assert MemoryStore(memory_path()).ranges(GAME) == ((0xFF4000, 0x1000),)
    game = open_game.controller.game
    assert game is not None
    assert 0x1000 < game.info.ram_bytes < 0x1100
    assert " of 64 KiB, as chosen" in note.text()
    qtbot.waitUntil(lambda: " of 64 KiB of memory" in open_game.status.message.text())

    dialog = show_dialog(open_game)
    assert dialog.some.isChecked()
    assert dialog.ranges.toPlainText() == "0xFF4000-0xFF4FFF"
    dialog.all.click()
    open_again(open_game, dialog, qtbot)
    assert MemoryStore(memory_path()).ranges(GAME) == ()
    qtbot.waitUntil(lambda: note.text().startswith("64 KiB"))
    assert "of memory" not in open_game.status.message.text()


def test_tab_goes_through_the_dialog(open_game: MainWindow, qtbot: QtBot) -> None:
    dialog = show_dialog(open_game)
    dialog.some.click()
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    dialog.ranges.setFocus()
    QTest.keyClick(dialog.ranges, Qt.Key.Key_Tab)
    assert dialog.ranges.toPlainText() == "0xFF0000-0xFFFFFF"
    assert not dialog.ranges.hasFocus()


def test_what_is_no_memory_is_told_at_once(open_game: MainWindow) -> None:
    dialog = show_dialog(open_game)
    dialog.some.click()
    for wrong, told in (("0xFF0000", "two addresses"), ("0-0xFF", "0xFF0000-0xFFFFFF"), ("", "")):
        dialog.ranges.setPlainText(wrong)
        assert told in dialog.problem.text()
        assert dialog.problem.text()
        assert not dialog.open_again.isEnabled()
    dialog.ranges.setPlainText("0xFF0000 + 16\n\n0xFF0100-0xFF01FF")
    assert not dialog.problem.text()
    assert dialog.open_again.isEnabled()
    dialog.reject()
    assert MemoryStore(memory_path()).ranges(GAME) == ()
