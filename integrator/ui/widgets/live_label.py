"""A label whose text changes many times a second without the window being laid out again."""

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QStaticText, QTextDocument, QTextOption
from PySide6.QtWidgets import QLabel

_STEP = 24
_SHRINK = 4 * _STEP
_SHORT_PLACE = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft


class LiveLabel(QLabel):
    """Draws one line of plain or rich text.

    QLabel asks for a new layout with every text, which in a window full of docks takes longer than
    drawing all of it. This one asks only when its width, counted in steps, has to change.
    ``changed`` follows another text.
    """

    changed = Signal()

    def __init__(self, text: str = "", *, right: bool = False) -> None:
        super().__init__()
        self._text = self._short = ""
        self._room = 0
        self._right = right
        self._drawn = QStaticText()
        one_line = QTextOption()
        one_line.setWrapMode(QTextOption.WrapMode.NoWrap)
        self._drawn.setTextOption(one_line)
        self._drawn.setPerformanceHint(QStaticText.PerformanceHint.ModerateCaching)
        self.setText(text)

    def text(self) -> str:
        return self._text

    def plain(self) -> str:
        document = QTextDocument()
        document.setHtml(self._text)
        return document.toPlainText()

    def setText(self, text: str, short: str = "") -> None:  # noqa: N802 - Qt's name
        """Show another text; ``short`` where it does not fit."""
        self._short = short
        if text == self._text:
            return
        self._text = text
        self._drawn.setText(text)
        self._measure()
        self.update()
        self.changed.emit()

    def clear(self) -> None:
        self.setText("")

    def setTextFormat(self, text_format: Qt.TextFormat) -> None:  # noqa: N802 - Qt's name
        """Plain or rich; by default Qt looks at the text."""
        self._drawn.setTextFormat(text_format)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(self._room, self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """A narrow place is not widened: see :meth:`paintEvent`."""
        return QSize(0, self.fontMetrics().height())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's signature
        """Draw the text in the middle of the height; nothing where a number would be cut."""
        painter = QPainter(self)
        painter.setFont(self.font())
        painter.setPen(self.palette().color(self.foregroundRole()))
        if self.width() < self._drawn.size().width():
            if self.fontMetrics().horizontalAdvance(self._short) <= self.width():
                painter.drawText(self.rect(), _SHORT_PLACE, self._short)
            return
        size = self._drawn.size()
        left = max(0.0, self.width() - size.width()) if self._right else 0.0
        top = (self.height() - size.height()) / 2
        painter.drawStaticText(QPointF(left, top), self._drawn)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._measure()

    def _measure(self) -> None:
        self._drawn.prepare(font=self.font())
        wanted = -int(-self._drawn.size().width() // _STEP) * _STEP if self._text else 0
        shrinks = wanted < self._room - _SHRINK or not self._text
        if wanted > self._room or (shrinks and wanted != self._room):
            self._room = wanted
            self.updateGeometry()
