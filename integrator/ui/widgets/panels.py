"""Building blocks of the window: panel headers, docks as cards, tables, labels, empty states."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QAction, QEnterEvent, QIcon, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractScrollArea,
    QDockWidget,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QPushButton,
    QSpacerItem,
    QStackedWidget,
    QStyle,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from integrator.ui.widgets.live_label import LiveLabel
from integrator.ui.widgets.room.column_widths import least_sum, shared_width
from integrator.ui.widgets.room.stack import stack
from integrator.ui.widgets.theme import SIZES, Theme

HEADER_HEIGHT = 34
"""Height of a panel's header, in pixels."""
_UNTITLED_HEIGHT = 28
"""Height of a header that has a note or buttons, but no title."""


def role_label(
    text: str = "", role: str = "", parent: QWidget | None = None, *, wraps: bool = False
) -> QLabel:
    """A label in one of the style sheet's text roles; ``wraps`` breaks long texts into lines."""
    label = QLabel(text, parent)
    label.setWordWrap(wraps)
    if role:
        label.setProperty("role", role)
    return label


def set_role(widget: QWidget, role: str) -> None:
    """Change a widget's role; the style sheet is applied again only when it differs."""
    if widget.property("role") != role:
        widget.setProperty("role", role)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def tool_button(action: QAction, *, role: str = "", size: int = 18) -> QToolButton:
    """A button for an action, named for screen readers, with the shortcut in its tooltip."""
    button = QToolButton()
    button.setDefaultAction(action)
    button.setIconSize(QSize(size, size))
    button.setAccessibleName(plain_text(action))
    if role:
        button.setProperty("role", role)
    return button


def plain_text(action: QAction) -> str:
    """An action's text without mnemonic and ellipsis."""
    return action.text().replace("&", "").rstrip("…")


class PanelHeader(QFrame):
    """Title on the left, a note in small type on the right, a button to hide the panel.

    Without its title, which the panel's tab says, it is lower, and takes no room when it is empty.
    """

    close_requested = Signal()

    def __init__(self, title: str, theme: Theme, *, closable: bool = False) -> None:
        super().__init__()
        self.setObjectName("PanelHeader")
        self.title = QLabel(title)
        self.title.setObjectName("PanelTitle")
        self.note = LiveLabel(right=True)
        self.note.setObjectName("PanelNote")
        self.note.setTextFormat(Qt.TextFormat.RichText)
        self._close = QToolButton()
        self._close.setIcon(theme.icons.icon("close"))
        self._close.setIconSize(QSize(12, 12))
        self._close.setProperty("role", "flat")
        self._close.setToolTip(self.tr("Hide this panel"))
        self._close.setAccessibleName(self.tr("Hide {0}").format(title))
        self._close.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._close.setFixedSize(20, 20)
        self._close.clicked.connect(self.close_requested)
        self._closable = closable
        self._close.hide()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(SIZES.pad, 0, SIZES.pad, 0)
        self._row.setSpacing(8)
        # A dock gives its title the height that its layout asks for. Not by overriding sizeHint:
        # Qt asks some thousand times for one layout of the window.
        self._strut = QSpacerItem(0, HEADER_HEIGHT)
        self._row.addItem(self._strut)
        self._row.addWidget(self.title)
        self._row.addStretch(1)
        self._row.addWidget(self.note)
        self._row.addWidget(self._close)
        self._added = False
        self.setFixedHeight(HEADER_HEIGHT)
        self.note.changed.connect(self._fit)

    def add_after_title(self, widget: QWidget) -> None:
        """Put a widget right of the title."""
        self._row.insertWidget(self._row.indexOf(self.title) + 1, widget)
        self._added = True

    def add_button(self, button: QWidget) -> None:
        """Put a button at the right end."""
        self._row.insertWidget(self._row.count() - 1, button)
        self._added = True

    def set_titled(self, titled: bool) -> None:
        """Show the title, or leave it to the panel's tab."""
        if titled is self.title.isHidden():
            self.title.setVisible(titled)
            self._fit()

    def _fit(self) -> None:
        """Take the height that the present content needs. A bare count is not worth a row."""
        says = self._added or bool(self.note.text().strip("0123456789"))
        untitled = _UNTITLED_HEIGHT if says else 0
        height = untitled if self.title.isHidden() else HEADER_HEIGHT
        if height != self.height():
            self.note.setVisible(height > 0)
            self._strut.changeSize(0, height)
            self._row.invalidate()
            self.setFixedHeight(height)

    def enterEvent(self, event: QEnterEvent) -> None:  # noqa: N802 - Qt's name
        """Offer to hide the panel only while the pointer is here."""
        self._close.setVisible(self._closable)
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Hide the buttons when the pointer leaves."""
        self._close.hide()
        super().leaveEvent(event)


class PanelDock(QDockWidget):
    """A dock drawn as a card: our header above the content."""

    def __init__(self, key: str, title: str, content: QWidget, theme: Theme) -> None:
        super().__init__(title)
        self.setObjectName(key)
        self.header = PanelHeader(title, theme, closable=True)
        self.header.close_requested.connect(self.close)
        self.setTitleBarWidget(self.header)
        body = QFrame()
        body.setObjectName("PanelBody")
        stack(body, content)
        self.setWidget(body)

    def come_forward(self) -> None:
        """Show the dock, also from behind another tab."""
        self.show()
        self.raise_()


def dock_of(view: QWidget) -> PanelDock:
    """The dock that a panel's view stands in. Raises LookupError for a view outside of docks."""
    widget: QWidget | None = view
    while widget is not None:
        if isinstance(widget, PanelDock):
            return widget
        widget = widget.parentWidget()
    raise LookupError(f"{type(view).__name__} stands in no dock; build it with the docks")


