"""The coach: a strip with the next step, and a frame that points at its place."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

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

    def __init__(self, theme: Theme, steps: int) -> None:
        super().__init__()
        self.setObjectName("Coach")
        self.setAccessibleName(self.tr("Tour"))
        self.dots = StepDots(theme, steps)
        self.title = role_label("", "subheading")
        self.count = role_label("", "faint")
        self.text = role_label(wraps=True)
        self.hint = role_label("", "warn", wraps=True)
        for label in (self.text, self.hint):
            label.setTextFormat(Qt.TextFormat.RichText)
        self.point, self.back, self.skip = QPushButton(), QPushButton(), QPushButton()
        self.leave, self.take = QPushButton(), QPushButton()
        self._build_ui(theme)

    def _build_ui(self, theme: Theme) -> None:
        for button, role, text, tip in (
            (self.leave, "flat", "", self.tr("It can be taken up again in the Help menu")),
            (self.back, "flat", self.tr("Back"), ""),
            (self.skip, "flat", self.tr("Skip"), self.tr("Go on without this step")),
            (
                *(self.point, None, self.tr("Show me")),
                self.tr("Open the panel that is meant, and frame the place"),
            ),
            (self.take, "primary", self.tr("Take the tour"), ""),
        ):
            button.setText(text)
            button.setToolTip(tip)
            button.setProperty("role", role)
        self.point.setIcon(theme.icons.icon("search"))
        head = hbox(self.title, self.count, self.dots, None, gap=9)
        words = vbox(head, self.text, self.hint, None, gap=4)
        buttons = hbox(self.leave, self.back, self.skip, self.point, self.take, gap=4)
        side = vbox(buttons, None, gap=4)
        hbox((words, 1), side, on=self, margins=(SIZES.pad + 4, 10, SIZES.pad, 10), gap=22)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        layout = self.layout()
        if layout is not None:
            layout.activate()
            self.setFixedHeight(max(layout.heightForWidth(self.width()), _LEAST_HEIGHT))

    def show_offer(self) -> None:
        offer = self.tr(
            "A tour does the whole job with you on Ember Moth, a small game of our own: play, "
            "find score and lives, reward, done, start state, check. About five minutes."
        )
        self._show(self.tr("New here?"), "", self.tr("Not now"), self.take)
        self.dots.hide()
        self.show_text(offer, "")

    def _show(self, title: str, count: str, leave: str, *buttons: QPushButton) -> None:
        self.title.setText(title)
        set_role(self.title, "subheading")
        self.count.setText(count)
        self.leave.setText(leave)
        for button in (self.back, self.skip, self.point, self.take):
            button.setVisible(button in buttons)

    def show_step(self, at: int, count: int, title: str) -> None:
        place = self.tr("step {0} of {1}").format(at + 1, count)
        leave = self.tr("Leave the tour")
        self._show(title, place, leave, self.back, self.skip, self.point)
        self.dots.show_step(at)
        self.dots.show()
        self.back.setEnabled(at > 0)

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
        self._show("", "", self.tr("Close"))
        self.show_done(self.tr("That was the whole job"))
        self.dots.show_step(count)
        self.show_text(text, "")


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
        color.setAlphaF(0.55 + 0.45 * abs((self._beat % 16) / 8 - 1))
        painter.setPen(QPen(color, 3))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        box = QRectF(self.rect()).adjusted(2, 2, -2, -2)
        painter.drawRoundedRect(box, SIZES.radius, SIZES.radius)
