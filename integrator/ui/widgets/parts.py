"""Basic parts of panels: labels, buttons, fields, box layouts, empty states and progress bars."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeVar

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QSpinBox,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from integrator.domain.scenario.spec import MAX_PLAYERS
from integrator.ui.widgets.theme import SIZES, Theme, icon, mono_font

Part = QWidget | QLayout | tuple[QWidget | QLayout | None, int] | int | None
"""An item of a box layout: a widget or layout, one with its stretch factor as in ``(part, 2)``, a
number of empty pixels, or None for a stretch that takes all remaining space."""
Box = TypeVar("Box", bound=QBoxLayout)
W = TypeVar("W", bound=QWidget)
Margins = int | tuple[int, int, int, int] | None
"""Pixels for all sides, or for left, top, right and bottom; None for the style's default."""
SELECTABLE: Final = Qt.TextInteractionFlag.TextSelectableByMouse
Call = Callable[[], object]  # the reaction to a button, an entry of a menu, or Enter


def hbox(
    *parts: Part, on: QWidget | None = None, margins: Margins = None, gap: int | None = None
) -> QHBoxLayout:
    """Return a layout of the parts side by side, set as the layout of ``on`` if given."""
    return _filled(QHBoxLayout(), parts, on, margins, gap)


def vbox(
    *parts: Part, on: QWidget | None = None, margins: Margins = None, gap: int | None = None
) -> QVBoxLayout:
    """Return a layout of the parts one below the other, set as the layout of ``on`` if given."""
    return _filled(QVBoxLayout(), parts, on, margins, gap)


def stack(widget: QWidget, *parts: QWidget | QLayout, grows: QWidget | None = None) -> QVBoxLayout:
    """Lay out the parts of ``widget`` one below the other without margins. ``grows`` takes all
    remaining height; without ``grows``, the parts share the height by their size policies."""
    return vbox(*((part, int(part is grows)) for part in parts), on=widget, margins=0, gap=0)


def _filled(
    box: Box, parts: tuple[Part, ...], on: QWidget | None, margins: Margins, gap: int | None
) -> Box:
    if on is not None:
        on.setLayout(box)
    if margins is not None:
        box.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
    if gap is not None:
        box.setSpacing(gap)
    for part in parts:
        item, stretch = part if isinstance(part, tuple) else (part, 0)
        if item is None:
            box.addStretch(stretch or 1)
        elif isinstance(item, int):
            box.addSpacing(item)
        elif isinstance(item, QLayout):
            box.addLayout(item, stretch)
        else:
            box.addWidget(item, stretch)
    return box


def configured(widget: W, /, role: str = "", **traits: Any) -> W:
    """Set the style sheet role of a widget, call its setters (``fixedHeight=4`` calls
    ``setFixedHeight(4)``), and return it. ``traits`` of the functions below do the same. The trait
    ``icon`` is a name for :func:`icon`."""
    if role:
        widget.setProperty("role", role)
    if "icon" in traits:
        traits["icon"] = icon(traits["icon"])
    for name, value in traits.items():
        getattr(widget, f"set{name[0].upper()}{name[1:]}")(value)
    return widget


def role_label(text: str = "", role: str = "", *, wraps: bool = False, **traits: Any) -> QLabel:
    """Return a label in a text role of the style sheet; ``wraps`` breaks long texts into lines."""
    return configured(QLabel(text, wordWrap=wraps), role, **traits)


class NoteLabel(QLabel):
    """A label with word wrap that is hidden while its text is empty."""

    def __init__(self, role: str, **traits: Any) -> None:
        super().__init__(wordWrap=True)
        configured(self, role, visible=False, **traits)

    def setText(self, text: str) -> None:
        super().setText(text)
        self.setVisible(bool(text))

    def clear(self) -> None:
        self.setText("")


class Dialog(QDialog):
    """A dialog that Qt deletes when it is closed."""

    def __init__(self, parent: QWidget | None, title: str = "", **traits: Any) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        configured(self, windowTitle=title, **traits)


