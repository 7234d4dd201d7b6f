"""Proving candidates in a hidden core, and asking which bytes draw a place of the screen."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui_driver import frame_number, open_and_wait, step

from integrator.commands.demo import play_and_search
from integrator.commands.shared.options import demo_game
from integrator.domain.search.search import Search
from integrator.session.proof.experiment import Rectangle
from integrator.session.session import Session
from integrator.ui.find.candidates import CandidateColumn
from integrator.ui.find.find_view import SEARCH, FindView
from integrator.ui.find.proof import ProofController, ProofOverlay
from integrator.ui.shell.main_window import MainWindow

pytestmark = pytest.mark.usefixtures("shared_window")

DIGITS = 0x30C
"""The score is kept as digits; packed it is a copy."""
PROOF_TIMEOUT_MS = 60_000


@pytest.fixture
def find(window: MainWindow, qtbot: QtBot) -> FindView:
    """The Find panel after some play of the demo game, its score searched."""
    open_and_wait(window, qtbot, demo_game())
    window.use_workspace("find")
    played: list[None] = []
    window.bridge.ask(
        lambda session: play_and_search(session, session.search(SEARCH)),
        lambda _: played.append(None),
    )
    qtbot.waitUntil(lambda: bool(played))
    with qtbot.waitSignal(window.parts[FindView].status_changed):
        window.parts[FindView].search(Search.count_by_type)
    window.bridge.advance_frame()
    screen = window.screen_panel.game_screen
    qtbot.waitUntil(lambda: frame_number(window) > 100 and screen.scale > 0)
    return window.parts[FindView]


def row_of(find: FindView, address: int, spec: str) -> int:
    model = find.model
    rows = [model.item(row) for row in range(model.rowCount())]
    return next(
        at for at, each in enumerate(rows) if (each.address, each.type.spec) == (address, spec)
    )


def proof_text(find: FindView, row: int) -> str:
    return str(find.model.index(row, CandidateColumn.PROOF).data())


def memory(window: MainWindow, qtbot: QtBot) -> bytes:
    taken: list[bytes] = []

    def read(session: Session) -> bytes:
        return session.memory.ram.tobytes()

    window.bridge.ask(read, taken.append)
    qtbot.waitUntil(lambda: bool(taken))
    return taken[0]


def test_a_candidate_is_proved_without_touching_the_game(
    find: FindView, window: MainWindow, qtbot: QtBot
) -> None:
    row = row_of(find, DIGITS, ">n6")
    before = (frame_number(window), memory(window, qtbot))
    find.table.selectRow(row)
    QTest.mouseClick(find.prove, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(find.proof.isVisible)
    qtbot.waitUntil(lambda: bool(proof_text(find, row)), timeout=PROOF_TIMEOUT_MS)
    assert proof_text(find, row) == "original · digits, 6 bytes"
    qtbot.waitUntil(lambda: not find.proof.isVisible())
    assert (frame_number(window), memory(window, qtbot)) == before
    proof = window.parts[ProofController]
    box = proof.overlay.box
    assert box is not None
    assert box.y < 40
    find.table.selectRow(row_of(find, 0x2F6, "|u1"))
    assert not proof.overlay.isVisible()
    find.table.selectRow(row)
    assert proof.overlay.box == box
    candidate = find.table.reading()
    assert candidate is not None
    find.table.details_requested.emit(candidate)
    assert proof.card.isVisible()
    assert not proof.card.use.isVisible()
    assert "\n" in proof.card.reasons.text()
    proof.card.close()


@pytest.mark.usefixtures("held_jobs")
def test_several_are_proved_with_progress_until_it_is_stopped(
    find: FindView, window: MainWindow, qtbot: QtBot
) -> None:
    find.table.selectAll()
    chosen = len(find.table.selection())
    assert chosen > 20
    QTest.mouseClick(find.prove, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: find.proof.bar.value() >= 2, timeout=PROOF_TIMEOUT_MS)
    QTest.mouseClick(find.proof.cancel, Qt.MouseButton.LeftButton)
    proof = window.parts[ProofController]
    qtbot.waitUntil(lambda: not proof.background.busy, timeout=PROOF_TIMEOUT_MS)
    assert not find.proof.isVisible()
    assert 2 <= len(proof.verdicts) < chosen


def test_a_marked_place_gives_the_addresses_that_draw_it(
    find: FindView, window: MainWindow, qtbot: QtBot
) -> None:
    find.search(Search.reset)
    qtbot.waitUntil(lambda: find.status is not None and not find.status.steps)
    QTest.mouseClick(find.form.place, Qt.MouseButton.LeftButton)
    tool = window.parts[ProofController].tool
    assert tool.isVisible()
    screen = window.screen_panel.game_screen
    corner, scale = screen.picture_rect().topLeft(), screen.scale
    # The six digits of the score stand in the upper left.
    start, end = ((corner.x() + x * scale, corner.y() + y * scale) for x, y in ((8, 16), (60, 24)))
    QTest.mousePress(tool, Qt.MouseButton.LeftButton, pos=QPoint(*map(round, start)))
    QTest.mouseMove(tool, QPoint(*map(round, end)))
    with qtbot.waitSignal(find.status_changed, timeout=PROOF_TIMEOUT_MS):
        QTest.mouseRelease(tool, Qt.MouseButton.LeftButton, pos=QPoint(*map(round, end)))
    assert find.status is not None
    assert [step.op for step in find.status.steps] == ["keep-at"]
    score = row_of(find, DIGITS, ">n6")
    assert proof_text(find, score).startswith("draws ")
    model = find.model
    rows = [model.item(row) for row in range(model.rowCount())]
    single = {each.address for each in rows if each.type.width == 1}
    assert single
    assert single <= set(range(DIGITS, DIGITS + 6))


def test_a_place_that_never_changes_is_told(
    find: FindView, window: MainWindow, qtbot: QtBot
) -> None:
    proof = window.parts[ProofController]
    said: list[str] = []
    window.controller.said.connect(lambda _, text: said.append(text))
    proof.tool.drawn.emit((120, 100, 2, 2))
    qtbot.waitUntil(
        lambda: any("draws this place" in text for text in said), timeout=PROOF_TIMEOUT_MS
    )
    assert find.status is not None
    assert all(step.op != "keep-at" for step in find.status.steps)


def show_place(window: MainWindow) -> ProofOverlay:
    """Go to Find, and show a place on the screen."""
    window.use_workspace("find")
    overlay = window.parts[ProofController].overlay
    overlay.show_place(Rectangle(10, 10, 40, 8), "drawn here")
    return overlay


def test_tinted_pixels_go_with_their_frame_and_a_place_stays(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    overlay = show_place(open_game)
    step(open_game, qtbot, 1)
    assert overlay.isVisible()
    overlay.show_pixels(np.ones((20, 30), np.bool_), "draws 600 pixels")
    step(open_game, qtbot, 1)
    assert overlay.isHidden()


def test_the_overlay_goes_with_its_panel_and_when_the_game_goes_on(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    overlay = show_place(open_game)
    qtbot.waitUntil(overlay.isVisible)
    open_game.use_workspace("score")
    qtbot.waitUntil(overlay.isHidden)
    show_place(open_game)
    open_game.actions_by_key["play"].trigger()
    qtbot.waitUntil(overlay.isHidden)
    open_game.actions_by_key["play"].trigger()
    qtbot.waitUntil(lambda: open_game.controller.paused)
