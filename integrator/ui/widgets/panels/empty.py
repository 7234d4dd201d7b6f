"""Empty places: a hint in the place of the content that there is not yet."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QStackedWidget, QWidget

from integrator.ui.widgets.panels.labels import action_button, role_label
from integrator.ui.widgets.room.boxes import hbox, vbox
from integrator.ui.widgets.theme import Theme

_ICON, _AIR = 30, 16
"""Pixels of the icon of an empty place, and of the room above and below its content."""


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
        self._icon = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self.heading = role_label(heading, "subheading")
        self.text = role_label(text, "secondary")
        for label in (self.heading, self.text):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            label.setWordWrap(True)
        self._column = layout = vbox(on=self, margins=(24, _AIR, 24, _AIR), gap=7)
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
    row = hbox(None)
    for button in buttons:
        row.addWidget(button)
    row.addStretch(1)
    return row


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
