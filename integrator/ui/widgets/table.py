"""Tables of the panels: columns that fit the width, word wrap, and context menus of rows."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QAbstractItemModel, QItemSelectionModel, QModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import QAction, QColor, QGuiApplication, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
    QPushButton,
    QStyle,
    QTableView,
    QTableWidget,
    QTableWidgetItem,
    QToolButton,
    QWidget,
)

from integrator.ui.widgets.fields import settle_timer
from integrator.ui.widgets.fitting import FitsSize
from integrator.ui.widgets.parts import Call
from integrator.ui.widgets.theme import SIZES, icon

_LEAST_SHARE = 0.7  # smallest share of its width that a column keeps; a narrower table scrolls


def _least_sum(widths: Mapping[int, int], least: Mapping[int, int]) -> int:
    return sum(max(least[column], round(w * _LEAST_SHARE)) for column, w in widths.items())


def _shared_width(room: int, widths: Mapping[int, int], least: Mapping[int, int]) -> float:
    """Return the share of its width that a column gets, unless its least width is larger."""
    wide, share = dict(widths), 1.0
    while wide:
        share = min(1.0, max(_LEAST_SHARE, room / sum(wide.values())))
        narrow = [column for column, w in wide.items() if w * share < least.get(column, 0)]
        if not narrow:
            break
        room -= sum(least[column] for column in narrow)
        wide = {column: w for column, w in wide.items() if column not in narrow}
    return share


def pop_up(menu: QMenu, where: QPoint) -> None:
    """Show a menu at a point of the screen, and delete the menu when it is closed."""
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.popup(where)


def on_context_menu(widget: QWidget, open_menu: Callable[[QPoint], object]) -> None:
    """Call ``open_menu`` with the point in the widget where the user asks for its context menu."""
    widget.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    widget.customContextMenuRequested.connect(open_menu)


class RowMenu(QMenu):
    """A context menu. Each call adds an entry: its text, its callback, and the name of its icon."""

    def add(
        self, text: str, chosen: Call, name: str = "", tip: str = "", *, enabled: bool = True
    ) -> None:
        action = self.addAction(text, chosen)
        if name:
            action.setIcon(icon(name))
        action.setToolTip(tip)
        action.setEnabled(enabled)

    def add_switch(self, text: str, chosen: Callable[[bool], object], *, on: bool) -> None:
        action = QAction(text, self, checkable=True, checked=on)
        action.triggered.connect(lambda checked: chosen(checked))
        self.addAction(action)

    def add_copy(self, text: str) -> None:
        label = self.tr("Copy address {0}").format(text)
        self.add(label, lambda: QGuiApplication.clipboard().setText(text))


def drop_menu(button: QPushButton | QToolButton, fill: Callable[[RowMenu], object]) -> RowMenu:
    """Give a button a menu, which ``fill`` fills again each time that the menu opens."""
    menu = RowMenu(button)
    menu.aboutToShow.connect(menu.clear)
    menu.aboutToShow.connect(lambda: fill(menu))
    button.setMenu(menu)
    return menu


def show_row_menus(
    view: QAbstractItemView, menu_of: Callable[[QModelIndex], QMenu | None], *heads: QHeaderView
) -> None:
    """Open a row's menu at a right click on it or its header in ``heads``; its selection stays."""

    def open_menu(clicked: QAbstractItemView, where: QPoint) -> None:
        cell = view.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle)
        index = view.indexAt(where)
        if clicked is view and where == cell.center():
            # The menu key's point counts headers, but not in Qt 6.8, so it is computed here.
            index = view.currentIndex()
            where = view.visualRect(index).center()
        if not index.isValid():
            return
        if not view.selectionModel().isRowSelected(index.row(), index.parent()):
            # While Ctrl is held, the view would add this row to the selection.
            flags = QItemSelectionModel.SelectionFlag
            view.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
        if (menu := menu_of(index)) is not None:
            pop_up(menu, clicked.viewport().mapToGlobal(where))

    for each in (view, *heads):
        on_context_menu(each, partial(open_menu, each))


def _quiet(table: QTableView, name: str, row_height: int) -> QHeaderView:
    """Remove grid and row numbers, select whole rows, and return the header of the columns."""
    table.setAccessibleName(name)
    table.setShowGrid(False)
    table.setAlternatingRowColors(True)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(row_height)
    header = table.horizontalHeader()
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    return header


