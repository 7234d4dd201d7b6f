"""Docks as cards, each with a header of ours; and whether a panel is in sight."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QDockWidget, QFrame, QLabel, QSizePolicy, QSpacerItem, QWidget
from shiboken6 import isValid

from integrator.ui.widgets.live_label import LiveLabel
from integrator.ui.widgets.panels.parts import hbox, icon_button, stack
from integrator.ui.widgets.theme import SIZES, Theme

HEADER_HEIGHT = 34
"""Height of a panel's header, in pixels."""
_UNTITLED_HEIGHT = 28
"""Height of a header that has a note or buttons, but no title."""
LEAST = QSize(200, 90)
"""The least size of a panel without its header."""


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
        icon, name = theme.icons.icon("close"), self.tr("Hide {0}").format(title)
        hide, tip = self.close_requested.emit, self.tr("Hide this panel")
        self._close = icon_button(icon, tip, hide, name)
        self._close.setIconSize(QSize(12, 12))
        self._close.setFixedSize(20, 20)
        self._close.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._closable = closable
        self._close.hide()
        parts = (self.title, None, self.note, self._close)
        self._row = hbox(*parts, on=self, margins=(SIZES.pad, 0, SIZES.pad, 0), gap=8)
        # A dock gives its title the height that its layout wants. sizeHint is not overridden,
        # because Qt calls it some thousand times for one layout of the window.
        self._strut = QSpacerItem(0, HEADER_HEIGHT)
        self._row.insertItem(0, self._strut)
        self._added = False
        self.setFixedHeight(HEADER_HEIGHT)
        self.note.changed.connect(self._fit)

    def add_after_title(self, widget: QWidget) -> None:
        self._row.insertWidget(self._row.indexOf(self.title) + 1, widget)
        self._added = True

    def add_button(self, button: QWidget) -> None:
        self._row.insertWidget(self._row.count() - 1, button)
        self._added = True

    def set_titled(self, titled: bool) -> None:
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
    """A dock drawn as a card: our header above the content, which may come later.

    ``content_wanted``: the dock is about to be shown.
    """

    content_wanted = Signal()

    def __init__(self, key: str, title: str, theme: Theme) -> None:
        super().__init__(title)
        self.setObjectName(key)
        self.header = PanelHeader(title, theme, closable=True)
        self.header.close_requested.connect(self.close)
        self.is_filled = False
        self.setTitleBarWidget(self.header)
        body = QFrame()
        body.setMinimumSize(LEAST)
        body.setObjectName("PanelBody")
        self.setWidget(body)

    def fill(self, content: QWidget) -> None:
        self.is_filled = True
        content.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        content.setMinimumSize(LEAST)
        stack(self.widget(), content)
        # Qt shows a widget that joins a layout only when it lays that out.
        content.show()

    def come_forward(self) -> None:
        self.content_wanted.emit()
        self.show()
        self.raise_()


def dock_of(view: QWidget) -> PanelDock:
    """The dock that a panel's view stands in. Raises LookupError for a view outside of docks."""
    dock = _dock_around(view)
    if isinstance(dock, PanelDock):
        return dock
    raise LookupError(f"{type(view).__name__} stands in no dock; build it with the docks")


def _dock_around(widget: QWidget) -> QDockWidget | None:
    around: QWidget | None = widget
    while around is not None and not isinstance(around, QDockWidget):
        around = around.parentWidget()
    return around


def is_in_sight(widget: QWidget) -> bool:
    """True when a panel can be seen; behind another tab, Qt calls it visible all the same.

    Docks report changes even while Qt takes the window apart, so the panel may be deleted already.
    """
    if not isValid(widget) or not widget.isVisible():
        return False
    dock = _dock_around(widget)
    if dock is None or dock.isFloating():
        return True
    window = dock.parentWidget()
    return window is None or window.rect().intersects(dock.geometry())
