"""Dock widgets drawn as cards with a header of our own, and a test if a panel can be seen."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QDockWidget, QFrame, QLabel, QSizePolicy, QSpacerItem, QWidget
from shiboken6 import isValid

from integrator.ui.widgets.fitting import LiveLabel
from integrator.ui.widgets.parts import hbox, stack, styled
from integrator.ui.widgets.theme import SIZES

HEADER_HEIGHT = 34  # height of a panel's header, in pixels
LEAST = QSize(200, 90)  # the least size of a panel without its header


class PanelHeader(QFrame):
    """The header of a panel: its title on the left, and a note in small type on the right. While a
    tab shows the title, the header hides it, and is lower if the panel is ``noted``, or else takes
    no space. Its height never follows the note, because that would move the content."""

    def __init__(self, title: str, *, noted: bool = False) -> None:
        super().__init__()
        self.setObjectName("PanelHeader")
        self.title = styled(QLabel(title), "PanelTitle")
        self.note = styled(LiveLabel(right=True), "PanelNote")
        self.note.setTextFormat(Qt.TextFormat.RichText)
        self._untitled_height = 28 if noted else 0
        parts = (self.title, None, self.note)
        self.row = hbox(*parts, on=self, margins=(SIZES.pad, 0, SIZES.pad, 0), gap=8)
        # A dock gives its title bar the height that its layout wants. sizeHint is not overridden,
        # because Qt calls it some thousand times for one layout of the window.
        self._strut = QSpacerItem(0, HEADER_HEIGHT)
        self.row.insertItem(0, self._strut)
        self.setFixedHeight(HEADER_HEIGHT)

    def add_after_title(self, widget: QWidget) -> None:
        """Put a widget to the right of the title and of the widgets that were added before."""
        self.row.insertWidget(self.row.indexOf(self.note) - 1, widget)

    def set_titled(self, titled: bool) -> None:
        """Show the title, or hide it while a tab shows it."""
        if titled is not self.title.isHidden():
            return
        self.title.setVisible(titled)
        height = HEADER_HEIGHT if titled else self._untitled_height
        self.note.setVisible(height > 0)
        self._strut.changeSize(0, height)
        self.row.invalidate()
        self.setFixedHeight(height)


class PanelDock(QDockWidget):
    """A dock drawn as a card, with our header above the content. The content may be added later
    with :meth:`fill`. ``content_wanted`` is emitted when the dock is about to be shown. Header and
    card are made when they are first shown or used, because most docks of a window stay hidden."""

    content_wanted = Signal()

    def __init__(self, key: str, title: str, *, noted: bool = False) -> None:
        super().__init__(title)
        self.setObjectName(key)
        self._noted, self._titled = noted, True

    @property
    def header(self) -> PanelHeader:
        self._complete()
        return self._header

    def _complete(self) -> None:
        if self.widget() is None:
            self._header = PanelHeader(self.windowTitle(), noted=self._noted)
            self._header.set_titled(self._titled)
            self.setTitleBarWidget(self._header)
            body = styled(QFrame(), "PanelBody")
            body.setMinimumSize(LEAST)
            self.setWidget(body)

    def setVisible(self, visible: bool) -> None:
        if visible:
            self._complete()
        super().setVisible(visible)

    def set_titled(self, titled: bool) -> None:
        """Show the title in the header, or hide it while a tab shows it."""
        self._titled = titled
        if self.widget() is not None:
            self._header.set_titled(titled)

    def fill(self, content: QWidget) -> None:
        self._complete()
        content.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        content.setMinimumSize(LEAST)
        stack(self.widget(), content)
        content.show()  # Qt would show it only at the next layout pass

    def put_back(self) -> None:
        """Dock again if floating. Qt takes long to dock a widget that does not float."""
        if self.isFloating():
            self.setFloating(False)

    def come_forward(self) -> None:
        self.content_wanted.emit()
        self.show()
        self.raise_()


def dock_of(view: QWidget) -> PanelDock:
    """Return the dock around a panel's view. Raises LookupError if the view is in no dock."""
    around: QWidget | None = view
    while around is not None:
        if isinstance(around, PanelDock):
            return around
        around = around.parentWidget()
    raise LookupError(f"{type(view).__name__} stands in no dock; build it with the docks")


def is_in_sight(widget: QWidget) -> bool:
    """True if a panel can be seen: Qt calls a panel visible even behind another tab. Docks report
    changes even while Qt destroys the window, so the panel may be deleted already."""
    if not isValid(widget) or not widget.isVisible():
        return False
    try:
        dock = dock_of(widget)
    except LookupError:
        return True
    window = None if dock.isFloating() else dock.parentWidget()
    return window is None or window.rect().intersects(dock.geometry())
