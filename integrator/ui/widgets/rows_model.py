"""A table model whose columns define how to show and edit a row, and delegates for its cells."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Generic, TypeVar, cast

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QKeyEvent, QPainter, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QLineEdit,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QToolTip,
    QWidget,
)

from integrator.ui.widgets.fields import mark_invalid, problem_of
from integrator.ui.widgets.fitting import Index
from integrator.ui.widgets.texts import grouped
from integrator.ui.widgets.theme import SIZES, Theme, icon, mono_font

Row = TypeVar("Row")
NO_PARENT = QModelIndex()

_DISPLAY: Final = Qt.ItemDataRole.DisplayRole.value
_FONT: Final = Qt.ItemDataRole.FontRole.value
_FOREGROUND: Final = Qt.ItemDataRole.ForegroundRole.value
_DECORATION: Final = Qt.ItemDataRole.DecorationRole.value
_TOOLTIP: Final = Qt.ItemDataRole.ToolTipRole.value

SORT_ROLE = Qt.ItemDataRole.UserRole  # the number or text by which a column is sorted

TrendRole = Qt.ItemDataRole.UserRole + 1  # the numbers of ``Column.trend``


def trend_points(values: Sequence[float], box: QRectF) -> QPolygonF:
    """Return ``values`` as a line that fills ``box``; a constant line lies at half height."""
    low, span = min(values), max(values) - min(values)
    step, left = box.width() / max(1, len(values) - 1), box.left()
    ground, scale = (box.bottom(), box.height() / span) if span else (box.center().y(), 0.0)
    line = QPolygonF()
    for at, value in enumerate(values):
        line.append(QPointF(left + at * step, ground - (value - low) * scale))
    return line


class TrendLine(QWidget):
    """A line of a number's latest values, scaled to the widget, with upright lines at ``marks``."""

    def __init__(self) -> None:
        super().__init__(minimumSize=QSize(40, 24))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.show_values(())

    def show_values(self, values: Sequence[float], marks: Sequence[int] = ()) -> None:
        self.values, self._marks = values, marks  # marks are indices of values
        self.update()

    def paintEvent(self, _event: object) -> None:
        if (last := len(self.values) - 1) < 1:
            return
        painter, colors, box = QPainter(self), Theme.now.colors, QRectF(self.rect())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box.adjust(2, 4, -2, -4)
        painter.setPen(QPen(QColor(colors.warn), 1.4))
        for mark in self._marks:
            x = round(box.left() + box.width() * mark / last)
            painter.drawLine(x, 0, x, self.height())
        # Up to 200 values are all drawn; of more, a pixel shows one of several.
        steps = min(last, max(self.width() - 1, 199))
        drawn = [self.values[step * last // steps] for step in range(steps + 1)]
        flat = not self._marks and min(drawn) == max(drawn)
        painter.setPen(QPen(QColor(colors.faint if flat else colors.link), 1.3))
        painter.drawPolyline(trend_points(drawn, box))


class TrendDelegate(QStyledItemDelegate):
    """Draws the latest values of each row as a small line, in a column of ``table``."""

    def __init__(self, color: str, table: QTableView, column: int) -> None:
        super().__init__(table)
        self._color = color
        table.setItemDelegateForColumn(column, self)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        widget = option.widget
        ground = QStyle.PrimitiveElement.PE_PanelItemViewItem
        widget.style().drawPrimitive(ground, option, painter, widget)
        if not (values := index.data(TrendRole)) or len(values) < 2:
            return
        moves = min(values) != max(values)
        color = getattr(Theme.now.colors, self._color if moves else "faint")
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(color), 1.2))
        painter.drawPolyline(trend_points(values, QRectF(option.rect).adjusted(10, 7, -14, -7)))
        painter.restore()


