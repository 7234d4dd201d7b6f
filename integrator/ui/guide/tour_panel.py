"""The coach: a strip with the next step, and a frame that points at its place."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QWidget

from integrator.ui.widgets.parts import hbox, role_label, set_role, vbox
from integrator.ui.widgets.theme import SIZES, Theme

_POINT_MS = 2600
_LEAST_HEIGHT = 54


class StepDots(QWidget):
    """Progress of the tour: a dot a step."""

    def __init__(self, theme: Theme, count: int) -> None:
        super().__init__()
        self._theme = theme
        self._count, self._at = count, 0
        self.setFixedSize(count * 13, 10)
        theme.changed.connect(self.update)

    def show_step(self, at: int) -> None:
        """Show the steps before ``at`` as done."""
        self._at = at
        self.setAccessibleName(self.tr("Step {0} of {1}").format(at + 1, self._count))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's signature
        colors = self._theme.colors
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for step in range(self._count):
            color = colors.good if step < self._at else colors.border
            width = 10 if step == self._at else 6
            painter.setBrush(QColor(colors.accent if step == self._at else color))
            painter.drawRoundedRect(QRectF(step * 13 + (12 - width) / 2, 2, width, 6), 3, 3)


class CoachPanel(QFrame):
    """Shows one step at a time. It takes nothing away from the window: everything stays usable."""

    show_requested = Signal()
    skipped = Signal()
    went_back = Signal()
    left = Signal()
    taken = Signal()

    def __init__(self, theme: Theme, steps: int) -> None:
        super().__init__()
        self.setObjectName("Coach")
        self.setAccessibleName(self.tr("Tour"))
        self._theme = theme
        self.dots = StepDots(theme, steps)
        self.title = role_label("", "subheading")
        self.count = role_label("", "faint")
        self.text = QLabel()
        self.hint = role_label("", "warn")
        for label in (self.text, self.hint):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.RichText)
        self._buttons()
        self._build_ui()
        theme.changed.connect(self._colour)
        self._colour()

    def _buttons(self) -> None:
        self.point = QPushButton(self._theme.icons.icon("search"), self.tr("Show me"))
        self.point.setToolTip(self.tr("Open the panel that is meant, and frame the place"))
        self.point.clicked.connect(self.show_requested)
        self.back = QPushButton(self.tr("Back"))
        self.back.clicked.connect(self.went_back)
        self.skip = QPushButton(self.tr("Skip"))
        self.skip.setToolTip(self.tr("Go on without this step"))
        self.skip.clicked.connect(self.skipped)
        self.leave = QPushButton(self.tr("Leave the tour"))
        self.leave.setToolTip(self.tr("It can be taken up again in the Help menu"))
        self.leave.clicked.connect(self.left)
        self.take = QPushButton(self.tr("Take the tour"))
        set_role(self.take, "primary")
        self.take.clicked.connect(self.taken)
        for button in (self.back, self.skip, self.leave):
            set_role(button, "flat")

    def _build_ui(self) -> None:
        head = hbox(self.title, self.count, self.dots, None, gap=9)
        words = vbox(head, self.text, self.hint, None, gap=4)
        buttons = hbox(self.leave, self.back, self.skip, self.point, self.take, gap=4)
        side = vbox(buttons, None, gap=4)
        hbox((words, 1), side, on=self, margins=(SIZES.pad + 4, 10, SIZES.pad, 10), gap=22)

    def _colour(self) -> None:
        colors = self._theme.colors
        self.setStyleSheet(
            f"#Coach {{ background: {colors.panel}; border: 1px solid {colors.accent}; "
            f"border-radius: {SIZES.radius}px; }}"
        )

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        layout = self.layout()
        if layout is not None:
            layout.activate()
            self.setFixedHeight(max(layout.heightForWidth(self.width()), _LEAST_HEIGHT))

    def show_offer(self) -> None:
        self.title.setText(self.tr("New here?"))
        set_role(self.title, "subheading")
        self.count.clear()
        self.dots.hide()
        self.show_text(
            self.tr(
                "A tour does the whole job with you on Ember Moth, a small game of our own: play, "
                "find score and lives, reward, done, start state, check. About five minutes."
            ),
            "",
        )
        self._show_buttons(self.take)
        self.leave.setText(self.tr("Not now"))

    def _show_buttons(self, *shown: QPushButton) -> None:
        for button in (self.back, self.skip, self.point, self.take):
            button.setVisible(button in shown)

    def show_step(self, at: int, count: int, title: str) -> None:
        self.title.setText(title)
        self.count.setText(self.tr("step {0} of {1}").format(at + 1, count))
        self.dots.show_step(at)
        self.back.setEnabled(at > 0)
        self.dots.show()
        self._show_buttons(self.back, self.skip, self.point)
        set_role(self.title, "subheading")
        self.leave.setText(self.tr("Leave the tour"))

    def show_text(self, text: str, hint: str) -> None:
        """Show the step's text, and a hint when it went astray."""
        if self.text.text() != text:
            self.text.setText(text)
        self.hint.setText(hint)
        self.hint.setVisible(bool(hint))
        self._fit()

    def show_done(self, title: str) -> None:
        self.title.setText("✓  " + title)
        set_role(self.title, "good")
        self.hint.hide()

    def show_end(self, count: int, text: str) -> None:
        self.show_done(self.tr("That was the whole job"))
        self.count.clear()
        self.dots.show_step(count)
        self.show_text(text, "")
        self._show_buttons()
        self.leave.setText(self.tr("Close"))


class Pointer(QWidget):
    """A frame around a widget for a moment, over everything; the mouse goes through."""

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._theme = theme
        self._target: QWidget | None = None
        self._beat = 0
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._timer = QTimer(self, interval=60)
        self._timer.timeout.connect(self._pulse)
        window.installEventFilter(self)
        self.hide()

    def point_at(self, target: QWidget) -> None:
        self._target, self._beat = target, 0
        self._fit()
        self.show()
        self.raise_()
        self._timer.start()

    @property
    def target(self) -> QWidget | None:
        return self._target if self.isVisible() else None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() is QEvent.Type.Resize and self.isVisible():
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        window = self.parentWidget()
        if self._target is None or window is None or not self._target.isVisible():
            return
        corner = self._target.mapTo(window, QPoint(0, 0))
        self.setGeometry(QRect(corner, self._target.size()).adjusted(-5, -5, 5, 5))

    def _pulse(self) -> None:
        self._beat += 1
        if self._beat * self._timer.interval() > _POINT_MS:
            self._timer.stop()
            self.hide()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's signature
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        color = QColor(self._theme.colors.accent_hover)
        strong = 0.55 + 0.45 * abs((self._beat % 16) / 8 - 1)
        color.setAlphaF(strong)
        painter.setPen(QPen(color, 3))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        box = QRectF(self.rect()).adjusted(2, 2, -2, -2)
        painter.drawRoundedRect(box, SIZES.radius, SIZES.radius)
