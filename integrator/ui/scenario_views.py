"""The Reward and Done panels: tables over the scenario, with this frame's numbers and lamps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QAction, QColor, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from integrator.session.result import FrameResult
from integrator.ui.actions import Actions
from integrator.ui.delegates import CheckedTextDelegate, ChoiceDelegate, Index, TrendDelegate
from integrator.ui.models.done_model import DoneColumn, DoneModel, LampRole
from integrator.ui.models.reward_model import (
    MEASUREMENTS,
    OPS,
    JsonPath,
    RewardColumn,
    RewardModel,
    as_object,
)
from integrator.ui.panels import DataTable, EmptyOr, EmptyState, role_label
from integrator.ui.theme import SIZES, Theme


class VariableMenuButton(QPushButton):
    """``+ term``: offers the variables, and what else may be added."""

    chosen = Signal(str)
    extra_chosen = Signal(str)

    def __init__(self, text: str, theme: Theme, extras: Sequence[tuple[str, str]]) -> None:
        super().__init__(theme.icons.icon("plus"), text)
        self._extras = tuple(extras)
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill)
        self._names: Sequence[str] = ()
        self.setMenu(self._menu)
        self.setProperty("role", "flat")

    def set_names(self, names: Sequence[str]) -> None:
        """Variables to offer."""
        self._names = tuple(names)

    def _fill(self) -> None:
        self._menu.clear()
        for name in self._names:
            action = self._menu.addAction(name)
            action.triggered.connect(lambda _=False, n=name: self.chosen.emit(n))
        if not self._names:
            self._menu.addAction(self.tr("Name a variable first")).setEnabled(False)
        self._menu.addSeparator()
        for key, text in self._extras:
            action = self._menu.addAction(text)
            action.triggered.connect(lambda _=False, k=key: self.extra_chosen.emit(k))


class RewardView(QWidget):
    """One player's reward. ``edit_requested``: (JSON path, value; None removes)."""

    edit_requested = Signal(tuple, object)
    rejected = Signal(str)

    def __init__(self, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self._path: JsonPath = ("reward",)
        self._player = 0
        self.model = RewardModel(theme, self)
        self.model.edit_requested.connect(self.edit_requested)
        self.table = DataTable(self.tr("Reward terms"))
        self.table.setModel(self.model)
        self._text = CheckedTextDelegate(self.table)
        self._text.rejected.connect(self.rejected)
        self.table.setItemDelegate(self._text)
        for column, choices in (
            (RewardColumn.MEASUREMENT, MEASUREMENTS),
            (RewardColumn.OP, OPS),
        ):
            self.table.setItemDelegateForColumn(column, ChoiceDelegate(choices, self.table))
        trend = TrendDelegate(theme, "accent", self.table)
        self.table.setItemDelegateForColumn(RewardColumn.TREND, trend)
        self.table.set_widths((96, 84, 84, 44, 66, 66, 64, 60), stretch=RewardColumn.TREND)
        self.table.customContextMenuRequested.connect(self._open_menu)
        self.add = VariableMenuButton(
            self.tr("term"), theme, [("time", self.tr("time: every frame"))]
        )
        self.add.setAccessibleName(self.tr("Add reward term"))
        self.add.chosen.connect(self.add_term)
        self.add.extra_chosen.connect(lambda _: self.add_time())
        self.script_note = role_label("", "warn")
        self.script_note.setWordWrap(True)
        self.script_note.setContentsMargins(SIZES.pad, 8, SIZES.pad, 8)
        self.script_note.hide()
        self._remove = _delete_action(self, theme, self.tr("Remove term"), self.remove_current)
        empty = EmptyState(
            theme,
            "reward",
            self.tr("Nothing is rewarded yet"),
            self.tr(
                "Reward a variable for growing, such as the score, or give each frame a price."
            ),
            [actions["add_reward"]],
        )
        self.pages = EmptyOr(empty, self.table)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.script_note)
        layout.addWidget(self.pages, 1)

    def show_scenario(
        self, scenario: Mapping[str, Any], names: Sequence[str], player: int = 0
    ) -> None:
        """Show player ``player``'s block of a scenario; ``names`` are the variables."""
        self._player = player
        rewards = scenario.get("rewards")
        listed = isinstance(rewards, Sequence) and not isinstance(rewards, str)
        block: object = scenario.get("reward")
        self._path = ("reward",)
        if listed and rewards is not None and player < len(rewards) and (player or not block):
            block, self._path = rewards[player], ("rewards", player)
        self.model.set_block(self._path, as_object(block), names)
        self.add.set_names([name for name in names if not self.model.has_term(name)])
        script = as_object(block).get("script")
        self.script_note.setVisible(bool(script))
        self.script_note.setText(
            self.tr("The script function {0} gives the reward; terms below are not used.").format(
                script
            )
        )
        self.pages.show_content(self.model.rowCount() > 0)

    def show_frame(self, result: FrameResult) -> None:
        """This frame's contributions."""
        terms = result.outcome.terms
        if result.outcome.frame <= 1:
            self.model.begin_episode()
        if self._player < len(terms):
            self.model.set_contributions(terms[self._player])

    def add_term(self, name: str) -> None:
        """Reward a variable's growth."""
        if not self.model.has_term(name):
            self.edit_requested.emit((*self._path, "variables", name), {"reward": 1.0})

    def add_time(self) -> None:
        """Give each frame a price."""
        self.edit_requested.emit((*self._path, "time"), {"reward": -0.01})

    def remove_current(self) -> None:
        """Take the current row's term out of the scenario."""
        index = self.table.currentIndex()
        if index.isValid():
            self.edit_requested.emit(self.model.path_at(index.row()), None)

    def _open_menu(self, where: QPoint) -> None:
        index = self.table.indexAt(where)
        if index.isValid():
            self.table.setCurrentIndex(index)
            _popup([self._remove], self.table, where)