class CheckedTextDelegate(QStyledItemDelegate):
    """A text field in the cells of ``view`` that turns red and shows the reason while its text is
    invalid. Enter does not close an invalid field. Leaving it restores the old text, and
    ``refused`` gets the reason."""

    def __init__(self, view: QAbstractItemView, refused: Callable[[str], object]) -> None:
        super().__init__(view)
        self._refused = refused
        view.setItemDelegate(self)

    def createEditor(self, parent: QWidget, _option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = QLineEdit(parent)
        editor.setFont(mono_font() if index.column() else parent.font())
        place = QPersistentModelIndex(index)
        editor.textEdited.connect(lambda text: self._show_check(editor, place, text))
        return editor

    def eventFilter(self, editor: QObject, event: QEvent) -> bool:
        """Keep an invalid field open at Enter, and restore the old text when it loses focus."""
        if isinstance(editor, QLineEdit) and editor.property("invalid"):
            if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
                if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab):
                    self._say(editor, editor.toolTip())
                    return True
            elif event.type() is QEvent.Type.FocusOut:
                self._refused(editor.toolTip())
                self.closeEditor.emit(editor, QStyledItemDelegate.EndEditHint.RevertModelCache)
                return True
        return super().eventFilter(editor, event)

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        text = cast("QLineEdit", editor).text()
        if reason := cast("RowsModel[Any]", model).check(index, text):
            self._refused(reason)
        else:
            model.setData(index, text)

    def _show_check(self, editor: QLineEdit, index: QPersistentModelIndex, text: str) -> None:
        reason = cast("RowsModel[Any]", index.model()).check(index, text)
        mark_invalid(editor, reason)
        self._say(editor, reason)

    @staticmethod
    def _say(editor: QLineEdit, reason: str) -> None:
        QToolTip.showText(editor.mapToGlobal(editor.rect().bottomLeft()), reason, editor)