def named(widget: W, name: str, /, **traits: Any) -> W:
    """Set a widget's name for screen readers, and return the widget."""
    return configured(widget, accessibleName=name, **traits)


def styled(widget: W, name: str, /, **traits: Any) -> W:
    """Set a widget's name in the style sheet, and return the widget."""
    return configured(widget, objectName=name, **traits)


def say(label: QLabel, text: str, role: str = "secondary") -> None:
    label.setText(text)
    set_role(label, role)


def set_role(widget: QWidget, role: str) -> None:
    set_trait(widget, "role", role)


def set_trait(widget: QWidget, name: str, value: object) -> None:
    """Change a property of a widget. The style sheet is applied again only if the value differs."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def push_button(
    text: str, clicked: Call | None, tip: str = "", role: str = "", **traits: Any
) -> QPushButton:
    """Return a push button. A button without a text has its tip as its name for screen readers."""
    button = QPushButton(text)
    if clicked is not None:
        button.clicked.connect(lambda _=False: clicked())
    traits = {"toolTip": tip, "accessibleName": "" if text else tip} | traits
    return configured(button, role, **traits)


def icon_button(name: str, tip: str, clicked: Call | None = None, **traits: Any) -> QToolButton:
    """Return a flat button with the icon ``name``; screen readers read its tip, or a given one."""
    button = QToolButton()
    if clicked is not None:
        button.clicked.connect(lambda _=False: clicked())
    traits = {"icon": name, "toolTip": tip, "accessibleName": tip} | traits
    return configured(button, "flat", **traits)


def toggle_button(text: str, tip: str = "", name: str = "", **traits: Any) -> QToolButton:
    """Return a button that can be on or off; screen readers read ``name``, or else its text."""
    return named(QToolButton(), name or text, text=text, toolTip=tip, checkable=True, **traits)


def combo_box(
    name: str,
    chosen: Call | None = None,
    tip: str = "",
    role: str = "",
    entries: Iterable[tuple[str, object] | tuple[str, object, str]] = (),
) -> QComboBox:
    """Return a drop-down list as wide as its texts. ``chosen`` is called when the user picks an
    entry. An entry is (text, data), or (text, data, tip)."""
    policy = QComboBox.SizeAdjustPolicy.AdjustToContents
    box = configured(QComboBox(sizeAdjustPolicy=policy), role, accessibleName=name, toolTip=tip)
    for at, (text, data, *tips) in enumerate(entries):
        box.addItem(text, data)
        box.setItemData(at, "".join(tips) or None, Qt.ItemDataRole.ToolTipRole)
    if chosen is not None:
        box.activated.connect(lambda _: chosen())
    return box


def check_box(
    text: str = "",
    clicked: Callable[[bool], object] | None = None,
    tip: str = "",
    *,
    on: bool = False,
    **traits: Any,
) -> QCheckBox:
    """Return a check box; ``clicked`` is called with its new state when the user clicks it."""
    box = configured(QCheckBox(text), checked=on, toolTip=tip, **traits)
    if clicked is not None:
        box.clicked.connect(lambda ticked: clicked(ticked))
    return box


def line_edit(
    name: str, hint: str, entered: Call | None = None, tip: str = "", width: int = 0, **traits: Any
) -> QLineEdit:
    """Return a text field with a name for screen readers and a hint; ``entered`` is called at
    Enter. A ``width`` in pixels is for a number or an address, in a monospaced font."""
    field = named(QLineEdit(placeholderText=hint), name, toolTip=tip, **traits)
    if width:
        field.setFont(mono_font())
        field.setFixedWidth(width)
    if entered is not None:
        field.returnPressed.connect(lambda: entered())
    return field


def plain_text(action: QAction) -> str:
    """Return an action's text without mnemonic and ellipsis."""
    return action.text().replace("&", "").rstrip("…")


