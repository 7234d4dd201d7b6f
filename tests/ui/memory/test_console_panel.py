"""The Console panel: entries by keyboard, answers, pokes, moves, and a stop from the window."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from ui_driver import cell, frame_number, step

from integrator.ui.memory.console_panel import ConsoleView
from integrator.ui.memory.variables import VariableColumn
from integrator.ui.shell.main_window import MainWindow

_SHIFT = Qt.KeyboardModifier.ShiftModifier


def enter(view: ConsoleView, qtbot: QtBot, text: str) -> str:
    """Type an entry, press Enter, and wait for the answer: the lines below the entry."""
    view.output.clear()
    QTest.keyClicks(view.entry, text)
    QTest.keyClick(view.entry, Qt.Key.Key_Return)
    qtbot.waitUntil(view.run.isEnabled)
    head, _, answer = view.output.toPlainText().partition("\n")
    assert head == f"> {text}"
    return str(answer)


def in_python(view: ConsoleView) -> None:
    """Choose Python as a user does."""
    view.language.setCurrentIndex(view.language.findText("Python"))


def test_lua_reads_pokes_when_it_may_and_earlier_entries_come_back(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    open_game.use_workspace("find")
    open_game.docks.all["console"].raise_()
    view = open_game.parts[ConsoleView]
    assert not view.stop.isEnabled()
    assert enter(view, qtbot, "data.lives") == "3"
    assert "only reads" in enter(view, qtbot, "data.lives = 7")
    assert enter(view, qtbot, "data.lives") == "3"
    view.writes.click()
    assert enter(view, qtbot, "data.lives = 7") == ""
    open_game.docks.all["variables"].raise_()
    qtbot.waitUntil(lambda: cell(open_game, "lives", VariableColumn.VALUE) == "7")
    open_game.docks.all["console"].raise_()
    assert "no variable 'lifes'" in enter(view, qtbot, "data.lifes")

    for text in ("1 + 1", "2 + 2", "1 + 1"):
        enter(view, qtbot, text)
    for key, text in (
        (Qt.Key.Key_Up, "1 + 1"),
        (Qt.Key.Key_Up, "2 + 2"),
        (Qt.Key.Key_Up, "data.lifes"),
        (Qt.Key.Key_Down, "2 + 2"),
        (Qt.Key.Key_Down, "1 + 1"),
        (Qt.Key.Key_Down, ""),
    ):
        QTest.keyClick(view.entry, key)
        assert view.entry.toPlainText() == text
    one_line = view.entry.height()
    QApplication.clipboard().setText("for i = 1, 3 do\n  print(i)\nend")
    view.entry.paste()
    assert view.entry.height() > one_line
    QTest.keyClick(view.entry, Qt.Key.Key_Up)
    assert view.entry.textCursor().blockNumber() == 1
    view.output.clear()
    view.run.click()
    qtbot.waitUntil(view.run.isEnabled)
    assert view.output.toPlainText().splitlines()[3:] == ["1", "2", "3"]
    assert view.entry.height() == one_line
    in_python(view)
    QTest.keyClicks(view.entry, "for i in range(2):")
    QTest.keyClick(view.entry, Qt.Key.Key_Return, _SHIFT)
    QTest.keyClicks(view.entry, "  print(i)")
    QTest.keyClick(view.entry, Qt.Key.Key_Return, _SHIFT)
    assert view.entry.toPlainText() == "for i in range(2):\n  print(i)\n  "


def test_python_moves_and_edits_the_game_and_ends_by_stop_or_with_it(
    open_game: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    view = open_game.parts[ConsoleView]
    in_python(view)
    before = frame_number(open_game)
    assert enter(view, qtbot, "session.advance(frames=30).number") == str(before + 30)
    qtbot.waitUntil(lambda: frame_number(open_game) == before + 30)
    enter(view, qtbot, "session.timeline.seek(5).number")
    qtbot.waitUntil(lambda: frame_number(open_game) == 5)
    enter(view, qtbot, "v = session.integration.variables; v.set('hearts', v['lives'])")
    documents = open_game.controller.documents
    assert documents is not None
    assert "hearts" in documents.variables
    open_game.actions_by_key["undo"].trigger()
    qtbot.waitUntil(
        lambda: "hearts" not in getattr(open_game.controller.documents, "variables", {})
    )

    QTest.keyClicks(view.entry, "while True: pass")
    QTest.keyClick(view.entry, Qt.Key.Key_Return)
    assert not view.run.isEnabled()
    assert view.entry.isReadOnly()
    view.stop.click()
    qtbot.waitUntil(view.run.isEnabled)
    assert view.output.toPlainText().endswith("KeyboardInterrupt: stopped")
    QTest.keyClicks(view.entry, "while True: pass")
    QTest.keyClick(view.entry, Qt.Key.Key_Return)
    with qtbot.waitSignal(open_game.bridge.opened):
        open_game.open_path(airstriker)
    assert enter(view, qtbot, "session.timeline.length") != ""


def test_without_a_game_nothing_is_entered(window: MainWindow) -> None:
    view = window.parts[ConsoleView]
    assert "data.score" in view.output.placeholderText()
    in_python(view)
    assert "session" in view.output.placeholderText()
    assert view.entry.isReadOnly()
    assert not view.run.isEnabled()


def test_a_script_draws_over_the_picture_until_it_is_stopped(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    open_game.use_workspace("find")
    open_game.docks.all["console"].raise_()
    view, screen = open_game.parts[ConsoleView], open_game.screen_panel.game_screen
    view.each_frame.click()
    enter(view, qtbot, 'gui.text(8, 8, "frame " .. emu.framecount())')
    qtbot.waitUntil(view.stop.isEnabled)
    step(open_game, qtbot)
    qtbot.waitUntil(lambda: len(screen.drawings) == 1)
    assert screen.drawings[0].text == f"frame {frame_number(open_game)}"
    view.stop.click()
    assert not screen.drawings
    step(open_game, qtbot)
    assert not screen.drawings


def test_a_script_that_waits_for_frames_runs_on_each(open_game: MainWindow, qtbot: QtBot) -> None:
    open_game.use_workspace("find")
    open_game.docks.all["console"].raise_()
    view, screen = open_game.parts[ConsoleView], open_game.screen_panel.game_screen
    view.entry.setPlainText("while true do gui.text(8, 8, 1); emu.frameadvance() end")
    view.entry.enter()
    qtbot.waitUntil(view.stop.isEnabled)
    step(open_game, qtbot, 2)
    qtbot.waitUntil(lambda: len(screen.drawings) == 1)
    view.stop.click()
    view.entry.setPlainText("41 + 1 -- not emu.frameadvance()")
    view.entry.enter()
    qtbot.waitUntil(lambda: view.output.toPlainText().endswith("\n42"))
    assert not view.stop.isEnabled()


def test_tab_completes_and_an_error_leads_to_its_line(open_game: MainWindow, qtbot: QtBot) -> None:
    open_game.use_workspace("find")
    open_game.docks.all["console"].raise_()
    view = open_game.parts[ConsoleView]
    in_python(view)
    QTest.keyClicks(view.entry, "session.timeline.see")
    QTest.keyClick(view.entry, Qt.Key.Key_Tab)
    qtbot.waitUntil(lambda: view.entry.toPlainText() == "session.timeline.seek")
    assert "seek(frame" in view.output.toPlainText()
    view.entry.setPlainText("x = 1\nx.nothing")
    view.entry.enter()
    qtbot.waitUntil(lambda: "line 2" in view.output.toPlainText())
    view.entry.setPlainText("1")
    view.entry.enter()
    follow_newest_error(view)
    assert view.entry.textCursor().block().text() == "x.nothing"


def follow_newest_error(view: ConsoleView) -> None:
    """Follow the last link among the answers."""
    cursor, links = QTextCursor(view.output.document()), []
    while not cursor.atEnd():
        cursor.movePosition(QTextCursor.MoveOperation.NextCharacter)
        links.append(cursor.charFormat().anchorHref())
    view.output.followed.emit([link for link in links if link][-1])


def test_errors_of_lua_lead_to_their_lines(open_game: MainWindow, qtbot: QtBot) -> None:
    open_game.use_workspace("find")
    open_game.docks.all["console"].raise_()
    view = open_game.parts[ConsoleView]
    enter(view, qtbot, "nothing.x")
    qtbot.waitUntil(lambda: "attempt to index" in view.output.toPlainText())
    follow_newest_error(view)
    assert view.entry.toPlainText() == "nothing.x"
    view.entry.clear()
    view.each_frame.click()
    view.entry.setPlainText("x = 1\nnothing.y = 2")
    view.entry.enter()
    qtbot.waitUntil(view.stop.isEnabled)
    step(open_game, qtbot)
    qtbot.waitUntil(lambda: "line 2: attempt" in view.output.toPlainText())
    follow_newest_error(view)
    assert view.entry.textCursor().block().text() == "nothing.y = 2"