def pop_up(menu: QMenu, view: QAbstractScrollArea, where: QPoint) -> None:
    """Show a menu at a place of a view's contents; it is deleted once it is closed."""
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.popup(view.viewport().mapToGlobal(where))


def show_row_menus(view: QAbstractItemView, menu_of: Callable[[QModelIndex], QMenu | None]) -> None:
    """Let a right click open its row's menu. Rows selected together with it stay selected."""

    def open_menu(where: QPoint) -> None:
        index = view.indexAt(where)
        if not index.isValid():
            return
        if not view.selectionModel().isRowSelected(index.row(), index.parent()):
            # The view's own choice of rows would add this one while Ctrl is held.
            flags = QItemSelectionModel.SelectionFlag
            view.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
        menu = menu_of(index)
        if menu is not None:
            pop_up(menu, view, where)

    view.customContextMenuRequested.connect(open_menu)


def is_in_sight(widget: QWidget) -> bool:
    """True when a panel can be seen; behind another tab, Qt calls it visible all the same.

    Docks tell of their panels even while Qt takes the window apart, so it may be gone already.
    """
    if not isValid(widget) or not widget.isVisible():
        return False
    dock: QWidget | None = widget
    while dock is not None and not isinstance(dock, QDockWidget):
        dock = dock.parentWidget()
    if dock is None or dock.isFloating():
        return True
    window = dock.parentWidget()
    return window is None or window.rect().intersects(dock.geometry())


_MEASURED_ROWS = 16
_CELL_PADDING = 6
"""Pixels left and right of a cell's content, as app.qss says."""
_ICON, _AIR = 30, 16
"""Pixels of the icon of an empty place, and of the room above and below its content."""


