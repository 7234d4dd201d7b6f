"""The first-run tour: the whole main job on a practice copy of the demo game, step by step."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget

from integrator.domain.integration.directory import create_integration
from integrator.paths import shipped, user_integrations_dir
from integrator.session.session import Session
from integrator.ui.find.facts import FactsView
from integrator.ui.guide.tour_steps import (
    LIVES_ADDRESS,
    SCORE_ADDRESS,
    SCORE_TYPE,
    STEPS,
    TourState,
    TourStep,
)
from integrator.ui.play.states.states_view import StatesView
from integrator.ui.score.done_view import DoneView
from integrator.ui.score.reward_view import RewardView
from integrator.ui.score.texts.lint_panel import LintView
from integrator.ui.shell.files.file_commands import FileCommands
from integrator.ui.widgets.docks import is_in_sight
from integrator.ui.widgets.parts import hbox, role_label, set_role, vbox
from integrator.ui.widgets.theme import SIZES, Theme

if TYPE_CHECKING:
    from integrator.ui.shell.main_window import MainWindow

_LOOK_MS = 400
_CHEER_MS = 1100
_MOST_FRAMES = 30_000  # frames before the present in which a lost life is looked for
NAME = "EmberMothTour"
SYSTEM = "Nes"


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
        self.hide()

    def point_at(self, target: QWidget) -> None:
        self._target, self._beat = target, 0
        self._fit()
        self.show()
        self.raise_()
        self._timer.start()
        self.window().installEventFilter(self)

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
            self.window().removeEventFilter(self)
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


class TourController(QObject):
    """Looks a few times a second at the user's progress, and goes on when a step is done. It reads
    the game and the documents, and changes neither."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self._at = 0
        self._practice: Path | None = None
        self.is_running = False
        self._asked = self._cheering = False
        self.cheer_ms = _CHEER_MS
        self.coach = coach = CoachPanel(window.desk.theme, len(STEPS))
        coach.hide()
        self.pointer = Pointer(window.desk.theme, window)
        self._timer = QTimer(self, interval=_LOOK_MS)
        self._timer.timeout.connect(self._look)
        centre = window.centralWidget()
        layout = centre.layout() if centre is not None else None
        if isinstance(layout, QVBoxLayout):
            layout.insertWidget(0, coach)
        coach.point.clicked.connect(self.show_target)
        coach.skip.clicked.connect(lambda: self._go_to(self._at + 1))
        coach.back.clicked.connect(lambda: self._go_to(self._at - 1))
        coach.leave.clicked.connect(self.leave)
        coach.take.clicked.connect(self.start)
        window.bridge.opened.connect(lambda game: self._opened(game.directory))

    @property
    def step(self) -> TourStep | None:
        """The present step; None when there is no tour, or it is at its end."""
        return STEPS[self._at] if self.is_running and self._at < len(STEPS) else None

    def start(self) -> None:
        game = self._window.controller.game
        if game is not None and game.directory == self._practice:
            self._begin(min(self._at, len(STEPS) - 1))
        else:
            self._window.parts[FileCommands].after_saving(self._make_copy)

    def offer(self) -> None:
        self.coach.show_offer()
        self.coach.show()

    def _make_copy(self) -> None:
        def work() -> Path:
            root = user_integrations_dir()
            names = (f"{NAME}{number}-{SYSTEM}" for number in ("", *range(2, 1000)))
            name = next(name for name in names if not (root / name).exists())
            rom = shipped("data") / "EmberMoth-Nes-v0" / "rom.nes"
            return create_integration(rom, root, name, SYSTEM, "nes").directory

        def made(directory: Path) -> None:
            self._practice = directory
            self._window.open_path(directory)

        self._window.bridge.beside(work, made, self._window.bridge.failed.emit)

    def _opened(self, directory: Path) -> None:
        if self._practice is not None and directory == self._practice:
            self._begin(0)
        else:
            self.leave()

    def _begin(self, at: int) -> None:
        self.is_running = True
        self.coach.show()
        self._timer.start()
        self._go_to(at)

    def leave(self) -> None:
        """Put the coach away; the practice copy stays with the user's work in it."""
        self.is_running = False
        self._timer.stop()
        self.coach.hide()
        self.pointer.hide()

    def _go_to(self, at: int) -> None:
        self._at, self._cheering = max(0, at), False
        if self._at >= len(STEPS):
            self._timer.stop()
            end = self.tr(
                "Variables, reward, done and a start state are in <b>{0}</b>; stable-retro trains "
                "on that folder as it is. Now your own game: drop its ROM on the window."
            )
            self.coach.show_end(len(STEPS), end.format(self._practice))
            return
        step = STEPS[self._at]
        if step.workspace:
            self._window.use_workspace(step.workspace)
        if step.key in ("first_fact", "lives"):
            self._window.parts[FactsView].forget_facts()
        if step.target in ("facts", "name"):
            self._window.docks.all["facts"].come_forward()
        self.coach.show_step(self._at, len(STEPS), step.title)
        self._show_text(step)
        if not self._timer.isActive():
            self._timer.start()
        self._look()

    def _show_text(self, step: TourStep, life_lost: int = 0, hint: str = "") -> None:
        text = self._window.actions_by_key.shortcuts.with_present(step.says(life_lost))
        self.coach.show_text(text, hint)

    def _look(self) -> None:
        window, documents = self._window, self._window.controller.documents
        idle = self._cheering or self.step is None or not window.bridge.is_open
        if self._asked or idle or documents is None:
            return
        self._asked = True
        facts, lint = window.parts[FactsView].text, window.parts[LintView]
        errors, seen_lint = lint.errors, is_in_sight(lint)

        def read(session: Session) -> TourState:
            score = session.memory.read(SCORE_ADDRESS, SCORE_TYPE)
            return TourState(score, _life_lost(session), facts, documents, errors, seen_lint)

        def seen(state: TourState) -> None:
            self._asked = False
            self._judge(state)

        def failed(_: Exception) -> None:
            self._asked = False  # the core is gone for the moment: look again later

        window.bridge.ask(read, seen, failed)

    def _judge(self, state: TourState) -> None:
        step = self.step
        if step is None or self._cheering:
            return
        if not step.done(state):
            self._show_text(step, state.life_lost, step.hint(state))
            return
        self._cheering = True
        self.coach.show_done(step.title)

        def go_on(at: int = self._at) -> None:
            if self._cheering and self._at == at and self.is_running:
                self._go_to(at + 1)

        QTimer.singleShot(self.cheer_ms, self, go_on)

    def show_target(self) -> None:
        step = self.step
        if step is None:
            return
        if step.workspace:
            self._window.use_workspace(step.workspace)
        parts = self._window.parts
        targets: dict[str, tuple[str, Callable[[], QWidget]]] = {
            "screen": ("", lambda: self._window.screen_panel),
            "facts": ("facts", lambda: parts[FactsView].value),
            "name": ("facts", lambda: parts[FactsView].name),
            "reward": ("reward", lambda: parts[RewardView].add),
            "done": ("done", lambda: parts[DoneView].add),
            "states": ("states", lambda: parts[StatesView]),
            "save": ("", lambda: self._window.top_bar),
            "lint": ("lint", lambda: parts[LintView]),
        }
        dock, target = targets[step.target]
        if dock:
            self._window.docks.all[dock].come_forward()

        def point() -> None:
            # A target that comes later, such as the name field before there are matches, comes in
            # there.
            shown: QWidget | None = target()
            while shown is not None and not shown.isVisible():
                shown = shown.parentWidget()
            if shown is not None:
                self.pointer.point_at(shown)

        QTimer.singleShot(0, self, point)


def _life_lost(session: Session) -> int:
    """The newest frame on which lives went down while a game was played; 0 when there is none."""
    log = session.timeline.log
    first = max(1, log.length - _MOST_FRAMES)
    ranges = [(int(session.memory.space.offsets(LIVES_ADDRESS, 1)[0]), 1)]
    lives = log.ram_ranges(ranges, first, log.length + 1)[:, 0].view(np.int8).astype(np.int64)
    lost = np.flatnonzero(np.diff(lives) == -1)
    return first + 1 + int(lost[-1]) if len(lost) else 0