class ChoiceDelegate(QStyledItemDelegate):
    """A drop-down list of fixed choices, each (value, text shown)."""

    def __init__(self, choices: Sequence[tuple[str, str]], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._choices = tuple(choices)

    def createEditor(self, parent: QWidget, _option: QStyleOptionViewItem, _: Index) -> QWidget:
        box = QComboBox(parent)
        for value, text in self._choices:
            box.addItem(text, value)

        def commit(_: int) -> None:
            self.commitData.emit(box)
            self.closeEditor.emit(box, QStyledItemDelegate.EndEditHint.NoHint)

        box.activated.connect(commit)
        return box

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        box = cast("QComboBox", editor)
        box.setCurrentIndex(max(0, box.findData(index.data(Qt.ItemDataRole.EditRole))))
        box.showPopup()

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        """Store the value of the choice, not its text."""
        model.setData(index, cast("QComboBox", editor).currentData())

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Limit the height of the list to the height of a row."""
        return QSize(super().sizeHint(option, index).width(), SIZES.row)


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """A column: its title, and functions of a row that return the contents of its cell.

    ``key`` returns the value to sort by, if it is not the text. ``color`` (a token of the theme, or
    a function that returns one), ``tip`` and ``font`` override those of the row. ``icon`` returns
    the name of an icon, or a picture. ``ticked`` is the state of the check box, None for no box.
    ``edit`` parses a typed text, and raises DomainError if it is invalid; ``editable`` limits
    editing to some rows, and ``edit_text`` is the text that editing begins with. ``trend`` returns
    the latest numbers of a row, oldest first, for a :class:`TrendDelegate`."""

    title: str
    text: Callable[[Row], str]
    key: Callable[[Row], str | float | None] | None = None
    color: Callable[[Row], str | None] | str | None = None
    tip: Callable[[Row], str | None] | None = None
    icon: Callable[[Row], str | QPixmap | None] | None = None
    font: QFont | None = None
    title_tip: str = ""
    ticked: Callable[[Row], bool | None] | None = None
    edit: Callable[[Row, str], object] | None = None
    editable: Callable[[Row], bool] = lambda _row: True
    edit_text: Callable[[Row], str] | None = None
    trend: Callable[[Row], Sequence[float]] | None = None


def number_column(
    title: str,
    value: Callable[[Row], Any],
    text: Callable[[Any], str] = grouped,
    font: QFont | None = None,
) -> Column[Row]:
    """Return a column of numbers that is sorted by ``value``; ``text`` formats a number."""
    return Column(title, lambda row: text(value(row)), value, font=font)


class RowsModel(QAbstractTableModel, Generic[Row]):
    """A table model of ``rows``; a subclass defines the columns in :meth:`table`. Users may tick
    and edit cells; ``rejected`` gives the reason why a text was invalid."""

    rejected = Signal(str)
    rows: Sequence[Row] = ()
    ink: str | None = None  # color token of the rows' texts; None for the table's color

    def table(self) -> Sequence[Column[Row]]:
        """Return the columns from left to right, in the user's language."""
        raise NotImplementedError

    def color(self, _row: Row) -> str | None:
        """Return the token or color of a row's text; None for the table's color."""
        return self.ink

    def tip(self, _row: Row) -> str | None:
        return None

    def font(self, _row: Row) -> QFont | None:
        return None

    @cached_property
    def _mono(self) -> QFont:
        return mono_font()

    @cached_property
    def _table(self) -> tuple[Column[Row], ...]:
        return tuple(self.table())

    def forget_columns(self) -> None:
        """Build the columns again at their next use."""
        self.__dict__.pop("_table", None)

    def show(self, rows: Sequence[Row]) -> None:
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def show_changed(self, rows: Sequence[Row]) -> None:
        """Replace all rows unless they are equal, because replacing them loses the selection."""
        if tuple(rows) != tuple(self.rows):
            self.show(tuple(rows))

    def renew(self, rows: Sequence[Row]) -> None:
        """Replace all rows. If their number is the same, layout and selection are kept."""
        if len(rows) != len(self.rows):
            self.show(rows)
            return
        self.rows = rows
        self.all_changed()

    def all_changed(self) -> None:
        if self.rows:
            last = self.createIndex(len(self.rows) - 1, len(self._table) - 1)
            self.dataChanged.emit(self.createIndex(0, 0), last)

    def cells_changed(self, row: int, first: int = 0, last: int | None = None) -> None:
        last = len(self._table) - 1 if last is None else last
        self.dataChanged.emit(self.createIndex(row, first), self.createIndex(row, last))

    def at(self, row: int) -> Row:
        return self.rows[row]

    def add(self, rows: Sequence[Row]) -> None:
        if rows:
            first = len(self.rows)
            self.beginInsertRows(NO_PARENT, first, first + len(rows) - 1)
            self.rows = [*self.rows, *rows]
            self.endInsertRows()

    def drop(self, row: int) -> None:
        self.beginRemoveRows(NO_PARENT, row, row)
        self.rows = [*self.rows[:row], *self.rows[row + 1 :]]
        self.endRemoveRows()

    def rowCount(self, parent: Index = NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._table)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is Qt.Orientation.Horizontal and role in (_DISPLAY, _TOOLTIP):
            column = self._table[section]
            return column.title if role == _DISPLAY else column.title_tip
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        # Called some thousand times for a screen of rows: plain integers are quick to compare.
        row, column = self.rows[index.row()], self._table[index.column()]
        if role == _DISPLAY:
            return column.text(row)
        if role == _FONT:
            return column.font or self.font(row)
        if role == _FOREGROUND:
            shown = column.color or self.color
            color = shown if isinstance(shown, str) else shown(row)
            return QColor(getattr(Theme.now.colors, color, color)) if color else None
        if role == _DECORATION:
            picture = column.icon(row) if column.icon else None
            return icon(picture) if isinstance(picture, str) else picture
        if role == _TOOLTIP:
            tip = (column.tip or self.tip)(row)
            return tip if tip is not None else column.title_tip or None
        if role == SORT_ROLE:
            return (column.key or column.text)(row)
        if role == Qt.ItemDataRole.EditRole:
            return (column.edit_text or column.text)(row)
        if role == Qt.ItemDataRole.CheckStateRole:
            ticked = column.ticked(row) if column.ticked else None
            if ticked is None:
                return None
            return Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked
        return column.trend(row) if role == TrendRole and column.trend else None

    def take(self, row: int, value: Any) -> None:
        """Make the change that an edit of a row asks for; ``value`` is what ``edit`` returned."""
        raise NotImplementedError

    def tick(self, row: int, *, on: bool) -> None:
        """Make the change that the check box of a row requests."""
        raise NotImplementedError

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if index.isValid():
            row, column = self.rows[index.row()], self._table[index.column()]
            if column.ticked and column.ticked(row) is not None:
                flags |= Qt.ItemFlag.ItemIsUserCheckable
            if column.edit and column.editable(row):
                flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def check(self, index: Index, text: str) -> str:
        """Return the reason why ``text`` is invalid in a cell, or "" if it is valid."""
        edit = self._table[index.column()].edit
        return problem_of(edit, self.rows[index.row()], text) if edit else ""

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row, column = self.rows[index.row()], self._table[index.column()]
        if role == Qt.ItemDataRole.CheckStateRole and column.ticked:
            self.tick(index.row(), on=Qt.CheckState(value) is Qt.CheckState.Checked)
            return True
        if role != Qt.ItemDataRole.EditRole or not column.edit or not column.editable(row):
            return False
        if reason := self.check(index, str(value)):
            self.rejected.emit(reason)
        else:
            self.take(index.row(), column.edit(row, str(value)))
        return not reason