class DataTable(QTableView):
    """A quiet, dense table: no grid, no row numbers, whole rows selected."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setShowGrid(False)
        self.setAlternatingRowColors(True)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)  # Arrows go from cell to cell; Tab would never leave.
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.AnyKeyPressed
        )
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(SIZES.row)
        self.verticalHeader().setMinimumSectionSize(SIZES.row)
        header = self.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(36)
        self._widths: dict[int, int] = {}
        self._whole: tuple[int, ...] = ()
        self._spare: tuple[int, ...] = ()
        self._fitted: dict[int, int] = {}
        self._stretched = -1
        self._wrapping: QTimer | None = None
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)

    def set_widths(
        self,
        widths: Sequence[int],
        stretch: int,
        whole: Sequence[int] = (),
        spare: Sequence[int] = (),
    ) -> None:
        """Widths of the columns in pixels, as far as there is room; ``stretch`` takes the rest.

        A narrower table has narrower columns, until somebody drags one. Columns in ``whole`` tell
        rows apart, as addresses do, so they are never narrower than their texts, and the table
        scrolls if need be. Columns in ``spare`` are left out, the first one first, where titles
        would be cut, or the stretched column had neither its width nor that of its texts.
        """
        header = self.horizontalHeader()
        self._widths = dict(enumerate(widths))
        for column in self._spare:
            self.showColumn(column)
        self._whole, self._spare = tuple(whole), tuple(spare)
        self._stretched = stretch
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self._fit_widths()

    def wrap_rows(self) -> None:
        """Give texts wider than their columns more lines; for few rows, once a model is set."""
        self.setWordWrap(True)
        # Later and once, because all columns are fitted one after the other.
        self._wrapping = later = QTimer(self, singleShot=True)
        later.timeout.connect(self._wrap_shown)
        model = self.model()
        for moved in (self.horizontalHeader().sectionResized, model.modelReset, model.dataChanged):
            moved.connect(lambda *_: later.start())

    def _wrap_shown(self) -> None:
        if not self.isVisible():
            return
        self.resizeRowsToContents()
        # Qt measures without the style sheet's padding, and would cut texts that just do not fit.
        columns = [c for c in self._widths if not self.isColumnHidden(c)]
        for row in range(self.model().rowCount()):
            needed = max(self._wrapped_height(self.model().index(row, c)) for c in columns)
            if needed > self.rowHeight(row):
                self.setRowHeight(row, needed)

    def _wrapped_height(self, cell: QModelIndex) -> int:
        """Height of a cell's text in the lines that its column makes of it."""
        margin = self.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin) + 1
        room = self.columnWidth(cell.column()) - 2 * (margin + _CELL_PADDING)
        if cell.data(Qt.ItemDataRole.DecorationRole) is not None:
            room -= self.style().pixelMetric(QStyle.PixelMetric.PM_SmallIconSize) + 2 * margin
        flags, text = Qt.TextFlag.TextWordWrap, str(cell.data() or "")
        box = self.fontMetrics().boundingRect(QRect(0, 0, max(1, room), 1 << 16), flags, text)
        return box.height() + 2 * margin

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Wrap texts that came meanwhile."""
        super().showEvent(event)
        if self._wrapping is not None:
            self._wrapping.start()

    def setModel(self, model: QAbstractItemModel | None) -> None:  # noqa: N802 - Qt's name
        """Fit the columns to the texts of other rows, too."""
        super().setModel(model)
        if model is not None:
            model.modelReset.connect(self._refit)
            model.rowsInserted.connect(self._refit)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Fit the columns to it."""
        super().resizeEvent(event)
        self._refit()

    def _refit(self) -> None:
        untouched = all(self.columnWidth(c) == width for c, width in self._fitted.items())
        if self._widths and untouched:
            self._fit_widths()

    def _fit_widths(self) -> None:
        room, shown = self.viewport().width(), dict(self._widths)
        header = self.horizontalHeader()
        for column in self._spare:
            self.showColumn(column)  # A hidden title measures nothing.
        texts = {
            column: max(self._text_width(column), header.sectionSizeHint(column))
            for column in self._whole
        }
        titles = {
            column: max(min(width, header.sectionSizeHint(column)), texts.get(column, 0))
            for column, width in shown.items()
        }
        text = min(self._widths[self._stretched], self._stretched_width())
        wanted = {**titles, self._stretched: max(titles[self._stretched], text)}
        for column in self._spare:
            if least_sum(shown, wanted) > room:
                del shown[column]
        for column in self._widths.keys() - shown.keys():
            self.hideColumn(column)
        least = titles if least_sum(shown, titles) <= room else texts
        share = shared_width(room, shown, least)
        widths = {c: max(least.get(c, 0), round(width * share)) for c, width in shown.items()}
        crowded = self._stretched in self._whole and sum(widths.values()) > room
        mode = QHeaderView.ResizeMode.Interactive if crowded else QHeaderView.ResizeMode.Stretch
        if header.sectionResizeMode(self._stretched) is not mode:
            header.setSectionResizeMode(self._stretched, mode)
        for column, width in widths.items():
            self.setColumnWidth(column, width)
        self._fitted = {
            column: self.columnWidth(column) for column in shown if column != self._stretched
        }

    def _stretched_width(self) -> int:
        return self._text_width(self._stretched) if self._spare else 0

    def _text_width(self, column: int) -> int:
        """Width of the widest cell in the first rows, since a search may have a million.

        Beside a box to tick, Qt forgets the margin of the text.
        """
        model = self.model()
        rows = range(min(_MEASURED_ROWS, model.rowCount()))
        cells = [model.index(row, column) for row in rows]
        margin = 2 * self.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin)
        widths = (
            self.sizeHintForIndex(cell).width()
            + (0 if cell.data(Qt.ItemDataRole.CheckStateRole) is None else margin)
            for cell in cells
        )
        return max(widths, default=0)


