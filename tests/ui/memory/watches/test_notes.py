"""Notes of other programs in the watch list, and addresses written in words."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from integrator.ui.memory.memory_view import MemoryView
from integrator.ui.memory.watches import NotesReport, WatchesView
from integrator.ui.shell.main_window import MainWindow

pytestmark = pytest.mark.usefixtures("shared_window")

LIVES = 0xFF025A


@pytest.fixture
def watches(open_game: MainWindow, qtbot: QtBot) -> Iterator[WatchesView]:
    open_game.use_workspace("find")
    open_game.docks.all["watches"].raise_()
    view = open_game.parts[WatchesView]
    qtbot.waitUntil(view.isVisible)
    yield view
    report = open_game.parts[WatchesView].report
    if report is not None:
        report.close()


def listed(view: WatchesView) -> list[tuple[int, str, str]]:
    return [(watch.address, watch.type.spec, watch.name) for watch in view.model.watches]


def choose(view: WatchesView, entry: str) -> None:
    menu = view.files.menu()
    next(each for each in menu.actions() if each.text().startswith(entry)).trigger()


def test_notes_come_in_and_lines_that_gave_none_are_told(
    open_game: MainWindow,
    watches: WatchesView,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "game.wch"
    path.write_text(
        "SystemID GEN\n025A\tw\tu\t1\t68K RAM\tships\n025A\tw\tu\t1\t68K RAM\tagain\nnonsense\n"
    )
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    with qtbot.waitSignal(open_game.controller.said) as said:
        choose(watches, "Import")
    assert said.args is not None
    told = "1 note of game.wch added to the watch list; 1 was there already"
    assert said.args[1] == told
    assert listed(watches) == [(LIVES, ">u2", "ships")]
    report = open_game.parts[WatchesView].report
    assert report is not None
    assert report.lines.toPlainText() == "line 4: 6 fields separated by tabs are needed, not 1"
    report.copy.click()
    assert QGuiApplication.clipboard().text().startswith("line 4")
    path.write_text("other nonsense\n")
    with qtbot.waitSignal(open_game.controller.said):
        choose(watches, "Import")
    newer = open_game.parts[WatchesView].report
    assert newer is not None
    assert newer.lines.toPlainText().startswith("line 1")
    opened = [each for each in open_game.findChildren(NotesReport) if each.isVisible()]
    assert opened == [newer]
    path.write_text("025C\tw\tu\t1\t68K RAM\tmore\n")
    with qtbot.waitSignal(open_game.controller.said):
        choose(watches, "Import")
    assert open_game.parts[WatchesView].report is None


def test_the_list_goes_out_with_the_numbers_that_are_there(
    open_game: MainWindow,
    watches: WatchesView,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    QTest.keyClicks(watches.address, "ram+25A")
    QTest.keyClicks(watches.type, ">u2")
    QTest.keyClicks(watches.name, "ships")
    QTest.mouseClick(watches.add, Qt.MouseButton.LeftButton)
    assert listed(watches) == [(LIVES, ">u2", "ships")]
    qtbot.waitUntil(lambda: watches.model.at(0).reading.value == 3)
    path = tmp_path / "out.cht"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    with qtbot.waitSignal(open_game.controller.said) as said:
        choose(watches, "Export")
    assert said.args is not None
    assert said.args[1] == f"1 note written to {path}, for RetroArch cheats"
    text = path.read_text()
    assert 'cheat0_value = "3"' in text
    assert f'cheat0_address = "{0x25A}"' in text


@pytest.mark.parametrize(
    ("text", "address"), [("ram+25A", LIVES), ("lives-2", LIVES - 2), ("68k ram:10", 0xFF0010)]
)
def test_the_memory_panel_goes_to_places_by_name(
    open_game: MainWindow, qtbot: QtBot, text: str, address: int
) -> None:
    open_game.use_workspace("find")
    view = open_game.parts[MemoryView]
    qtbot.waitUntil(view.grid.isVisible)
    assert open_game.controller.documents is not None
    assert open_game.controller.documents.variables["lives"].address == LIVES
    QTest.keyClicks(view.go_to, text)
    QTest.keyClick(view.go_to, Qt.Key.Key_Return)
    assert view.grid.place == address


def test_a_word_that_names_no_place_is_refused(open_game: MainWindow, qtbot: QtBot) -> None:
    open_game.use_workspace("find")
    view = open_game.parts[MemoryView]
    qtbot.waitUntil(view.grid.isVisible)
    QTest.keyClicks(view.go_to, "nowhere+1")
    QTest.keyClick(view.go_to, Qt.Key.Key_Return)
    assert "is no address, variable or region; regions here are ram" in view.error.text()
