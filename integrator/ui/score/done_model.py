"""The done tree of a scenario: groups under any or all, conditions with a live lamp."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QMimeData, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QColor

from integrator.domain.errors import DomainError
from integrator.domain.files.jsontext import JsonPath
from integrator.ui.score.reward_terms import as_object
from integrator.ui.terms.help_texts import measurement_tip, op_tip, takes_reference
from integrator.ui.widgets.fields import parse_number
from integrator.ui.widgets.rows_model import NO_PARENT, Index
from integrator.ui.widgets.theme import Theme, mono_font

_MIME = "application/x-integrator-done-node"

LampRole = Qt.ItemDataRole.UserRole + 2
"""True when the condition held on the newest frame; None when not known."""


DoneColumn = IntEnum("DoneColumn", "WHAT MEASUREMENT OP REFERENCE", start=0)


_KEYS = {
    DoneColumn.MEASUREMENT: "measurement",
    DoneColumn.OP: "op",
    DoneColumn.REFERENCE: "reference",
}


@dataclass(slots=True)
class _Node:
    """A group (it has children and a condition) or a test of one variable."""

    number: int
    path: JsonPath
    name: str
    is_group: bool
    value: Mapping[str, Any]
    parent: int = -1
    children: list[int] = field(default_factory=list)
    lamp: bool | None = None

    @property
    def lamp_key(self) -> str:
        """The node's key in ``Outcome.nodes``."""
        return ".".join(str(part) for part in self.path)


