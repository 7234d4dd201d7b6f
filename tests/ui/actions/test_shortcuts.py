"""The keys of commands: chosen, taken from each other, kept, and shown everywhere."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListWidget, QTextBrowser
from pytestqt.qtbot import QtBot
from ui_driver import frame_number, step, timeline_facts

from integrator.ui.actions.shortcuts import (
    PANEL_KEYS,
    Shortcuts,
    panel_actions,
    scope_of,
    shown_keys,
)
from integrator.ui.actions.shortcuts_dialog import ShortcutsDialog
from integrator.ui.guide.help_controller import keys_page, panel_page
from integrator.ui.help import HelpDialog
from integrator.ui.memory.memory_view import MemoryView
from integrator.ui.play.preferences import PreferencesDialog
from integrator.ui.settings import UiSettings
from integrator.ui.shell.main_window import MainWindow
from scripts.book.window import window_page

pytestmark = pytest.mark.usefixtures("qapp")

_CONTROL = Qt.KeyboardModifier.ControlModifier
_SHIFT = Qt.KeyboardModifier.ShiftModifier


def table(settings: UiSettings) -> Shortcuts:
    """Three commands, one without keys."""
    shortcuts = Shortcuts(settings.text, settings.set_text)
    for key, keys in (("play", "Ctrl+P"), ("reset", "Ctrl+R"), ("fork", "")):
        shortcuts.add(key, "Play", QAction(key.title(), shortcuts), keys, f"Tip of {key}")
    return shortcuts


@pytest.fixture
def settings(tmp_path: Path) -> UiSettings:
    """An empty settings file."""
    return UiSettings(tmp_path / "window.ini")


def keys(shortcuts: Shortcuts) -> dict[str, str]:
    return {each.key: each.keys for each in shortcuts.commands}


def test_keys_go_to_one_command_only_and_are_kept(settings: UiSettings) -> None:
    shortcuts = table(settings)
    assert keys(shortcuts) == {"play": "Ctrl+P", "reset": "Ctrl+R", "fork": ""}
    holder = shortcuts.holder("Ctrl+R", other_than="fork")
    assert holder is not None
    assert holder.key == "reset"
    assert shortcuts.holder("Ctrl+R", other_than="reset") is None
    assert shortcuts.holder("", other_than="play") is None
    shortcuts.assign("fork", "Ctrl+R")
    assert keys(shortcuts) == {"play": "Ctrl+P", "reset": "", "fork": "Ctrl+R"}
    assert shortcuts["fork"].action.toolTip() == "Tip of fork (Ctrl+R)"
    assert shortcuts["reset"].action.toolTip() == "Tip of reset"
    settings.save()
    again = table(UiSettings(settings.path))
    assert keys(again) == keys(shortcuts)
    again.assign("reset", "Ctrl+R")  # back to its default: fork has none again
    assert keys(again) == {"play": "Ctrl+P", "reset": "Ctrl+R", "fork": ""}
    again.assign("play", "Ctrl+,")
    again.assign("play", "")
    again.reset_all()
    assert keys(again) == {"play": "Ctrl+P", "reset": "Ctrl+R", "fork": ""}
    assert settings.text("view/shortcuts") is None


@pytest.mark.parametrize(
    ("kept", "expected"),
    [
        ("play=Ctrl+Y\nreset=Ctrl+Y", {"play": "Ctrl+Y", "reset": "Ctrl+R", "fork": ""}),
        ("fork=Ctrl+P", {"play": "", "reset": "Ctrl+R", "fork": "Ctrl+P"}),
        ("fork=Banana\nnonsense\nplay=", {"play": "", "reset": "Ctrl+R", "fork": ""}),
        ("fork=Ctrl+P, Ctrl+X", {"play": "Ctrl+P", "reset": "Ctrl+R", "fork": ""}),
    ],
)
def test_a_damaged_file_leaves_no_keys_with_two_commands(
    settings: UiSettings, kept: str, expected: dict[str, str]
) -> None:
    settings.set_text("view/shortcuts", kept)
    assert keys(table(settings)) == expected


def test_a_panels_keys_are_its_own_and_kept(settings: UiSettings) -> None:
    def with_panels(kept: UiSettings) -> Shortcuts:
        shortcuts = table(kept)
        for key, default in (("log.remove", "Del"), ("log.undo", "Ctrl+R"), ("hex.remove", "Del")):
            shortcuts.add(key, "Panel", QAction(key, shortcuts), default)
        return shortcuts

    shortcuts = with_panels(settings)
    assert scope_of("log.undo") == "log"
    assert shortcuts.holder("Ctrl+R", other_than="log.undo") is None
    holder = shortcuts.holder("Del", other_than="log.undo")
    assert holder is not None
    assert holder.key == "log.remove"
    shortcuts.assign("log.undo", "Del")
    shortcuts.assign("fork", "Del")
    expected = {"play": "Ctrl+P", "reset": "Ctrl+R", "fork": "Del"}
    expected |= {"log.remove": "", "log.undo": "Del", "hex.remove": "Del"}
    assert keys(shortcuts) == expected
    assert "“log.remove” removes" in shortcuts.with_present("Del removes", "log")
    assert shortcuts.with_present("Del removes", "hex") == "Del removes"
    settings.save()
    assert keys(with_panels(UiSettings(settings.path))) == expected


def test_texts_name_the_present_keys(settings: UiSettings) -> None:
    shortcuts = table(settings)
    text = "Ctrl+P, then Ctrl+R (not Ctrl+Shift+P, Ctrl+PgUp)"
    assert shortcuts.with_present(text) == text
    shortcuts.assign("play", "Ctrl+R")
    assert shortcuts.with_present(text) == "Ctrl+R, then “Reset” (not Ctrl+Shift+P, Ctrl+PgUp)"
    shortcuts.assign("reset", "Ctrl+P")
    assert shortcuts.with_present("Ctrl+P, Ctrl+R") == "Ctrl+R, Ctrl+P"


def dialog_of(window: MainWindow) -> ShortcutsDialog:
    """The dialog, opened from Preferences as a user does."""
    window.actions_by_key["preferences"].trigger()
    preferences = window.findChild(PreferencesDialog)
    assert preferences is not None
    preferences.shortcuts.click()
    preferences.close()
    dialog = window.findChild(ShortcutsDialog)
    assert dialog is not None
    return dialog


def cell(dialog: ShortcutsDialog, row: int, column: int = 0) -> str:
    """The text of a cell."""
    return str(dialog.table.model().index(row, column).data())


def choose(dialog: ShortcutsDialog, text: str) -> None:
    """Search for a command and select the row that is left with this name."""
    QTest.keyClicks(dialog.search, text)
    rows = range(dialog.table.rowCount())
    left = [row for row in rows if not dialog.table.isRowHidden(row)]
    named = [row for row in left if cell(dialog, row) == text]
    assert len(named) == 1
    assert len(left) < dialog.table.rowCount() / 4
    dialog.table.selectRow(named[0])
    dialog.search.clear()


def test_every_row_of_the_panels_keys_works_in_its_panel(window: MainWindow) -> None:
    rows = PANEL_KEYS
    window.docks.fill_all()
    for key, dock in window.docks.all.items():
        own = panel_actions(dock)
        assert list(own) == [each for each in rows if each.partition(".")[0] == key]
    assert list(panel_actions(window.screen_panel)) == [key for key in rows if "slider." in key]
    shortcuts = window.actions_by_key.shortcuts
    for key, (_, default) in PANEL_KEYS.items():
        assert shortcuts[key].keys == default
        assert f"| {shortcuts[key].text} | {shown_keys(default)} |" in keys_page(shortcuts)
    assert "| Input log | Insert frames | Ins |" in window_page()


def test_changed_keys_of_panels_work_there_alone_and_before_the_windows(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    window = open_game
    window.activateWindow()
    window.use_workspace("find")
    shortcuts, memory = window.actions_by_key.shortcuts, window.parts[MemoryView]
    slider = window.screen_panel.timeline
    dialog = dialog_of(window)
    choose(dialog, "Go to an address")
    QTest.keyClick(dialog.field, Qt.Key.Key_F, _CONTROL)
    qtbot.waitUntil(dialog.take.isVisible)
    assert "Ctrl+F belongs to Find a number or text" in dialog.message.text()
    dialog.leave.click()
    QTest.keyClick(dialog.field, Qt.Key.Key_P, _CONTROL)
    qtbot.waitUntil(lambda: shortcuts["memory.go_to"].keys == "Ctrl+P")
    choose(dialog, "To the first frame")
    QTest.keyClick(dialog.field, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: shortcuts["slider.first"].keys == "Space")
    dialog.close()

    window.activateWindow()
    memory.grid.setFocus()
    qtbot.waitUntil(memory.grid.hasFocus)
    QTest.keyClick(memory.grid, Qt.Key.Key_G, _CONTROL)
    assert not memory.go_to.hasFocus()
    QTest.keyClick(memory.grid, Qt.Key.Key_P, _CONTROL)
    assert memory.go_to.hasFocus()
    assert window.controller.paused
    step(window, qtbot, 3)
    qtbot.waitUntil(lambda: timeline_facts(window).length == 4)
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Home)
    assert slider.value() == 4
    QTest.keyClick(slider, Qt.Key.Key_Left)
    assert slider.value() == 3
    QTest.keyClick(slider, Qt.Key.Key_Space)
    assert slider.value() == 1
    qtbot.waitUntil(lambda: frame_number(window) == 1)
    page = panel_page("memory", window.docks, shortcuts)
    assert "| Ctrl+P | Go to an address |" in page
    assert "Ctrl+P goes to an address" in page


def test_keys_are_pressed_and_conflicts_settled(window: MainWindow, qtbot: QtBot) -> None:
    shortcuts = window.actions_by_key.shortcuts
    dialog = dialog_of(window)
    listed = {cell(dialog, row) for row in range(dialog.table.rowCount())}
    assert {"Play", "Memory", "Find workspace", "Load slot 2", "Save into slot 9"} <= listed
    choose(dialog, "Reset layout")
    QTest.keyClick(dialog.field, Qt.Key.Key_Y, _CONTROL)
    qtbot.waitUntil(lambda: shortcuts["reset_layout"].keys == "Ctrl+Y")
    assert not dialog.take.isVisible()
    QTest.keyClick(dialog.field, Qt.Key.Key_K, _CONTROL)
    qtbot.waitUntil(dialog.take.isVisible)
    assert "Ctrl+K belongs to Search actions" in dialog.message.text()
    assert shortcuts["reset_layout"].keys == "Ctrl+Y"
    dialog.leave.click()
    assert not dialog.take.isVisible()
    assert dialog.field.keySequence().toString() == "Ctrl+Y"
    QTest.keyClick(dialog.field, Qt.Key.Key_K, _CONTROL)
    qtbot.waitUntil(dialog.take.isVisible)
    dialog.take.click()
    assert shortcuts["reset_layout"].keys == "Ctrl+K"
    assert shortcuts["palette"].keys == ""
    row = [each.key for each in shortcuts.commands].index("palette")
    assert cell(dialog, row, 3) == "Ctrl+K: Reset layout now"
    assert "Ctrl+K" not in window.top_bar.search_button.text()
    QTest.keyClick(dialog.field, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: "press other keys" in dialog.message.text())
    assert shortcuts["reset_layout"].keys == "Ctrl+K"
    dialog.clear.click()
    assert shortcuts["reset_layout"].keys == ""
    dialog.reset_all.click()
    assert shortcuts["palette"].keys == "Ctrl+K"
    dialog.field.setFocus()
    QTest.keyClick(dialog.field, Qt.Key.Key_Tab)
    assert not dialog.field.hasFocus()
    dialog.field.setFocus()
    with qtbot.waitSignal(dialog.finished):
        QTest.keyClick(dialog.field, Qt.Key.Key_Escape)


def test_changed_keys_work_and_are_shown_everywhere_also_at_the_next_start(
    new_window: Callable[[], MainWindow], qtbot: QtBot
) -> None:
    window = new_window()
    shortcuts = window.actions_by_key.shortcuts
    shortcuts.assign("play", "Ctrl+Shift+Y")
    shortcuts.assign("workspace-find", "Ctrl+9")
    shortcuts.assign("load-slot-2", "Ctrl+F2")
    window.close()
    window = new_window()
    actions = window.actions_by_key
    assert actions["play"].toolTip() == "Play or pause (Ctrl+Shift+Y)"
    assert window.screen_panel.transport.play.toolTip() == "Play (Ctrl+Shift+Y)"
    assert window.top_bar.segments.button("find").toolTip().endswith("(Ctrl+9)")
    hints = {each.text: each.hint for each in window.palette_commands.all()}
    assert hints["Find workspace"] == "Ctrl+9"
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_2, _CONTROL)
    assert window.workspace == "play"
    QTest.keyClick(window, Qt.Key.Key_9, _CONTROL)
    assert window.workspace == "find"
    actions["help"].trigger()
    dialog = window.findChild(HelpDialog)
    assert dialog is not None
    pages, text = dialog.findChild(QListWidget), dialog.findChild(QTextBrowser)
    assert pages is not None
    assert text is not None
    pages.setCurrentRow(0)
    assert "Ctrl+Shift+Y plays it" in text.toPlainText()
    assert "workspace Find, Ctrl+9" in text.toPlainText()
    dialog.reject()
