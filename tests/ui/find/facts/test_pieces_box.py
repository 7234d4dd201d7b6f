"""Numbers in pieces below the matches, written under a name."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot
from ui_driver import scenario

from integrator.domain.query.pieces import Coding, Piece, Pieces
from integrator.session.edits.commands import set_in_scenario
from integrator.session.hidden.movies import Answer
from integrator.ui.find.facts import FactsView
from integrator.ui.shell.main_window import MainWindow

TILES = Pieces(
    Coding(10, zero=0x30), tuple(Piece(0xFF0200 + 2 * n, 10**n) for n in range(3)), copies=2
)


def test_a_number_in_pieces_is_written_as_variables_and_a_script(
    facts: FactsView, open_game: MainWindow, qtbot: QtBot
) -> None:
    assert not facts.pieces.isVisible()
    open_game.controller.edit(set_in_scenario(("reward",), {}))
    facts.facts.pin("1 = 123456")
    qtbot.waitUntil(lambda: bool(open_game.docks.all["facts"].header.note.text()))
    facts.show_answer(Answer((), 0, 0, in_pieces=(TILES,)))
    hints = [label.text() for label in facts.pages.findChildren(QLabel)]
    assert "No single address fits these facts" in hints
    assert facts.pieces.isVisible()
    assert "2 more places" in facts.pieces.list.item(0).text()
    QTest.keyClicks(facts.pieces.name, "lives")
    refused: list[str] = []
    open_game.controller.said.connect(lambda _, text: refused.append(text))
    QTest.keyClick(facts.pieces.name, Qt.Key.Key_Return)
    assert "already a variable" in refused[0]
    facts.pieces.name.setText("points")
    QTest.mouseClick(facts.pieces.write, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "points.lua" in str(scenario(open_game).get("scripts")))
    assert scenario(open_game)["reward"] == {"script": "lua:points_reward"}
    documents = open_game.controller.documents
    assert documents is not None
    assert documents.variables["points_2"].address == 0xFF0204
    facts.show_answer(Answer((), 0, 0))
    assert not facts.pieces.isVisible()
