"""The Done panel: lamps of conditions that hold, and groups."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from integrator.session.edits.commands import set_in_scenario
from integrator.ui.score.done_view import DoneColumn, DoneView, LampRole
from integrator.ui.shell.main_window import MainWindow

pytestmark = pytest.mark.usefixtures("shared_window")


def test_titles_explain_themselves(open_game: MainWindow) -> None:
    model = open_game.parts[DoneView].model
    titles = [
        [model.headerData(column, Qt.Orientation.Horizontal, role) for column in DoneColumn]
        for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
    ]
    assert titles[0] == ["condition", "tests", "op", "number"]
    assert "change since the frame before" in titles[1][DoneColumn.MEASUREMENT]
    assert all(titles[1])


def test_the_done_tree_shows_lamps_and_takes_groups(open_game: MainWindow, qtbot: QtBot) -> None:
    open_game.use_workspace("score")
    view = open_game.parts[DoneView]
    root = view.model.index(0, DoneColumn.WHAT)
    assert root.data() in ("any of", "all of")
    qtbot.waitUntil(lambda: root.data(LampRole) is False)
    view.add_group("all")
    qtbot.waitUntil(lambda: len(view.model.groups()) == 2)
    view.tree.setCurrentIndex(view.model.index(view.model.rowCount(root) - 1, 0, root))
    view.add_condition("score")
    path = ("done", "nodes", "group1", "variables", "score")
    qtbot.waitUntil(lambda: bool(view.model.value_at(path)))
    assert view.model.value_at(path) == {"op": "zero"}
    view.model.setData(root, "any")
    qtbot.waitUntil(lambda: view.model.index(0, 0).data() == "any of")


def test_the_columns_beside_the_names_take_no_more_than_they_need(open_game: MainWindow) -> None:
    open_game.use_workspace("score")
    tree = open_game.parts[DoneView].tree
    beside = [each for each in DoneColumn if each is not DoneColumn.WHAT]
    assert sum(map(tree.columnWidth, beside)) <= 190  # of 318 pixels in a window of 1280
    assert tree.indentation() <= 14


def test_ops_and_numbers_are_whole(open_game: MainWindow, qtbot: QtBot) -> None:
    open_game.use_workspace("score")
    tree = open_game.parts[DoneView].tree
    value = {"op": "greater-or-equal", "reference": 123456, "measurement": "delta"}
    path = ["done", "variables", "score"]
    open_game.controller.edit(set_in_scenario(path, value))
    qtbot.waitUntil(lambda: bool(open_game.parts[DoneView].model.value_at(tuple(path))))
    for column in (DoneColumn.MEASUREMENT, DoneColumn.OP, DoneColumn.REFERENCE):
        assert tree.columnWidth(column) >= tree.sizeHintForColumn(column)


def test_a_lamp_is_painted_again_only_when_it_changes(open_game: MainWindow, qtbot: QtBot) -> None:
    open_game.use_workspace("score")
    model = open_game.parts[DoneView].model
    qtbot.waitUntil(lambda: model.index(0, 0).data(LampRole) is False)
    painted: list[object] = []
    model.dataChanged.connect(lambda *_: painted.append(_))
    for lamps in ({}, {}, {"done": True}, {"done": True}, {}, {}):
        model.set_lamps(lamps)
    root = [each for each in painted if not each[0].parent().isValid()]  # type: ignore[index]
    assert len(root) == 3