def action_button(action: QAction, *, role: str = "", **traits: Any) -> QPushButton:
    """Return a push button that triggers an action, and is enabled while the action is."""
    button = QPushButton(action.icon(), action.text().replace("&", ""))
    button.clicked.connect(action.trigger)
    action.enabledChanged.connect(button.setEnabled)
    traits |= {"toolTip": action.toolTip(), "accessibleName": plain_text(action)}
    return configured(button, role, enabled=action.isEnabled(), **traits)


class NumberBox(QSpinBox):
    """A QSpinBox with margins, because Qt ignores the style sheet's padding around its digits."""

    def __init__(self, least: int = 0, most: int = 99, **traits: Any) -> None:
        super().__init__(minimum=least, maximum=most)
        self.lineEdit().setTextMargins(6, 0, 6, 0)
        configured(self, **traits)


class Segments(QFrame):
    """A row of buttons of which exactly one is on, for example the workspaces."""

    chosen = Signal(str)

    def __init__(
        self, entries: Sequence[tuple[str, str, str]], name: str = "{0}", *, small: bool = False
    ) -> None:
        """``entries`` are (key, text, tooltip); the first one is on. ``name`` is a pattern for the
        names that screen readers read, with {0} for the text."""
        super().__init__()
        self.setObjectName("Segments")
        self.setProperty("role", "small" if small else None)
        self._group = QButtonGroup(self, exclusive=True)
        self._buttons: dict[str, QToolButton] = {}
        row = hbox(on=self, margins=3, gap=2)
        for key, text, tooltip in entries:
            policy = Qt.FocusPolicy.TabFocus
            button = toggle_button(text, tooltip, name.format(text), focusPolicy=policy)
            button.clicked.connect(lambda _=False, k=key: self.chosen.emit(k))
            self._group.addButton(button)
            self._buttons[key] = button
            row.addWidget(button)
        self.select(entries[0][0])

    @property
    def selected(self) -> str:
        return next(key for key, button in self._buttons.items() if button.isChecked())

    def button(self, key: str) -> QToolButton:
        return self._buttons[key]

    def select(self, key: str) -> None:
        """Turn one entry on without emitting ``chosen``."""
        self._buttons[key].setChecked(True)


class PlayerSegments(Segments):
    """Small buttons P1, P2 and so on. ``player_chosen`` gives the player, counted from 0."""

    player_chosen = Signal(int)

    def __init__(self, tip: str = "", players: int = MAX_PLAYERS) -> None:
        """``tip`` is a pattern for tooltips in which {0} is the player's number, counted from 1."""
        numbers = range(players)
        entries = [(str(n), self.tr("P{0}").format(n + 1), tip.format(n + 1)) for n in numbers]
        super().__init__(entries, small=True)
        for n in numbers:
            self.button(str(n)).setAccessibleName(self.tr("Player {0}").format(n + 1))
        self.chosen.connect(lambda key: self.player_chosen.emit(int(key)))

    @property
    def player(self) -> int:
        return int(self.selected)

    def show_player(self, player: int) -> None:
        self.select(str(player))


_SIDE, _AIR = 24, 16  # horizontal and vertical margins of an EmptyState, in pixels