class DoneView(QWidget):
    """The done tree. ``edit_requested``: (JSON path, value; None removes)."""

    edit_requested = Signal(tuple, object)
    rejected = Signal(str)

    def __init__(self, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self.model = DoneModel(theme, self)
        self.model.edit_requested.connect(self.edit_requested)
        self.tree = QTreeView()
        self.tree.setAccessibleName(self.tr("Done conditions"))
        self.tree.setModel(self.model)
        self.tree.setRootIsDecorated(False)
        self.tree.setIndentation(18)
        self.tree.setItemsExpandable(False)
        self.tree.setUniformRowHeights(True)
        self.tree.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tree.customContextMenuRequested.connect(self._open_menu)
        self._delegates(theme)
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(36)
        for column, width in enumerate((90, 84, 84, 44)):
            self.tree.setColumnWidth(column, width)
        header.setSectionResizeMode(DoneColumn.WHAT, QHeaderView.ResizeMode.Stretch)
        self.add = VariableMenuButton(
            self.tr("condition"),
            theme,
            [("any", self.tr("group: any of")), ("all", self.tr("group: all of"))],
        )
        self.add.setAccessibleName(self.tr("Add done condition"))
        self.add.chosen.connect(self.add_condition)
        self.add.extra_chosen.connect(self.add_group)
        self._remove = _delete_action(self, theme, self.tr("Remove"), self.remove_current)
        empty = EmptyState(
            theme,
            "done",
            self.tr("The episode never ends"),
            self.tr("Say what ends it: for instance lives equal to 0, or game over not 0."),
            [actions["add_condition"]],
        )
        self.pages = EmptyOr(empty, self.tree)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.pages)
        self.model.modelReset.connect(self.tree.expandAll)

    def _delegates(self, theme: Theme) -> None:
        self._text = CheckedTextDelegate(self.tree)
        self._text.rejected.connect(self.rejected)
        self.tree.setItemDelegate(self._text)
        columns = (
            (DoneColumn.MEASUREMENT, tuple(reversed(MEASUREMENTS))),
            (DoneColumn.OP, OPS),
        )
        for column, choices in columns:
            self.tree.setItemDelegateForColumn(column, ChoiceDelegate(choices, self.tree))
        self.tree.setItemDelegateForColumn(DoneColumn.WHAT, LampDelegate(theme, self.tree))

    def show_scenario(self, scenario: Mapping[str, Any], names: Sequence[str]) -> None:
        """Show a scenario's ``done`` block; ``names`` are the variables."""
        self.model.set_block(as_object(scenario.get("done")), names)
        self.add.set_names(names)
        self.pages.show_content(self.model.test_count > 0 or len(self.model.group_paths()) > 1)
        self.tree.expandAll()

    def show_frame(self, result: FrameResult) -> None:
        """This frame's lamps."""
        self.model.set_lamps(result.outcome.nodes)

    def add_condition(self, name: str) -> None:
        """End the episode on a variable, in the current group."""
        group = self.model.group_path_at(self.tree.currentIndex())
        path = (*group, "variables", name)
        if not self.model.value_at(path):
            self.edit_requested.emit(path, {"op": "zero"})

    def add_group(self, condition: str) -> None:
        """Add a nested group to the current one."""
        group = self.model.group_path_at(self.tree.currentIndex())
        taken = set(self.model.group_paths())
        number = 1
        while (*group, "nodes", f"group{number}") in taken:
            number += 1
        self.edit_requested.emit((*group, "nodes", f"group{number}"), {"condition": condition})

    def remove_current(self) -> None:
        """Take the current condition or group out of the scenario."""
        node = self.model.node_at(self.tree.currentIndex())
        if len(node.path) > 1:
            self.edit_requested.emit(node.path, None)

    def _open_menu(self, where: QPoint) -> None:
        index: QModelIndex = self.tree.indexAt(where)
        if index.isValid():
            self.tree.setCurrentIndex(index)
            self._remove.setEnabled(len(self.model.node_at(index).path) > 1)
            _popup([self._remove], self.tree, where)


class LampDelegate(ChoiceDelegate):
    """A lamp before the text, lit while the condition holds; groups are edited as any or all."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__((("any", "any of"), ("all", "all of")), parent)
        self._theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """The text moved right, and the lamp before it."""
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


def panel_buttons(*buttons: QWidget) -> QFrame:
    """Buttons side by side for a panel's header."""
    frame = QFrame()
    row = QHBoxLayout(frame)
    row.setContentsMargins(0, 0, 0, 0)
    for button in buttons:
        row.addWidget(button)
    return frame


def _delete_action(view: QWidget, theme: Theme, text: str, slot: Any) -> QAction:
    action = QAction(theme.icons.icon("trash"), text, view)
    action.setShortcut("Del")
    action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    action.triggered.connect(slot)
    view.addAction(action)
    return action


def _popup(actions: Sequence[QAction], view: QAbstractItemView, where: QPoint) -> None:
    menu = QMenu(view)
    menu.addActions(list(actions))
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.popup(view.viewport().mapToGlobal(where))
