"""The Done panel: the tree of conditions that end an episode, with this frame's lamps."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QRectF, Qt, Signal
from PySide6.QtGui import QAction, QColor, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QInputDialog,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from integrator.domain.scenario.tree import Measurement
from integrator.session.frame.result import FrameResult
from integrator.ui.actions.actions import Actions
from integrator.ui.actions.shortcuts import panel_action
from integrator.ui.score.done_model import DoneColumn, DoneModel, LampRole
from integrator.ui.score.reward_cards import VariableMenuButton, as_object
from integrator.ui.terms.help_texts import op_choices
from integrator.ui.widgets.panels.parts import EmptyOr, EmptyState, role_label, stack
from integrator.ui.widgets.panels.table import show_row_menus
from integrator.ui.widgets.rows_model import CheckedTextDelegate, ChoiceDelegate, Index
from integrator.ui.widgets.theme import SIZES, Theme

_LEAST_WIDTHS = {DoneColumn.MEASUREMENT: 58, DoneColumn.OP: 70, DoneColumn.REFERENCE: 60}


class DoneView(QWidget):
    """The done tree. ``edit_requested``: (JSON path, value; None removes). ``move_requested``:
    (JSON path, group's path); ``rename_requested``: (group's path, name)."""

    edit_requested = Signal(tuple, object)
    move_requested = Signal(tuple, tuple)
    rename_requested = Signal(tuple, str)
    rejected = Signal(str)

    def __init__(self, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self.model = DoneModel(theme, self)
        self.model.edit_requested.connect(self.edit_requested)
        self.model.move_requested.connect(self.move_requested)
        self.tree = QTreeView()
        self._set_up_tree()
        self._delegates(theme)
        self._build_ui(theme, actions)

    def _set_up_tree(self) -> None:
        self.tree.setAccessibleName(self.tr("Done conditions"))
        self.tree.setModel(self.model)
        self.tree.setRootIsDecorated(False)
        self.tree.setIndentation(14)
        self.tree.setItemsExpandable(False)
        self.tree.setUniformRowHeights(True)
        self.tree.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.tree.setAutoExpandDelay(0)
        self.tree.setToolTip(
            self.tr("Drag a condition onto a group to move it; double-click to change it")
        )
        self.tree.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        show_row_menus(self.tree, self._node_menu)
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(36)
        header.setSectionResizeMode(DoneColumn.WHAT, QHeaderView.ResizeMode.Stretch)

    def _build_ui(self, theme: Theme, actions: Actions) -> None:
        self.add = VariableMenuButton(
            self.tr("condition"),
            theme,
            [("any", self.tr("group: any of")), ("all", self.tr("group: all of"))],
        )
        self.add.setAccessibleName(self.tr("Add done condition"))
        self.add.chosen.connect(self.add_condition)
        self.add.extra_chosen.connect(self.add_group)
        self._remove = panel_action("done.remove", self, self.remove_current)
        self._remove.setIcon(theme.icons.icon("trash"))
        self._rename = QAction(theme.icons.icon("edit"), self.tr("Rename group…"), self)
        self._rename.triggered.connect(lambda: self._ask_name())
        texts = {"any": self.tr("Add group: any of"), "all": self.tr("Add group: all of")}
        self._new = [QAction(theme.icons.icon("group"), text, self) for text in texts.values()]
        for action, condition in zip(self._new, texts, strict=True):
            action.triggered.connect(lambda _=False, each=condition: self.add_group(each))
        empty = EmptyState(
            theme,
            "done",
            self.tr("The episode never ends"),
            self.tr("Say what ends it: for instance lives equal to 0, or game over not 0."),
            [actions["add_condition"]],
        )
        self.pages = EmptyOr(empty, self.tree)
        self.script_note = role_label("", "warn", wraps=True)
        self.script_note.setContentsMargins(SIZES.pad, 8, SIZES.pad, 8)
        self.script_note.hide()
        stack(self, self.script_note, self.pages, grows=self.pages)

    def _delegates(self, theme: Theme) -> None:
        self._text = CheckedTextDelegate(self.tree)
        self._text.rejected.connect(self.rejected)
        self.tree.setItemDelegate(self._text)
        columns = (
            (DoneColumn.MEASUREMENT, [(each.value, each.value) for each in Measurement]),
            (DoneColumn.OP, op_choices()),
        )
        for column, choices in columns:
            self.tree.setItemDelegateForColumn(column, ChoiceDelegate(choices, self.tree))
        self.tree.setItemDelegateForColumn(DoneColumn.WHAT, LampDelegate(theme, self.tree))

    def show_scenario(self, scenario: Mapping[str, Any], names: Sequence[str]) -> None:
        """Show a scenario's ``done`` block; ``names`` are the variables."""
        self.model.set_block(as_object(scenario.get("done")), names)
        self.add.set_names(names)
        self.pages.show_content(self.model.rowCount(self.model.index(0, 0)) > 0)
        self._lay_out()
        script = as_object(scenario.get("done")).get("script")
        self.script_note.setVisible(bool(script))
        text = self.tr("The script function {0} decides; conditions below are not used.")
        self.script_note.setText(text.format(script))

    def show_frame(self, result: FrameResult) -> None:
        self.model.set_lamps(result.outcome.nodes)

    def add_condition(self, name: str) -> None:
        group = self.model.group_path_at(self.tree.currentIndex())
        path = (*group, "variables", name)
        if not self.model.value_at(path):
            self.edit_requested.emit(path, {"op": "zero"})

    def add_group(self, condition: str) -> None:
        group = self.model.group_path_at(self.tree.currentIndex())
        taken = self.model.groups()
        number = 1
        while (*group, "nodes", f"group{number}") in taken:
            number += 1
        self.edit_requested.emit((*group, "nodes", f"group{number}"), {"condition": condition})

    def remove_current(self) -> None:
        node = self.model.node_at(self.tree.currentIndex())
        if len(node.path) > 1:
            self.edit_requested.emit(node.path, None)

    def _node_menu(self, index: QModelIndex) -> QMenu:
        node = self.model.node_at(index)
        self._remove.setEnabled(len(node.path) > 1)
        self._rename.setEnabled(node.is_group and len(node.path) > 1)
        menu = QMenu(self.tree)
        menu.addActions([*self._new, self._rename, self._remove])
        return menu

    def _lay_out(self) -> None:
        """Expand all nodes, and show ops and numbers whole. A group spans its row, because it has
        only a first column."""
        self.tree.expandAll()
        for index in self.model.groups().values():
            self.tree.setFirstColumnSpanned(index.row(), index.parent(), True)  # noqa: FBT003 - Qt's signature
        for column, width in _LEAST_WIDTHS.items():
            self.tree.setColumnWidth(column, max(width, self.tree.sizeHintForColumn(column)))

    def _ask_name(self) -> None:
        node = self.model.node_at(self.tree.currentIndex())
        title, label = self.tr("Rename group"), self.tr("Name, shown only to people:")
        name, given = QInputDialog.getText(self, title, label, text=node.name)
        if given:
            self.rename_requested.emit(node.path, name.strip())


class LampDelegate(ChoiceDelegate):
    """A lamp before the text, lit while the condition holds; groups are edited as any or all."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__((("any", "any of"), ("all", "all of")), parent)
        self._theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        shifted = QStyleOptionViewItem(option)
        rect = option.rect
        shifted.rect = rect.adjusted(12, 0, 0, 0)
        QStyledItemDelegate.paint(self, painter, shifted, index)
        lamp = index.data(LampRole)
        colors = self._theme.colors
        box = QRectF(rect.left() + 6, rect.center().y() - 3, 8, 8)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if lamp:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colors.good))
        else:
            painter.setPen(QPen(QColor(colors.faint), 1.4))
            painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(box)
        painter.restore()