class EmptyState(QWidget):
    """The content of an empty panel: an icon, a heading, a text, and buttons for the next steps. If
    the panel is low, the icon is hidden, then the text, which becomes the heading's tooltip."""

    def __init__(self, name: str, heading: str, text: str, actions: Sequence[QAction] = ()) -> None:
        super().__init__()
        self._icon_name = name
        middle = Qt.AlignmentFlag.AlignCenter
        self._icon = QLabel(alignment=middle)
        self.heading = role_label(heading, "subheading", wraps=True, alignment=middle)
        self.text = role_label(text, "secondary", wraps=True, alignment=middle)
        self.buttons = [action_button(action) for action in actions]
        below = (4, hbox(None, *self.buttons, None)) if actions else ()
        parts = ((None, 2), self._icon, self.heading, self.text, *below, (None, 3))
        self._column = vbox(*parts, on=self, margins=(_SIDE, _AIR, _SIDE, _AIR), gap=7)
        Theme.now.changed.connect(self._draw_icon)
        self._draw_icon()

    def say(self, heading: str, text: str) -> None:
        self.heading.setText(heading)
        self.text.setText(text)

    def _draw_icon(self) -> None:
        picture, ratio = icon(f"{self._icon_name} faint"), self.devicePixelRatioF()
        self._icon.setPixmap(picture.pixmap(QSize(30, 30), ratio))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give up the vertical margins, then the icon, and then the text, until the rest fits."""
        super().resizeEvent(event)
        layout = self._column
        layout.setContentsMargins(_SIDE, 0, _SIDE, 0)
        for has_icon, has_text in ((True, True), (False, True), (False, False)):
            self._icon.setVisible(has_icon)
            self.text.setVisible(has_text)
            layout.invalidate()
            if (spare := self.height() - layout.heightForWidth(self.width())) >= 0:
                break
        self.heading.setToolTip("" if has_text else self.text.text())
        air = min(_AIR, max(0, spare) // 2)
        layout.setContentsMargins(_SIDE, air, _SIDE, air)


class EmptyOr(QStackedWidget):
    """Shows the content, or the EmptyState ``empty`` while there is no content."""

    def __init__(self, empty: EmptyState, content: QWidget | QLayout) -> None:
        super().__init__()
        self.empty = empty
        if isinstance(content, QLayout):
            layout, content = content, QWidget()
            content.setLayout(layout)
        self._pages = (empty, content)
        for page in self._pages:
            self.addWidget(page)

    def show_content(self, present: bool) -> None:
        if self.currentIndex() != present:
            self.setCurrentIndex(int(present))
            self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        """Return the hint of the visible page, so that the hidden page takes no space."""
        return self._pages[self.currentIndex()].minimumSizeHint()


class OverlaidFrame(QFrame):
    """A frame over another widget; while shown, :meth:`place` follows that widget's size."""

    def __init__(self, under: QWidget) -> None:
        super().__init__(under)
        self._under = under
        self.hide()

    def setVisible(self, visible: bool) -> None:
        super().setVisible(visible)
        self._under.removeEventFilter(self)
        if visible:
            self._under.installEventFilter(self)
            self.place()
            self.raise_()

    def place(self) -> None:
        self.setGeometry(self._under.rect())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._under and event.type() is QEvent.Type.Resize:
            self.place()
        return super().eventFilter(watched, event)


def text_view(name: str, **traits: Any) -> QPlainTextEdit:
    return named(QPlainTextEdit(readOnly=True), name, font=mono_font(), **traits)


def thin_bar(height: int = 6, **traits: Any) -> QProgressBar:
    """Return a progress bar without a number, ``height`` pixels high."""
    return configured(QProgressBar(textVisible=False), fixedHeight=height, **traits)


class ProofBar(QFrame):
    """A progress bar, hidden while no job runs. ``cancel_requested``: stop, but keep results."""

    cancel_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("PanelFooter")
        self.text = role_label("", "secondary")
        self.bar = thin_bar(4, minimumWidth=24)
        tip = self.tr("Stop, and keep what was found so far")
        cancelled = self.cancel_requested.emit
        self.cancel = push_button(self.tr("Cancel"), cancelled, tip, "flat", icon="stop")
        margins = (SIZES.pad, 5, SIZES.pad, 5)
        hbox(self.text, (self.bar, 1), self.cancel, on=self, margins=margins, gap=10)
        self.hide()

    def begin(self, text: str) -> None:
        self.text.setText(text)
        self.bar.setRange(0, 0)
        self.cancel.setEnabled(True)
        self.show()

    def show_progress(self, done: int, total: int) -> None:
        self.bar.setRange(0, max(1, total))
        self.bar.setValue(done)

    def ending(self) -> None:
        self.text.setText(self.tr("Stopping…"))
        self.cancel.setEnabled(False)
