"""Tools of the Memory panel: texts, bookmarks, moments compared, bytes written to a file."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot
from ui_driver import open_and_wait, step

from integrator.domain.integration.json_files import Watch
from integrator.domain.values.memory import BYTE
from integrator.session.session import Session
from integrator.ui.memory.memory_view import LETTERS, TEXT, MemoryView
from integrator.ui.memory.watches import WatchesView
from integrator.ui.shell.main_window import MainWindow

pytestmark = pytest.mark.usefixtures("shared_window")

LIVES = 0xFF025A
HIDDEN = 0xFF8000
"""Airstriker leaves this part of its memory alone."""


@pytest.fixture
def memory(open_game: MainWindow, qtbot: QtBot) -> MemoryView:
    open_game.use_workspace("find")
    view = open_game.parts[MemoryView]
    qtbot.waitUntil(view.grid.isVisible)
    return view


def write(window: MainWindow, qtbot: QtBot, address: int, data: bytes) -> None:
    """Poke some bytes."""
    done: list[None] = []

    def work(session: Session) -> None:
        for place, value in enumerate(data):
            session.memory.write(address + place, "|u1", value)

    window.bridge.ask(work, done.append)
    qtbot.waitUntil(lambda: bool(done))


def find(view: MemoryView, kind: str, text: str) -> None:
    view.type.setCurrentIndex(view.type.findData(kind))
    view.find_field.clear()
    QTest.keyClicks(view.find_field, text)
    QTest.keyClick(view.find_field, Qt.Key.Key_Return)


def test_a_text_is_found_by_distances_and_then_by_the_table_they_tell(
    open_game: MainWindow, memory: MemoryView, qtbot: QtBot
) -> None:
    word = bytes(ord(letter) - ord("a") + 0x91 for letter in "wizard")
    write(open_game, qtbot, HIDDEN, word + b"\0\0" + word[:3])
    find(memory, TEXT, "wizard")
    qtbot.waitUntil(lambda: "was not found" in memory.error.text())
    find(memory, LETTERS, "Wizard")
    qtbot.waitUntil(lambda: memory.grid.place == HIDDEN)
    qtbot.waitUntil(lambda: memory.letters.codes["A"] == b"\x91")
    find(memory, TEXT, "wiz")
    qtbot.waitUntil(lambda: memory.grid.place == HIDDEN + 8)


def test_a_table_of_letters_is_loaded(
    open_game: MainWindow,
    memory: MemoryView,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "game.tbl"
    path.write_text("F1=P\nF2=Q\nbroken\n")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    with qtbot.waitSignal(open_game.controller.said) as said:
        memory.choose_letters()
    assert said.args is not None
    assert said.args[1] == "game.tbl: 2 letters are known. line 3: no entry such as 80=A"
    write(open_game, qtbot, HIDDEN, b"\xf2\xf1\xf2\xf2")
    find(memory, TEXT, "QPQQ")
    qtbot.waitUntil(lambda: memory.grid.place == HIDDEN)


def test_a_watch_is_a_bookmark(open_game: MainWindow, memory: MemoryView, qtbot: QtBot) -> None:
    assert not memory.region.isVisible()
    memory.grid.go_to(LIVES)
    next(action for action in memory.menu().actions() if action.text() == "Watch").trigger()
    [watch] = open_game.parts[WatchesView].model.watches
    assert watch.address == LIVES
    memory.grid.go_to(HIDDEN)
    qtbot.waitUntil(memory.region.isVisible)
    at = memory.region.findData(LIVES)
    memory.region.setCurrentIndex(at)
    memory.region.activated.emit(at)
    assert memory.grid.place == LIVES


def test_watches_are_bookmarks_in_the_next_session_too(
    open_game: MainWindow, memory: MemoryView, qtbot: QtBot, airstriker: Path
) -> None:
    memory.grid.go_to(LIVES)
    next(action for action in memory.menu().actions() if action.text() == "Watch").trigger()
    qtbot.waitUntil(memory.region.isVisible)
    open_game.bridge.close_game()
    qtbot.waitUntil(lambda: memory.region.count() == 0)
    open_and_wait(open_game, qtbot, airstriker)
    assert memory.region.findData(LIVES) > 0


def test_two_moments_are_compared(open_game: MainWindow, memory: MemoryView, qtbot: QtBot) -> None:
    step(open_game, qtbot, 30)
    ram: list[list[np.ndarray]] = []

    def read(session: Session) -> list[np.ndarray]:
        space, travel = session.memory.space, session.timeline
        return [space.logical(travel.ram(frame)) for frame in (2, travel.length)]

    open_game.bridge.ask(read, ram.append)
    memory.compare.open_moments()
    dialog = memory.compare
    qtbot.waitUntil(dialog.isVisible)
    dialog.one.setCurrentText("2")
    dialog.other.setCurrentText("now")
    dialog.compare.click()
    qtbot.waitUntil(lambda: dialog.model.rowCount() > 0)
    [[before, after]] = ram
    places = np.flatnonzero(before != after)
    found = dialog.model.difference
    assert found.addresses.tolist() == (places + 0xFF0000).tolist()
    assert found.before.tolist() == before[places].tolist()
    assert found.after.tolist() == after[places].tolist()
    assert dialog.facts.text().startswith(f"{len(places):,} bytes differ;")
    dialog.table.activated.emit(dialog.model.index(0, 0))
    assert memory.grid.place == int(found.addresses[0])
    state = open_game.controller.documents
    assert state is not None
    dialog.one.setCurrentText(state.states[0])
    dialog.other.setCurrentText(state.states[0])
    dialog.compare.click()
    qtbot.waitUntil(lambda: dialog.model.rowCount() == 0)
    dialog.one.setCurrentText("nowhere")
    with qtbot.waitSignal(open_game.controller.said):
        dialog.compare.click()
    dialog.close()


def test_a_selected_range_is_written_to_a_file(
    open_game: MainWindow,
    memory: MemoryView,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write(open_game, qtbot, HIDDEN, b"\x01\x02\x03")
    path = tmp_path / "range.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    with qtbot.waitSignal(open_game.controller.said):
        memory.dump(HIDDEN, HIDDEN + 3)
    assert path.read_text() == "address,value\n0xFF8000,1\n0xFF8001,2\n0xFF8002,3\n"


def test_watches_that_were_there_before_the_panel_are_bookmarks(
    open_game: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    open_game.parts[WatchesView].watch(Watch(LIVES, BYTE))
    view = open_game.parts[MemoryView]
    assert view.region.findData(LIVES) > 0
    open_game.bridge.close_game()
    qtbot.waitUntil(lambda: view.region.count() == 0)
    open_and_wait(open_game, qtbot, airstriker)
    assert view.region.findData(LIVES) > 0
