"""A search operator is one row: a made-up one searches, foretells, is offered, saved and told."""

import numpy as np
import pytest
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from integrator.domain.errors import SearchError
from integrator.domain.search.operators import OPERATORS, Operator
from integrator.domain.search.search import Search
from integrator.domain.sweep.questions import Predicate
from integrator.domain.values.memory import AddressSpace, DataType, Region
from integrator.session.searches import Compare
from integrator.ui.find.candidates import step_text
from integrator.ui.find.find_form import FindForm
from integrator.ui.help import reference_page

MULTIPLE = Operator(
    "multiple-of",
    "is a multiple of",
    lambda numbers, _scale: Predicate("value", "modulo", numbers[0], 0),
    ("divisor",),
    sign="⋮",
)
STEADY = Operator(
    "steady",
    "steady",
    lambda _numbers, _scale: Predicate("memory", "equal"),
    (),
    against="memory",
    tip="Keep whatever stays",
)
SPACE = AddressSpace([Region(0, 8)])
RAM = np.arange(8, dtype=np.uint8)


@pytest.fixture(autouse=True)
def _rows(monkeypatch: pytest.MonkeyPatch) -> None:
    for row in (MULTIPLE, STEADY):
        monkeypatch.setitem(OPERATORS, row.name, row)


def searched() -> Search:
    search = Search(SPACE, [DataType.parse("|u1")], lambda: RAM)
    search.take(search.plan(MULTIPLE.name, 3))
    return search


def test_it_searches_and_is_saved() -> None:
    search = searched()
    assert [row.address for row in search.candidates()] == [0, 3, 6]
    assert search.plan(STEADY.name).count == 3
    loaded = Search.from_json(search.to_json(), SPACE, lambda: RAM // 6 * 6)
    assert (loaded.history, loaded.count) == (search.history, 3)
    assert loaded.take(loaded.plan(STEADY.name, against="first")) == 2
    with pytest.raises(SearchError, match="multiple-of needs a whole number"):
        search.take(search.plan(MULTIPLE.name))
    with pytest.raises(SearchError, match=r"use one of .*multiple-of, steady"):
        search.take(search.plan("odd"))


@pytest.mark.usefixtures("theme")
def test_it_is_offered_and_told(qtbot: QtBot) -> None:
    form = FindForm()
    qtbot.addWidget(form)
    asked: list[Compare] = []
    form.command_requested.connect(asked.append)
    form.op.setCurrentIndex(form.op.findText(MULTIPLE.words))
    assert form.second.isHidden()
    QTest.keyClicks(form.value, "3")
    form.search.click()
    button = form.memory_buttons[STEADY.name]
    assert (button.text(), button.toolTip()) == (STEADY.words, STEADY.tip)
    button.click()
    assert asked == [Compare(MULTIPLE.name, 3, None), Compare(STEADY.name, None, "previous")]
    assert step_text(searched().history[0]) == "⋮ 3"
    assert "| `multiple-of` | is a multiple of | divisor | its numbers |" in reference_page()