class DoneModel(QAbstractItemModel):
    """``edit_requested``: (JSON path, new value); None asks to remove the key.

    ``move_requested``: (JSON path, path of the group that it was dropped on).
    """

    edit_requested = Signal(tuple, object)
    move_requested = Signal(tuple, tuple)

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._nodes: list[_Node] = []
        self._known: frozenset[str] = frozenset()
        self._mono = mono_font()
        self.set_block({}, ())

    def set_block(self, done: Mapping[str, Any], known_variables: Sequence[str]) -> None:
        """Show the scenario's ``done`` block. Resets only when conditions come or go."""
        self._known = frozenset(known_variables)
        nodes: list[_Node] = []
        _collect(nodes, ("done",), "", done, -1)
        if [node.path for node in nodes] == [node.path for node in self._nodes]:
            for old, new in zip(self._nodes, nodes, strict=True):
                old.value = new.value
            self._announce_all()
            return
        self.beginResetModel()
        self._nodes = nodes
        self.endResetModel()

    def set_lamps(self, lamps: Mapping[str, bool]) -> None:
        """Set the conditions that held on the newest frame."""
        for node in self._nodes:
            lamp = lamps.get(node.lamp_key)
            if lamp != node.lamp:
                node.lamp = lamp
                index = self.index_of(node.number)
                self.dataChanged.emit(index, index)

    def group_path_at(self, index: Index) -> JsonPath:
        """The group that an index stands in, or is."""
        node = self.node_at(index)
        return node.path if node.is_group else self._nodes[node.parent].path

    def node_at(self, index: Index) -> _Node:
        """The node of an index; the root's group for an invalid one."""
        return self._nodes[index.internalId()] if index.isValid() else self._nodes[0]

    def value_at(self, path: JsonPath) -> Mapping[str, Any]:
        """The JSON value of the node at ``path``; empty when there is none."""
        return next((node.value for node in self._nodes if node.path == path), {})

    def group_paths(self) -> list[JsonPath]:
        """JSON paths of the groups, the root's first."""
        return [node.path for node in self._nodes if node.is_group]

    def index_at(self, path: JsonPath) -> QModelIndex:
        """The index of the node at ``path``; an invalid one without a node."""
        found = next((node.number for node in self._nodes if node.path == path), None)
        return QModelIndex() if found is None else self.index_of(found)

    @property
    def test_count(self) -> int:
        """Conditions in the whole tree."""
        return sum(not node.is_group for node in self._nodes)

    def index_of(self, number: int, column: int = 0) -> QModelIndex:
        """The index of a node by its number."""
        node = self._nodes[number]
        row = 0 if node.parent < 0 else self._nodes[node.parent].children.index(number)
        return self.createIndex(row, column, number)

    def _announce_all(self) -> None:
        for node in self._nodes:
            first = self.index_of(node.number)
            self.dataChanged.emit(first, self.index_of(node.number, DoneColumn.REFERENCE))

    # -- Qt's model -------------------------------------------------------------------------

    def index(self, row: int, column: int, parent: Index = NO_PARENT) -> QModelIndex:
        """The root's group is the only row without a parent."""
        if not parent.isValid():
            return self.createIndex(0, column, 0) if row == 0 else QModelIndex()
        children = self._nodes[parent.internalId()].children
        return (
            self.createIndex(row, column, children[row]) if row < len(children) else QModelIndex()
        )

    def parent(self, index: Index | None = None) -> Any:
        """The group around an index."""
        if index is None:
            return super().parent()
        if not index.isValid():
            return QModelIndex()
        up = self._nodes[index.internalId()].parent
        return QModelIndex() if up < 0 else self.index_of(up)

    def rowCount(self, parent: Index = NO_PARENT) -> int:  # noqa: N802 - Qt's name
        """Children of a group."""
        if not parent.isValid():
            return 1
        return len(self._nodes[parent.internalId()].children) if parent.column() == 0 else 0

    def columnCount(self, parent: Index = NO_PARENT) -> int:  # noqa: N802, ARG002 - Qt's signature
        """See :class:`DoneColumn`."""
        return len(DoneColumn)

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Column titles and their meanings."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._meanings()[section]
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return (self.tr("condition"), self.tr("tests"), self.tr("op"), self.tr("number"))[section]

    def _meanings(self) -> tuple[str, ...]:
        return (
            self.tr("The variable that is tested, or a group of conditions"),
            self.tr("Test the variable's value, or its change since the frame before"),
            self.tr("The comparison; a double click chooses another one"),
            self.tr("The number that the value or the change is compared with"),
        )

    def flags(self, index: Index) -> Qt.ItemFlag:
        """A group's condition is edited in the first column, a test's keys in the others."""
        base = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if not index.isValid():
            return base | Qt.ItemFlag.ItemIsDropEnabled
        node = self.node_at(index)
        if node.number:
            base |= Qt.ItemFlag.ItemIsDragEnabled
        if node.is_group:
            base |= Qt.ItemFlag.ItemIsDropEnabled
        if node.is_group == (index.column() == DoneColumn.WHAT):
            return base | Qt.ItemFlag.ItemIsEditable
        return base

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text, colour, font and lamp of a cell."""
        node, column = self.node_at(index), DoneColumn(index.column())
        if role == LampRole:
            return node.lamp if column is DoneColumn.WHAT else None
        if role == Qt.ItemDataRole.EditRole:
            return self._raw(node, column)
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(node, column)
        if role == Qt.ItemDataRole.ForegroundRole:
            return QColor(self._color(node, column))
        if role == Qt.ItemDataRole.FontRole and column is not DoneColumn.WHAT:
            return self._mono
        if (
            role == Qt.ItemDataRole.ToolTipRole
            and not node.is_group
            and node.name not in self._known
        ):
            return self.tr("There is no variable “{0}”: this condition never holds.").format(
                node.name
            )
        if role == Qt.ItemDataRole.ToolTipRole and not node.is_group:
            if column is DoneColumn.OP:
                return op_tip(self._raw(node, column))
            if column is DoneColumn.MEASUREMENT:
                return measurement_tip(self._raw(node, column))
        return None

    def _raw(self, node: _Node, column: DoneColumn) -> str:
        if node.is_group:
            return str(node.value.get("condition", "any")) if column is DoneColumn.WHAT else ""
        if column is DoneColumn.MEASUREMENT:
            return str(node.value.get("measurement", "absolute"))
        if column is DoneColumn.OP:
            return str(node.value.get("op", ""))
        return str(node.value.get("reference", 0)) if column is DoneColumn.REFERENCE else node.name

    def _text(self, node: _Node, column: DoneColumn) -> str:
        raw = self._raw(node, column)
        if node.is_group:
            if column is not DoneColumn.WHAT:
                return ""
            head = self.tr("all of") if raw == "all" else self.tr("any of")
            text = f"{head}   “{node.name}”" if node.name else head
            # ``all`` of nothing is true: stable-retro ends the episode at once.
            empty = raw == "all" and not node.children
            return self.tr("{0}  · empty: always done").format(text) if empty else text
        if column is DoneColumn.OP:
            return raw or self.tr("positive")  # a missing op means: value above 0
        if column is DoneColumn.MEASUREMENT:
            return self.tr("value") if raw == "absolute" else self.tr("change")
        if column is DoneColumn.REFERENCE and not takes_reference(self._raw(node, DoneColumn.OP)):
            return ""
        return raw

    def _color(self, node: _Node, column: DoneColumn) -> str:
        colors = self._theme.colors
        if node.is_group:
            empty = self._raw(node, column) == "all" and not node.children
            return colors.warn if empty else colors.secondary
        if column is DoneColumn.WHAT:
            return colors.text if node.name in self._known else colors.warn
        if column is DoneColumn.MEASUREMENT:
            return colors.faint if self._raw(node, column) == "absolute" else colors.secondary
        return colors.link if column is DoneColumn.OP else colors.text

    # -- drag and drop ----------------------------------------------------------------------

    def supportedDropActions(self) -> Qt.DropAction:  # noqa: N802 - Qt's name
        """Conditions are moved, never copied: a group tests a variable once."""
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:  # noqa: N802 - Qt's name
        """Rows of this tree."""
        return [_MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:  # noqa: N802 - Qt's name
        """The JSON path of the first row."""
        data = QMimeData()
        path = self.node_at(indexes[0]).path if indexes else ()
        data.setData(_MIME, json.dumps(path).encode())
        return data

    def dropMimeData(  # noqa: N802 - Qt's name
        self,
        data: QMimeData,
        action: Qt.DropAction,  # noqa: ARG002 - Qt's signature
        row: int,  # noqa: ARG002 - the order within a group means nothing
        column: int,  # noqa: ARG002 - as above
        parent: Index,
    ) -> bool:
        """Ask for the move. False: the rows change when the document has, not before."""
        path = tuple(json.loads(data.data(_MIME).toStdString() or "[]"))
        if path:
            self.move_requested.emit(path, self.group_path_at(parent))
        return False

    # -- edits ------------------------------------------------------------------------------

    def check(self, index: Index, text: str) -> str | None:
        """The reason why ``text`` can not stand in a cell; None when it can."""
        if index.column() != DoneColumn.REFERENCE:
            return None
        try:
            parse_number(text)
        except DomainError as error:
            return str(error)
        return None

    def setData(  # noqa: N802 - Qt's name
        self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole
    ) -> bool:
        """Turn an edit into a request. False, without a request, for an invalid one."""
        text = str(value)
        if role != Qt.ItemDataRole.EditRole or self.check(index, text) is not None:
            return False
        node, column = self.node_at(index), DoneColumn(index.column())
        if text == self._raw(node, column):
            return True
        if node.is_group:
            self.edit_requested.emit((*node.path, "condition"), text)
        elif column is DoneColumn.REFERENCE:
            self.edit_requested.emit((*node.path, "reference"), parse_number(text))
        else:
            self.edit_requested.emit((*node.path, _KEYS[column]), text or None)
        return True


def _collect(
    nodes: list[_Node], path: JsonPath, name: str, value: Mapping[str, Any], parent: int
) -> None:
    """Append a group and everything below it, parents first."""
    group = _Node(len(nodes), path, name, is_group=True, value=value, parent=parent)
    nodes.append(group)
    if parent >= 0:
        nodes[parent].children.append(group.number)
    for variable, test in as_object(value.get("variables")).items():
        where = (*path, "variables", variable)
        node = _Node(len(nodes), where, variable, False, as_object(test), group.number)  # noqa: FBT003 - a plain record
        nodes.append(node)
        group.children.append(node.number)
    for child, below in as_object(value.get("nodes")).items():
        _collect(nodes, (*path, "nodes", child), child, as_object(below), group.number)
