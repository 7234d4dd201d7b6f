"""The Done panel: a tree of groups (any, all) and conditions, each with a live lamp."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from typing import Any

from PySide6.QtCore import QMargins, QModelIndex, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QDropEvent, QPainter, QPen, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QHeaderView, QStyledItemDelegate, QStyleOptionViewItem, QTreeView

from integrator.domain.files.jsontext import JsonPath
from integrator.domain.scenario.tree import Measurement
from integrator.session.edits import commands as edits
from integrator.session.frame.result import FrameResult
from integrator.ui import widgets as ui
from integrator.ui.actions.shortcuts import panel_action
from integrator.ui.score.reward_view import VariableButton, as_object
from integrator.ui.terms import measurement_tip, op_choices, op_tip, takes_reference
from integrator.ui.window_context import PanelView

LampRole = Qt.ItemDataRole.UserRole + 2  # True if it held at the newest frame; None if unknown
_NumberRole = Qt.ItemDataRole.UserRole + 3

DoneColumn = IntEnum("DoneColumn", "WHAT MEASUREMENT OP REFERENCE", start=0)

_KEYS: Mapping[int, tuple[str, object]] = {  # keys of a test and defaults, by column
    DoneColumn.MEASUREMENT: ("measurement", "absolute"),
    DoneColumn.OP: ("op", ""),
    DoneColumn.REFERENCE: ("reference", 0),
}


@dataclass(slots=True)
class _Node:
    """A group (with a condition, and nodes below it), or a test of a variable."""

    path: JsonPath
    name: str
    is_group: bool
    value: Mapping[str, Any]
    parent: int

    def raw(self, column: int) -> str:
        if self.is_group:
            return str(self.value.get("condition", "any")) if column == DoneColumn.WHAT else ""
        return str(self.value.get(*_KEYS[column])) if column in _KEYS else self.name


class DoneModel(QStandardItemModel):
    """Groups and conditions that end an episode. ``edit`` gets a JSON path and a new value."""

    def __init__(self, edit: Callable[[JsonPath, object], object], parent: QObject) -> None:
        super().__init__(0, len(DoneColumn), parent)
        self._edit = edit
        self._known: frozenset[str] = frozenset()
        self._nodes: list[_Node] = []
        self._rows: list[list[QStandardItem]] = []
        tests = self.tr("Test the variable's value, or its change since the frame before")
        titles = {
            self.tr("condition"): self.tr("The variable that is tested, or a group of conditions"),
            self.tr("tests"): tests,
            self.tr("op"): self.tr("The comparison; a double click chooses another one"),
            self.tr("number"): self.tr("The number that the value or the change is compared with"),
        }
        self.setHorizontalHeaderLabels(list(titles))
        for column, meaning in enumerate(titles.values()):
            self.horizontalHeaderItem(column).setToolTip(meaning)
        ui.Theme.now.changed.connect(self._fill)
        self.set_block({}, ())

    def set_block(self, done: Mapping[str, Any], known_variables: Sequence[str]) -> None:
        """Show the scenario's ``done`` block. Rows are rebuilt only if conditions come or go."""
        self._known = frozenset(known_variables)
        before = [node.path for node in self._nodes]
        self._nodes = []
        _collect(self._nodes, ("done",), "", done, -1)
        if [node.path for node in self._nodes] != before:
            # The root's row is kept, because indexes of it may be in use.
            root = self._rows[0] if self._rows else _row(self._nodes[0], 0)
            root[0].removeRows(0, root[0].rowCount())
            self._rows = [root]
            if not self.rowCount():
                self.appendRow(root)
            for number, node in enumerate(self._nodes[1:], start=1):
                row = _row(node, number)
                self._rows[node.parent][0].appendRow(row)
                self._rows.append(row)
        self._fill()

    def _fill(self) -> None:
        mono, colors = ui.mono_font(), ui.Theme.now.colors
        for node, row in zip(self._nodes, self._rows, strict=True):
            for column, item in enumerate(row):
                text, color, tip = self._cell(node, column)
                item.setText(text)
                item.setForeground(QColor(getattr(colors, color)))
                item.setToolTip(tip)
                if column != DoneColumn.WHAT:
                    item.setFont(mono)

    def set_lamps(self, lamps: Mapping[str, bool]) -> None:
        """Set which conditions held at the newest frame, by the keys of ``Outcome.nodes``."""
        for node, row in zip(self._nodes, self._rows, strict=True):
            lamp = lamps.get(".".join(map(str, node.path)))
            # Qt would report an unchanged None as a change, and paint its row, at each frame.
            if lamp != row[0].data(LampRole):
                row[0].setData(lamp, LampRole)

    def node_at(self, index: ui.Index) -> _Node:
        number = index.sibling(index.row(), 0).data(_NumberRole) if index.isValid() else 0
        return self._nodes[number]

    def group_path_at(self, index: ui.Index) -> JsonPath:
        node = self.node_at(index)
        return node.path if node.is_group else self._nodes[node.parent].path

    def value_at(self, path: JsonPath) -> Mapping[str, Any]:
        """Return the JSON value of the node at ``path``; empty without such a node."""
        return next((node.value for node in self._nodes if node.path == path), {})

    def groups(self) -> dict[JsonPath, QModelIndex]:
        rows = zip(self._nodes, self._rows, strict=True)
        return {node.path: row[0].index() for node, row in rows if node.is_group}

    def data(self, index: ui.Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.EditRole:
            return self.node_at(index).raw(index.column())
        return super().data(index, role)

    def _cell(self, node: _Node, column: int) -> tuple[str, str, str]:
        raw = node.raw(column)
        if node.is_group:
            if column != DoneColumn.WHAT:
                return "", "secondary", ""
            head = self.tr("all of") if raw == "all" else self.tr("any of")
            text = f"{head}   “{node.name}”" if node.name else head
            filled = any(as_object(node.value.get(key)) for key in ("variables", "nodes"))
            if raw == "all" and not filled:
                # ``all`` without conditions is true, so stable-retro ends the episode at once.
                return self.tr("{0}  · empty: always done").format(text), "warn", ""
            return text, "secondary", ""
        lost = self.tr("There is no variable “{0}”: this condition never holds.")
        tip = "" if node.name in self._known else lost.format(node.name)
        if column == DoneColumn.WHAT:
            return raw, "warn" if tip else "text", tip
        if column == DoneColumn.OP:  # Without an op, a value above 0 holds.
            return raw or self.tr("positive"), "link", tip or op_tip(raw)
        if column == DoneColumn.MEASUREMENT:
            value, change = (self.tr("value"), "faint"), (self.tr("change"), "secondary")
            return *(value if raw == "absolute" else change), tip or measurement_tip(raw)
        return raw if takes_reference(node.raw(DoneColumn.OP)) else "", "text", tip

    def check(self, index: ui.Index, text: str) -> str:
        """Return the reason why ``text`` is invalid in a cell, or "" if it is valid."""
        is_number = index.column() == DoneColumn.REFERENCE
        return ui.problem_of(ui.parse_number, text) if is_number else ""

    def setData(self, index: ui.Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Request an edit. Returns False, without a request, for an invalid text."""
        text, column = str(value), index.column()
        if role != Qt.ItemDataRole.EditRole or self.check(index, text):
            return False
        node = self.node_at(index)
        if text != node.raw(column):
            key = "condition" if node.is_group else _KEYS[column][0]
            number = ui.parse_number(text) if key == "reference" else text or None
            self._edit((*node.path, key), number)
        return True


def _row(node: _Node, number: int) -> list[QStandardItem]:
    """Return a node's items. A group is edited in the first one, a test in the others."""
    flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
    flags |= Qt.ItemFlag.ItemIsDragEnabled if number else Qt.ItemFlag.NoItemFlags
    flags |= Qt.ItemFlag.ItemIsDropEnabled if node.is_group else Qt.ItemFlag.NoItemFlags
    row = [QStandardItem() for _ in DoneColumn]
    for column, item in enumerate(row):
        edited = node.is_group == (column == DoneColumn.WHAT)
        item.setFlags(flags | Qt.ItemFlag.ItemIsEditable if edited else flags)
    row[0].setData(number, _NumberRole)
    return row


def _collect(
    nodes: list[_Node], path: JsonPath, name: str, value: Mapping[str, Any], parent: int
) -> None:
    """Append a group and everything below it, parents first."""
    number = len(nodes)
    nodes.append(_Node(path, name, is_group=True, value=value, parent=parent))
    for variable, test in as_object(value.get("variables")).items():
        where = (*path, "variables", variable)
        nodes.append(_Node(where, variable, is_group=False, value=as_object(test), parent=number))
    for child, below in as_object(value.get("nodes")).items():
        _collect(nodes, (*path, "nodes", child), child, as_object(below), number)


_LEAST_WIDTHS = {DoneColumn.MEASUREMENT: 58, DoneColumn.OP: 70, DoneColumn.REFERENCE: 60}


class DoneTree(QTreeView):
    """The tree of a DoneModel. ``dropped`` gives the dragged row and the row under the mouse. A
    drop moves no rows, because they follow the document."""

    dropped = Signal(QModelIndex, QModelIndex)

    def dropEvent(self, event: QDropEvent) -> None:
        self.dropped.emit(self.currentIndex(), self.indexAt(event.position().toPoint()))
        event.ignore()


class LampDelegate(ui.ChoiceDelegate):
    """Paints a lamp before the text, lit while the condition holds; edits groups as any or all."""

    def __init__(self, parent: QTreeView) -> None:
        super().__init__((("any", "any of"), ("all", "all of")), parent)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ui.Index) -> None:
        shifted, rect = QStyleOptionViewItem(option), option.rect
        shifted.rect = rect.adjusted(12, 0, 0, 0)
        QStyledItemDelegate.paint(self, painter, shifted, index)
        lit, colors = bool(index.data(LampRole)), ui.Theme.now.colors
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen if lit else QPen(QColor(colors.faint), 1.4))
        painter.setBrush(QColor(colors.good) if lit else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(QRectF(rect.left() + 6, rect.center().y() - 3, 8, 8))
        painter.restore()


class DoneView(PanelView):
    """The panel of the done tree. Edits change the document, which the tree follows."""

    def _set_up(self) -> None:
        self.model = DoneModel(self._controller.set_in_scenario, self)
        tip = self.tr("Drag a condition onto a group to move it; double-click to change it")
        tree = DoneTree(rootIsDecorated=False, itemsExpandable=False, uniformRowHeights=True)
        self.tree = ui.named(tree, self.tr("Done conditions"), model=self.model, toolTip=tip)
        self.tree.dropped.connect(self._move)
        self.tree.setIndentation(14)
        self.tree.setDragDropMode(QTreeView.DragDropMode.InternalMove)
        self.tree.setAutoExpandDelay(0)
        triggers = QTreeView.EditTrigger
        self.tree.setEditTriggers(triggers.DoubleClicked | triggers.EditKeyPressed)
        ui.show_row_menus(self.tree, self._node_menu)
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(36)
        header.setSectionResizeMode(DoneColumn.WHAT, QHeaderView.ResizeMode.Stretch)
        ui.CheckedTextDelegate(self.tree, self._warn)
        measurements = [(each.value, each.value) for each in Measurement]
        edit_by = self.tree.setItemDelegateForColumn
        edit_by(DoneColumn.MEASUREMENT, ui.ChoiceDelegate(measurements, self.tree))
        edit_by(DoneColumn.OP, ui.ChoiceDelegate(op_choices(), self.tree))
        edit_by(DoneColumn.WHAT, LampDelegate(self.tree))
        text, name = self.tr("condition"), self.tr("Add done condition")
        any_of, all_of = self.tr("group: any of"), self.tr("group: all of")
        groups = {any_of: partial(self.add_group, "any"), all_of: partial(self.add_group, "all")}
        self.add = VariableButton(text, name, self.add_condition, groups)
        self._remove = panel_action("done.remove", self, self._remove_current)
        self._remove.setIcon(ui.icon("trash"))
        ways = [self._actions["add_condition"]]
        margins = QMargins(ui.SIZES.pad, 8, ui.SIZES.pad, 8)
        self.script_note = ui.NoteLabel("warn", contentsMargins=margins)
        self._fill(self.tree, "done", "done", ways, above=[self.script_note])
        self._dock.header.row.addWidget(self.add)
        show, follow = self._show_scenario, self._controller.follow
        follow(lambda now: show(now.scenario, list(now.variables)), "scenario", "variables")
        self._sight.follow(self._bridge.readout_ready, self._show_frame)

    def _closed(self) -> None:
        self._show_scenario({}, ())

    def _show_scenario(self, scenario: Mapping[str, Any], names: Sequence[str]) -> None:
        """Show the ``done`` block. A group spans its row, since only its first cell has text."""
        done = as_object(scenario.get("done"))
        self.model.set_block(done, names)
        self.add.names = names
        self.pages.show_content(self.model.rowCount(self.model.index(0, 0)) > 0)
        self.tree.expandAll()
        for index in self.model.groups().values():
            self.tree.setFirstColumnSpanned(index.row(), index.parent(), True)  # noqa: FBT003 - Qt's signature
        for column, least in _LEAST_WIDTHS.items():
            self.tree.setColumnWidth(column, max(least, self.tree.sizeHintForColumn(column)))
        text, script = "", done.get("script")
        if script:
            text = self.tr("The script function {0} decides; conditions below are not used.")
        self.script_note.setText(text.format(script))

    def _show_frame(self, result: FrameResult) -> None:
        self.model.set_lamps(result.outcome.nodes)
        self._dock.header.note.setText(self.tr("done") if result.outcome.done else "")

    def _move(self, source: QModelIndex, target: QModelIndex) -> None:
        path, group = self.model.node_at(source).path, self.model.group_path_at(target)
        self._controller.edit(edits.change_scenario(edits.move_done_node, path, group))

    def rename_group(self, path: JsonPath, name: str) -> None:
        self._controller.edit(edits.change_scenario(edits.rename_group, path, name))

    def add_condition(self, name: str) -> None:
        path = (*self.model.group_path_at(self.tree.currentIndex()), "variables", name)
        if not self.model.value_at(path):
            self._controller.set_in_scenario(path, {"op": "zero"})

    def add_group(self, condition: str) -> None:
        group = self.model.group_path_at(self.tree.currentIndex())
        paths = ((*group, "nodes", f"group{number}") for number in itertools.count(1))
        taken = self.model.groups()
        path = next(path for path in paths if path not in taken)
        self._controller.set_in_scenario(path, {"condition": condition})

    def _remove_current(self) -> None:
        node = self.model.node_at(self.tree.currentIndex())
        if len(node.path) > 1:
            self._controller.set_in_scenario(node.path, None)

    def _node_menu(self, index: QModelIndex) -> ui.RowMenu:
        node, menu = self.model.node_at(index), ui.RowMenu(self.tree)
        menu.add(self.tr("Add group: any of"), lambda: self.add_group("any"), "group")
        menu.add(self.tr("Add group: all of"), lambda: self.add_group("all"), "group")
        named = node.is_group and len(node.path) > 1
        menu.add(self.tr("Rename group…"), lambda: self._ask_name(node), "edit", enabled=named)
        self._remove.setEnabled(len(node.path) > 1)
        menu.addAction(self._remove)
        return menu

    def _ask_name(self, node: _Node) -> None:
        title, label = self.tr("Rename group"), self.tr("Name, shown only to people:")
        if (name := self._ask_text(title, label, node.name)) is not None:
            self.rename_group(node.path, name)
