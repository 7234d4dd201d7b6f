"""A kind of suggestion is one row: a made-up one has words, a new variable's name, and a proof."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from integrator.domain.query.pieces import Coding, Piece, Pieces
from integrator.domain.suggest.suggestion import KINDS, KindOfVariable, Suggestion
from integrator.domain.values.memory import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits import commands
from integrator.session.suggestions.hidden_look import Suggested
from integrator.ui.find.suggestions import SuggestionsView
from integrator.ui.shell.main_window import MainWindow

PRIZES = KindOfVariable("prizes-won", "prizes won", "prizes")


def test_it_is_shown_and_named(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, PRIZES.name, PRIZES)
    view: SuggestionsView = window.parts[SuggestionsView]
    made: list[str] = []
    view.variable_requested.connect(lambda name, _: made.append(name))
    view.set_variables({"prizes": VariableSpec("prizes", 0x10, DataType.parse("|u1"))})
    suggestion = Suggestion(PRIZES.name, 0x80, DataType.parse("|u1"), 0.9, "it grows")
    view.show_rows([Suggested(suggestion, np.array([0, 1, 2]))])
    assert view.model.index(0, view.model.place("kind")).data() == "prizes won"
    view.make.click()
    assert made == ["prizes2"]


def test_bits_of_a_byte_are_shown_and_become_a_variable(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    put: list[VariableSpec] = []
    monkeypatch.setattr(window.controller, "put_variable", lambda spec, _: put.append(spec))
    suggestion = Suggestion("lives", 0x80, DataType.parse("|u1"), 0.9, "it falls", mask=0xF0)
    view: SuggestionsView = window.parts[SuggestionsView]
    view.show_rows([Suggested(suggestion, np.array([48, 32]))])
    assert view.model.index(0, view.model.place("type")).data() == "bits 4-7"
    view.make.click()
    assert put == [VariableSpec("lives", 0x80, DataType.parse("|u1"), 0xF0)]


@pytest.mark.parametrize("by_key", [False, True], ids=["button", "Enter"])
def test_a_number_in_pieces_becomes_a_script(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, by_key: bool
) -> None:
    written: list[tuple[str, Pieces]] = []
    monkeypatch.setattr(commands, "write_pieces", lambda *asked: written.append(asked))
    monkeypatch.setattr(window.controller, "edit", lambda _: None)
    pieces = Pieces(Coding(10), (Piece(0x88, 1), Piece(0x84, 10)))
    suggestion = Suggestion("score", 0x88, DataType.parse("|u1"), 0.4, "it grows", pieces=pieces)
    view: SuggestionsView = window.parts[SuggestionsView]
    view.show_rows([Suggested(suggestion, np.array([0, 12]))])
    if by_key:
        QTest.keyClick(view.table, Qt.Key.Key_Return)
    else:
        view.make.click()
    assert written == [("score", pieces)]
    assert not view.name.text()