class DataTable(FitsSize, QTableView):
    """A dense table without grid lines, for the model of a panel."""

    def __init__(self, name: str, model: QAbstractItemModel) -> None:
        super().__init__()
        header = _quiet(self, name, SIZES.row)
        self.setWordWrap(False)
        # Arrow keys move between cells; Tab would never leave the table.
        self.setTabKeyNavigation(False)
        by = QAbstractItemView.EditTrigger
        self.setEditTriggers(by.DoubleClicked | by.EditKeyPressed | by.AnyKeyPressed)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().setMinimumSectionSize(SIZES.row)
        header.setHighlightSections(False)
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(36)
        self._widths: dict[int, int] = {}
        self._fitted: dict[int, int] = {}
        # Rows wrap once, after the columns: Qt reports each resized column separately.
        self._wrapping = settle_timer(self, 0, self._wrap_shown)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.setModel(model)
        model.modelReset.connect(self._fit)
        model.rowsInserted.connect(self._fit)

    def set_widths(
        self,
        widths: Sequence[int],
        stretch: int,
        whole: Sequence[int] = (),
        spare: Sequence[int] = (),
        unused: Sequence[int] = (),
    ) -> None:
        """Set the wanted widths of the columns in pixels; the column ``stretch`` takes the rest.

        In a narrow table all columns shrink, until the user drags one. Columns in ``whole``
        identify rows, as addresses do, so they stay as wide as their texts; the table may scroll.
        Columns in ``spare`` are hidden, the first one first, if titles would be cut, or the
        stretched column had neither its width nor that of its texts. ``unused`` ones are hidden."""
        self._widths = {at: width for at, width in enumerate(widths) if at not in unused}
        for column in range(len(widths)):
            self.setColumnHidden(column, column in unused)
        self._whole = [column for column in whole if column not in unused]
        self._spare = [column for column in spare if column not in unused]
        self._stretched = stretch
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self._fit_widths()

    def wrap_rows(self) -> None:
        """Wrap texts wider than their columns; for tables of few rows, after a model is set."""
        self.setWordWrap(True)
        model, later = self.model(), self._wrapping
        for moved in (self.horizontalHeader().sectionResized, model.modelReset, model.dataChanged):
            moved.connect(lambda *_: later.start())

    def _wrap_shown(self) -> None:
        if not self.isVisible():
            return
        self.resizeRowsToContents()
        # Qt ignores the style sheet's padding, and would cut texts that barely do not fit.
        columns = [c for c in self._widths if not self.isColumnHidden(c)]
        for row in range(self.model().rowCount()):
            needed = max(self._wrapped_height(self.model().index(row, c)) for c in columns)
            if needed > self.rowHeight(row):
                self.setRowHeight(row, needed)

    def _wrapped_height(self, cell: QModelIndex) -> int:
        margin = self.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin) + 1
        room = self.columnWidth(cell.column()) - 2 * (margin + 6)  # app.qss pads a cell by 6 pixels
        if cell.data(Qt.ItemDataRole.DecorationRole) is not None:
            room -= self.style().pixelMetric(QStyle.PixelMetric.PM_SmallIconSize) + 2 * margin
        flags, text = Qt.TextFlag.TextWordWrap, str(cell.data() or "")
        box = self.fontMetrics().boundingRect(QRect(0, 0, max(1, room), 1 << 16), flags, text)
        return box.height() + 2 * margin

    def showEvent(self, event: QShowEvent) -> None:
        """Wrap the texts that changed while the table was hidden."""
        super().showEvent(event)
        if self.wordWrap():
            self._wrapping.start()

    def _fit(self) -> None:
        untouched = all(self.columnWidth(c) == width for c, width in self._fitted.items())
        if self._widths and untouched:
            self._fit_widths()

    def _fit_widths(self) -> None:
        room, shown = self.viewport().width(), dict(self._widths)
        header, hint = self.horizontalHeader(), self.horizontalHeader().sectionSizeHint
        for column in self._spare:
            self.showColumn(column)  # A hidden column has no width to measure.
        texts = {at: max(self._text_width(at), hint(at)) for at in self._whole}
        titles = {at: max(min(w, hint(at)), texts.get(at, 0)) for at, w in shown.items()}
        text = self._text_width(self._stretched) if self._spare else 0
        text = min(self._widths[self._stretched], text)
        wanted = {**titles, self._stretched: max(titles[self._stretched], text)}
        for column in self._spare:
            if _least_sum(shown, wanted) > room:
                del shown[column]
        for column in self._widths.keys() - shown.keys():
            self.hideColumn(column)
        least = titles if _least_sum(shown, titles) <= room else texts
        share = _shared_width(room, shown, least)
        widths = {c: max(least.get(c, 0), round(width * share)) for c, width in shown.items()}
        crowded = self._stretched in self._whole and sum(widths.values()) > room
        mode = QHeaderView.ResizeMode.Interactive if crowded else QHeaderView.ResizeMode.Stretch
        if header.sectionResizeMode(self._stretched) is not mode:
            header.setSectionResizeMode(self._stretched, mode)
        for column, width in widths.items():
            self.setColumnWidth(column, width)
        self._fitted = {at: self.columnWidth(at) for at in shown if at != self._stretched}

    def _text_width(self, column: int) -> int:
        """Return the width of the widest cell in the first 16 rows; a search may have a million
        rows. Qt forgets the margin of a text next to a check box, so it is added here."""
        model = self.model()
        rows = range(min(16, model.rowCount()))
        margin = 2 * self.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin)
        widths = [0]
        for cell in (model.index(row, column) for row in rows):
            ticked = cell.data(Qt.ItemDataRole.CheckStateRole) is not None
            widths.append(self.sizeHintForIndex(cell).width() + margin * ticked)
        return max(widths)


class FixedTable(QTableWidget):
    """A table in a dialog. Its cells are read-only, unless ``editable``."""

    def __init__(self, name: str, titles: Sequence[str], *, editable: bool = False) -> None:
        super().__init__(0, len(titles))
        self.setHorizontalHeaderLabels(list(titles))
        if not editable:
            self.setEditTriggers(DataTable.EditTrigger.NoEditTriggers)
        _quiet(self, name, SIZES.row + 2).setStretchLastSection(True)

    def put(
        self, row: int, column: int, text: str, tip: str = "", color: str = "", edited: bool = False
    ) -> None:
        """Fill a cell, read-only unless ``edited``; without ``color``, in the table's color."""
        item = QTableWidgetItem(text)
        if not edited:
            item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEditable)
        item.setToolTip(tip)
        if color:
            item.setForeground(QColor(color))
        self.setItem(row, column, item)
