"""The Suggestions panel: a look at what was played, the reasons, and one key to accept."""

import re
import time
from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QByteArray, Qt, QTimer
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui_driver import OPEN_TIMEOUT_MS, open_and_wait

from integrator.commands.shared.options import demo_game
from integrator.domain.suggest.suggestion import SeenNumber, Suggestion
from integrator.domain.values.memory import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits import commands
from integrator.session.session import Session
from integrator.session.setup.game import POWER_ON
from integrator.session.suggestions.hidden_look import Suggested
from integrator.session.suggestions.recorded_play import Cancelled, RecordedPlay
from integrator.ui.find.suggestions import SuggestionsView
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.docks import dock_of
from libretro_host.host import CoreHost, Frame
from scripts.demo_script import play_script

pytestmark = pytest.mark.usefixtures("shared_window")
_SCORE = 0x306
BYTE = DataType.parse("|u1")


def _play(session: Session) -> None:
    session.game.use_state(POWER_ON)
    play_script(session)


@pytest.fixture
def view(window: MainWindow, qtbot: QtBot) -> SuggestionsView:
    """The panel in front, after a recorded game of the demo game."""
    open_and_wait(window, qtbot, demo_game())
    window.use_workspace("find")
    played: list[None] = []
    window.bridge.ask(_play, played.append)
    qtbot.waitUntil(lambda: bool(played))
    view: SuggestionsView = window.parts[SuggestionsView]
    dock_of(view).come_forward()
    return view


def _suggest(view: SuggestionsView, qtbot: QtBot) -> None:
    # Memory alone answers first; then what pictures and experiments have put in order.
    both = [view.model.modelReset] * 2
    with qtbot.waitSignals(both, timeout=4 * OPEN_TIMEOUT_MS):
        QTest.mouseClick(view.suggest, Qt.MouseButton.LeftButton)


def _until_cancelled(
    _recorded: RecordedPlay,
    _host: CoreHost,
    _every: int,
    cancelled: Cancelled,
    _states: list[bytes],
) -> Iterator[tuple[int, Frame]]:
    """Pictures of play that takes until it is cancelled."""
    while not cancelled():
        time.sleep(0.01)
    return iter(())


def _text(view: SuggestionsView, row: int, column: str) -> str:
    return str(view.model.index(row, view.model.place(column)).data())


def test_a_suggestion_becomes_a_variable_by_one_key(
    window: MainWindow, view: SuggestionsView, qtbot: QtBot
) -> None:
    assert not view.table.isVisible()
    window.controller.edit(commands.put_variable("score", VariableSpec("score", 0x10, BYTE)))
    _suggest(view, qtbot)
    assert view.table.isVisible()
    best = view.model.item(0)
    assert (best.suggestion.kind, best.suggestion.address, str(best.suggestion.type)) == (
        "score",
        _SCORE,
        ">d3",
    )
    assert _text(view, 0, "reason").startswith("+10, +20, +630, never falls")
    assert best.curve[0] < best.curve[-1]
    # The demo game has a variable of that name.
    assert view.name.text() == "score2"
    QTest.keyClick(view.table, Qt.Key.Key_Return)
    taken = window.controller
    qtbot.waitUntil(lambda: taken.documents is not None and "score2" in taken.documents.variables)
    assert taken.documents is not None
    made = taken.documents.variables["score2"]
    assert (made.address, str(made.type)) == (_SCORE, ">d3")
    assert view.name.text() == "score2"
    assert _text(view, 0, "reason") == "is your variable “score2”"


def test_the_tip_shows_the_screen_with_the_number_of_memory(window: MainWindow) -> None:
    view: SuggestionsView = window.parts[SuggestionsView]
    crops = [np.full((8, 24, 3), shade, np.uint8) for shade in (0, 90, 250)]
    seen = tuple(SeenNumber(60 * k, 100 * k, crop) for k, crop in enumerate(crops))
    suggestion = Suggestion("score", 0x80, BYTE, 0.9, "+1 < +2", seen=seen)
    view.show_rows([Suggested(suggestion, np.arange(3))])
    tip = view.model.index(0, view.model.place("reason")).data(Qt.ItemDataRole.ToolTipRole)
    assert "+1 &lt; +2" in tip
    pictures = re.findall(r"base64,([^']+)'><br>(\d+)<", tip)
    assert [number for _, number in pictures] == ["0", "100", "200"]
    image = QImage.fromData(QByteArray.fromBase64(pictures[1][0].encode()))
    assert (image.width(), image.height()) == (72, 24)
    assert image.pixelColor(5, 5).red() == 90


def test_a_variable_is_not_proposed_again(window: MainWindow) -> None:
    view: SuggestionsView = window.parts[SuggestionsView]
    made: list[str] = []
    rejected: list[str] = []
    view.variable_requested.connect(lambda name, _: made.append(name))
    window.controller.said.connect(lambda _, text: rejected.append(text))
    tip = Qt.ItemDataRole.ToolTipRole
    variables = {"points": VariableSpec("points", 0x80, BYTE)}
    view.set_variables(variables)
    rows = [
        Suggested(Suggestion("score", at, BYTE, 0.9, "never falls"), np.arange(3))
        for at in (0x80, 0x81, 0x82)
    ]
    for shown in (rows, rows[:2]):  # the second look is not led by the row of the first
        view.show_rows(shown)
        assert view.model.item(view.table.currentIndex().row()) is rows[1]
        assert view.name.text() == "score"
    reasons = [_text(view, row, "reason") for row in range(2)]
    assert reasons == ["is your variable “points”", "never falls"]
    assert view.model.index(0, view.model.place("reason")).data(tip) == "never falls"
    wide = VariableSpec("wide", 0x80, DataType.parse(">d3"))
    view.set_variables({"wide": wide})
    view.show_rows(rows)
    told = [_text(view, row, "reason") for row in range(3)]
    assert told == ["is a part of your variable “wide”"] * 3
    view.set_variables(variables)
    view.show_rows(rows[:2])
    view.table.selectRow(0)
    view.name_row()
    assert (made, rejected) == ([], ["there is already a variable “points”"])
    view.set_variables({})
    assert _text(view, 0, "reason") == "never falls"


