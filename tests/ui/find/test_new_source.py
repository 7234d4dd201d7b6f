"""A source of found numbers is one class: a made-up one gets proof, names, keys and menus."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot
from ui_driver import OPEN_TIMEOUT_MS, open_and_wait, step

from integrator.commands.shared.options import demo_game
from integrator.domain.query.rank import Reading
from integrator.domain.sweep.readings import PLAIN
from integrator.domain.values.memory import DataType
from integrator.ui.find.results_model import ResultsModel
from integrator.ui.find.results_view import ResultsView
from integrator.ui.memory.watches import WatchesView
from integrator.ui.shell import main_window
from integrator.ui.shell.docks.docks import Panel
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.shell.panels import PANELS, connect_results
from integrator.ui.widgets.docks import dock_of
from integrator.ui.window_context import HINTS

TIMER = Reading(0x304, DataType.parse("|d1"), PLAIN)
SCORE = Reading(0x306, DataType.parse(">d3"), PLAIN)


class Heard(ResultsView[Reading]):
    """Numbers that a friend knows."""

    def _set_up(self) -> None:
        self._make_list("heard", ResultsModel[Reading]())
        self.build(QLabel("a friend says"), "Heard", "search", "heard")

    def show_numbers(self, *numbers: Reading) -> None:
        """List what the friend said."""
        self.model.show_groups([each] for each in numbers)
        self.pages.show_content(bool(numbers))


@pytest.fixture
def view(
    new_window: Callable[[], MainWindow],
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
    tmp_path: Path,
) -> Heard:
    """The panel in front, with two numbers of the demo game."""
    panel = Panel[Heard]("heard", "Heard", Heard, connect=connect_results).at("find", 0, 0, tab=4)
    monkeypatch.setattr(main_window, "PANELS", (*PANELS, panel))
    monkeypatch.setitem(HINTS, "heard", ("Nobody", ""))
    window = new_window()
    open_and_wait(window, qtbot, shutil.copytree(demo_game(), tmp_path / demo_game().name))
    window.use_workspace("find")
    step(window, qtbot, 40)
    heard = window.parts[Heard]
    dock_of(heard).come_forward()
    heard.show_numbers(TIMER, SCORE)
    qtbot.waitUntil(heard.table.isVisible)
    return heard


def test_its_numbers_are_proved_named_and_watched(view: Heard, qtbot: QtBot) -> None:
    window = view.window()
    assert isinstance(window, MainWindow)
    texts = [view.model.index(1, column).data() for column in range(3)]
    assert texts == ["0x0306", ">d3", "×1"]
    view.table.selectRow(1)
    QTest.mouseClick(view.prove, Qt.MouseButton.LeftButton)
    cell = view.model.index(1, view.model.place("proof"))
    qtbot.waitUntil(lambda: bool(cell.data()), timeout=4 * OPEN_TIMEOUT_MS)
    watch = next(each for each in view.row_menu().actions() if each.text() == "Watch")
    watch.trigger()
    watches = window.parts[WatchesView].model.watches
    assert [each.address for each in watches] == [SCORE.address]
    dock_of(view).come_forward()
    view.table.selectRow(0)
    view.name.setText("clock")
    view.table.setFocus()
    QTest.keyClick(view.table, Qt.Key.Key_Return)
    documents = window.controller
    qtbot.waitUntil(
        lambda: documents.documents is not None and "clock" in documents.documents.variables
    )
    view.name.setText("clock")
    assert not view.make.isEnabled()
    assert "already" in view.name.toolTip()