class EmptyState(QWidget):
    """The content of an empty place: an icon, one line, and the next thing to do.

    In a low place the icon gives way to the words, and the text to heading and buttons; then it is
    the heading's tip.
    """

    def __init__(
        self,
        theme: Theme,
        icon: str,
        heading: str,
        text: str,
        actions: Sequence[QAction] = (),
    ) -> None:
        super().__init__()
        self._theme = theme
        self._icon_name = icon
        self._icon = QLabel()
        self._icon.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.heading = role_label(heading, "subheading")
        self.text = role_label(text, "secondary")
        for label in (self.heading, self.text):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            label.setWordWrap(True)
        self._column = layout = QVBoxLayout(self)
        layout.setContentsMargins(24, _AIR, 24, _AIR)
        layout.setSpacing(7)
        layout.addStretch(2)
        layout.addWidget(self._icon)
        layout.addWidget(self.heading)
        layout.addWidget(self.text)
        self.buttons = [action_button(action) for action in actions]
        if actions:
            layout.addSpacing(4)
            layout.addLayout(_button_row(self.buttons))
        layout.addStretch(3)
        theme.changed.connect(self._draw_icon)
        self._draw_icon()

    def _draw_icon(self) -> None:
        color = self._theme.colors.faint
        ratio = self.devicePixelRatioF()
        self._icon.setPixmap(self._theme.icons.pixmap(self._icon_name, color, _ICON, ratio))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Leave out the icon, the air above and below, and then the text that has no room."""
        super().resizeEvent(event)
        layout = self._column
        sides, icon = layout.contentsMargins(), _ICON + layout.spacing()
        words = layout.heightForWidth(self.width()) - sides.top() - sides.bottom()
        if not self._icon.isHidden():
            words -= icon
        text = self.text.heightForWidth(self.width() - sides.left() - sides.right())
        text += layout.spacing()
        if not self.text.isHidden():
            words -= text
        has_text = self.height() >= words + text
        self.text.setVisible(has_text)
        self.heading.setToolTip("" if has_text else self.text.text())
        spare = self.height() - words - (text if has_text else 0)
        self._icon.setVisible(spare >= icon)
        air = min(_AIR, max(0, spare - icon if spare >= icon else spare) // 2)
        layout.setContentsMargins(sides.left(), air, sides.right(), air)


def _button_row(buttons: Sequence[QPushButton]) -> QHBoxLayout:
    row = QHBoxLayout()
    row.addStretch(1)
    for button in buttons:
        row.addWidget(button)
    row.addStretch(1)
    return row


def action_button(action: QAction, *, role: str = "", icon: QIcon | None = None) -> QPushButton:
    """A push button that triggers an action and is enabled with it."""
    button = QPushButton(action.text().replace("&", ""))
    button.setIcon(icon or action.icon())
    button.setToolTip(action.toolTip())
    button.setAccessibleName(plain_text(action))
    button.setEnabled(action.isEnabled())
    if role:
        button.setProperty("role", role)
    button.clicked.connect(action.trigger)
    action.enabledChanged.connect(button.setEnabled)
    return button


class EmptyOr(QStackedWidget):
    """Shows the content, or a hint while there is none."""

    def __init__(self, empty: QWidget, content: QWidget) -> None:
        super().__init__()
        self._pages = (empty, content)
        for page in self._pages:
            self.addWidget(page)

    def show_content(self, present: bool) -> None:
        """Switch between the two."""
        if self.currentIndex() != present:
            self.setCurrentIndex(int(present))
            self.updateGeometry()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The shown page's: the hidden one takes no room."""
        return self._pages[self.currentIndex()].minimumSizeHint()