def test_the_best_of_a_kind_is_proven_by_itself(view: SuggestionsView, qtbot: QtBot) -> None:
    _suggest(view, qtbot)
    idle: list[bool] = []

    def is_proven() -> bool:
        return _text(view, 0, "proof") != ""

    timer = QTimer()
    timer.timeout.connect(lambda: idle.append(view.suggest.isEnabled() and not is_proven()))
    timer.start(0)
    qtbot.waitUntil(is_proven, timeout=4 * OPEN_TIMEOUT_MS)
    timer.stop()
    assert idle
    assert not any(idle)
    qtbot.waitUntil(view.proof.isHidden)
    proven = [
        view.model.item(row).suggestion.kind
        for row in range(view.model.rowCount())
        if _text(view, row, "proof").startswith("original")
    ]
    assert "timer" in proven
    assert "random" not in proven
    assert view.suggest.isEnabled()


def test_a_look_is_cancelled(window: MainWindow, view: SuggestionsView, qtbot: QtBot) -> None:
    background = window.parts[SuggestionsView].background
    QTest.mouseClick(view.suggest, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(view.bar.isVisible)
    QTest.mouseClick(view.bar.cancel, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not background.busy)
    assert view.suggest.isEnabled()
    assert not view.bar.isVisible()


def test_memory_answers_first_and_stays_when_the_rest_is_cancelled(
    window: MainWindow,
    view: SuggestionsView,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(RecordedPlay, "pictures", _until_cancelled)
    background = window.parts[SuggestionsView].background
    with qtbot.waitSignal(view.model.modelReset, timeout=4 * OPEN_TIMEOUT_MS):
        QTest.mouseClick(view.suggest, Qt.MouseButton.LeftButton)
    assert background.busy
    assert view.model.item(0).suggestion.drawn is None
    view.table.selectRow(2)
    chosen = view.model.item(view.table.currentIndex().row())
    assert chosen is not None
    rows = [view.model.item(row).suggestion.address for row in range(view.model.rowCount())]
    QTest.mouseClick(view.bar.cancel, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not background.busy)
    assert [view.model.item(row).suggestion.address for row in range(view.model.rowCount())] == rows
    assert view.model.item(view.table.currentIndex().row()) is chosen


def made_up_rows() -> list[Suggested]:
    return [
        Suggested(Suggestion("score", at, BYTE, 0.9, "never falls"), np.arange(3))
        for at in range(0x80, 0x85)
    ]


def test_a_chosen_row_stays_chosen_as_others_come(window: MainWindow) -> None:
    view, rows = window.parts[SuggestionsView], made_up_rows()
    view.show_rows(rows)
    view.table.selectRow(2)
    view.show_rows(rows[1:])
    assert view.model.item(view.table.currentIndex().row()) is rows[2]
    view.show_rows(rows[3:])
    assert view.model.item(view.table.currentIndex().row()) is rows[3]


def test_suggestions_go_with_their_game(window: MainWindow, qtbot: QtBot) -> None:
    open_and_wait(window, qtbot, demo_game())
    window.use_workspace("find")
    view = window.parts[SuggestionsView]
    dock_of(view).come_forward()
    view.show_rows(made_up_rows())
    assert view.model.rowCount() == 5
    window.bridge.close_game()
    qtbot.waitUntil(lambda: view.model.rowCount() == 0)
    assert not view.suggest.isVisible()


def test_a_box_round_a_number_names_it(
    window: MainWindow, view: SuggestionsView, qtbot: QtBot
) -> None:
    tool = window.parts[SuggestionsView].tool
    QTest.mouseClick(view.point, Qt.MouseButton.LeftButton)
    assert tool.isVisible()
    box = window.screen_panel.game_screen.rect_of(8, 16, 56, 8)
    QTest.mousePress(tool, Qt.MouseButton.LeftButton, pos=box.topLeft().toPoint())
    QTest.mouseMove(tool, box.bottomRight().toPoint())
    QTest.mouseRelease(tool, Qt.MouseButton.LeftButton, pos=box.bottomRight().toPoint())
    qtbot.waitUntil(lambda: view.model.rowCount() > 0, timeout=4 * OPEN_TIMEOUT_MS)
    best = view.model.item(0)
    assert (best.suggestion.kind, best.suggestion.address, str(best.suggestion.type)) == (
        "score",
        _SCORE,
        ">d3",
    )
    assert "digits told apart" in best.suggestion.reason
    assert _text(view, 0, "reason") == "is your variable “score”"
    qtbot.waitUntil(lambda: _text(view, 0, "proof") != "", timeout=4 * OPEN_TIMEOUT_MS)
