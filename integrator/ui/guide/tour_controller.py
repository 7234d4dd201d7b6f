"""The tour for new users: the whole job on a copy of the demo game; ``tour.md`` has its texts."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QPoint, QPropertyAnimation, QRect, Qt, QTimer
from PySide6.QtWidgets import QFrame, QGraphicsOpacityEffect, QLabel, QPushButton, QWidget
from shiboken6 import isValid

from integrator.domain.errors import DomainError
from integrator.domain.integration.directory import create_integration
from integrator.domain.query.facts import Equals, parse_facts
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.domain.scenario.tree import Measurement
from integrator.domain.words import named_sections
from integrator.paths import shipped, user_integrations_dir
from integrator.session.edits.snapshot import Documents
from integrator.session.session import Session
from integrator.session.timeline_facts import newest_loss
from integrator.ui import widgets as ui
from integrator.ui.find.facts import FactsView
from integrator.ui.play.states.states_view import StatesView
from integrator.ui.score.done_view import DoneView
from integrator.ui.score.reward_view import RewardView
from integrator.ui.score.texts.lint_panel import LintView
from integrator.ui.shell.files.file_commands import FileCommands

if TYPE_CHECKING:
    from integrator.ui.shell.main_window import MainWindow

LIVES_ADDRESS = 0x302
SCORE_ADDRESS, SCORE_TYPE = 0x306, ">d3"
DIGITS_ADDRESS, DIGITS_TYPE = 0x30C, ">n6"
"""The same score, one digit in a byte: the game adds points here, and packs them into the other."""


@dataclass(frozen=True, slots=True)
class TourState:
    """The facts that the tour tests. ``score`` is read at the demo game's address. ``life_lost`` is
    the newest frame on which a life was lost, or 0. ``facts`` are the lines of the Facts panel."""

    score: int
    life_lost: int
    facts: str
    documents: Documents
    lint_errors: int
    lint_in_sight: bool

    @property
    def scores_pinned(self) -> int:
        """The number of different scores above 0 in the pinned facts."""
        try:
            facts = parse_facts(self.facts)
        except DomainError:
            return 0
        return len({each.value for each in facts if isinstance(each, Equals) and each.value > 0})

    @property
    def score_names(self) -> tuple[str, ...]:
        places = (SCORE_ADDRESS, SCORE_TYPE), (DIGITS_ADDRESS, DIGITS_TYPE)
        variables = self.documents.variables.items()
        return tuple(name for name, at in variables if (at.address, str(at.type)) in places)

    @property
    def lives_names(self) -> tuple[str, ...]:
        variables = self.documents.variables.items()
        return tuple(n for n, at in variables if (at.address, at.type.width) == (LIVES_ADDRESS, 1))

    @property
    def spec(self) -> ScenarioSpec:
        """The parsed scenario; an empty scenario while it is invalid."""
        try:
            return ScenarioSpec.parse(dict(self.documents.scenario))
        except DomainError:
            return ScenarioSpec()

    def names_score(self) -> bool:
        return bool(self.score_names)

    def rewards_score(self) -> bool:
        terms = [term for reward in self.spec.rewards[:1] for term in reward.terms]
        return any(t.name in self.score_names and t.reward > 0 for t in terms)

    def ends_right(self) -> bool | None:
        """True if each condition on lives holds only below 0; None without such a condition."""
        tests = [test for test in self.spec.done.tests if test.name in self.lives_names]
        for test in tests:
            decode = self.documents.variables[test.name].type.decode
            values = map(decode, (b"\xff", b"\0", b"\1", b"\2"))
            held = [test.op.of(value, test.reference) > 0 for value in values]
            if test.measurement is not Measurement.ABSOLUTE or held != [True, False, False, False]:
                return False
        return True if tests else None

    def has_start(self) -> bool:
        return self.documents.default_state in self.documents.states

    def is_saved(self) -> bool:
        return self.names_score() and not self.documents.modified

    def passes_lint(self) -> bool:
        return self.lint_in_sight and self.lint_errors == 0


TOUR_TEXTS: Final = named_sections(Path(__file__).with_name("tour.md"))
"""The name and the text of each step by its key; a hint has no name."""


def _text(key: str) -> str:
    return ui.words(TOUR_TEXTS[key][1])


@dataclass(frozen=True, slots=True)
class TourStep:
    """A step of the tour. "Show me" points at ``target``; ``hint`` returns help with a mistake."""

    key: str
    done: Callable[[TourState], bool | None]
    target: Callable[["MainWindow"], QWidget]
    workspace: str = ""
    hint: Callable[[TourState], str] = lambda _: ""

    @property
    def name(self) -> str:
        return ui.words(TOUR_TEXTS[self.key][0])

    def says(self, life_lost: int = 0) -> str:
        """Return the text of the step, which may name the frame of the newest lost life."""
        if self.key != "lives" or not life_lost:
            return _text(self.key)
        before, after = max(1, life_lost - 90), life_lost + 3
        # The Facts panel reads "unchanged" and "down", so translations keep these words.
        return _text("life_lost").format(ui.grouped(life_lost), before, life_lost - 2, after)


def _name_hint(state: TourState) -> str:
    for name, spec in state.documents.variables.items():
        if spec.address in (*range(0x306, 0x309), *range(0x30C, 0x312)):
            return _text("too_narrow").format(name, spec.type, ui.grouped(spec.type.maximum))
        if spec.address in range(0x309, 0x30C):
            return _text("high_score").format(name)
    return ""


def _done_hint(state: TourState) -> str:
    return _text("ends_early") if state.ends_right() is False else ""


def _shown_number(main: "MainWindow") -> QWidget:
    return main.parts[FactsView].value


STEPS: tuple[TourStep, ...] = (
    TourStep("play", lambda now: now.score > 0, lambda main: main.screen_panel, "play"),
    TourStep("first_fact", lambda now: now.scores_pinned >= 1, _shown_number, "find"),
    TourStep("second_fact", lambda now: now.scores_pinned >= 2, _shown_number),
    TourStep(
        "name", TourState.names_score, lambda main: main.parts[FactsView].name, hint=_name_hint
    ),
    TourStep("lives", lambda now: bool(now.lives_names), _shown_number),
    TourStep("reward", TourState.rewards_score, lambda main: main.parts[RewardView].add, "score"),
    TourStep("done", TourState.ends_right, lambda main: main.parts[DoneView].add, hint=_done_hint),
    TourStep("state", TourState.has_start, lambda main: main.parts[StatesView], "play"),
    TourStep("save", TourState.is_saved, lambda main: main.top_bar),
    TourStep("check", TourState.passes_lint, lambda main: main.parts[LintView], "review"),
)


class CoachPanel(ui.FitsSize, QFrame):
    """The panel of the tour. It shows one step at a time, and the window stays usable."""

    def __init__(self, tour: "TourController") -> None:
        super().__init__()
        ui.named(self, self.tr("Tour"), objectName="Coach")
        self._at = 0
        self.title, self.count = ui.role_label("", "subheading"), ui.role_label("", "faint")
        self.dots, rich = QLabel(), Qt.TextFormat.RichText
        self.text = ui.role_label(wraps=True, textFormat=rich)
        self.hint = ui.NoteLabel("warn", textFormat=rich)
        again = self.tr("It can be taken up again in the Help menu")
        self.leave = ui.push_button(self.tr("Leave the tour"), tour.leave, again, "flat")
        self.back = ui.push_button(self.tr("Back"), lambda: tour.move(-1), role="flat")
        without = self.tr("Go on without this step")
        self.skip = ui.push_button(self.tr("Skip"), lambda: tour.move(1), without, "flat")
        place = self.tr("Open the panel of this step, and frame the place")
        self.point = ui.push_button(self.tr("Show me"), tour.show_target, place, icon="search")
        self.take = ui.push_button(self.tr("Take the tour"), tour.start, role="primary")
        head = ui.hbox(self.title, self.count, self.dots, None, gap=9)
        words = ui.vbox(head, self.text, self.hint, None, gap=4)
        self._moves = (self.back, self.skip, self.point, self.take)
        side = ui.vbox(ui.hbox(self.leave, *self._moves, gap=4), None, gap=4)
        ui.hbox((words, 1), side, on=self, margins=(ui.SIZES.pad + 4, 10, ui.SIZES.pad, 10), gap=22)
        ui.Theme.now.changed.connect(self._draw_dots)

    def _fit(self) -> None:
        if (layout := self.layout()) is not None:
            layout.activate()
            self.setFixedHeight(max(layout.heightForWidth(self.width()), 54))

    def show_page(
        self, title: str, text: str, leave: str, *moves: QPushButton, at: int | None = None
    ) -> None:
        """Show a page with the buttons ``moves``; ``at`` is the number of the step, from 0."""
        ui.say(self.title, title, "subheading")
        self.leave.setText(leave)
        for button in self._moves:
            button.setVisible(button in moves)
        self._at = at or 0
        place = self.tr("step {0} of {1}").format(self._at + 1, len(STEPS))
        self.count.setText(place if moves and at is not None else "")
        self.back.setEnabled(self._at > 0)
        self._draw_dots()
        self.dots.setVisible(at is not None)
        self.show_text(text)

    def _draw_dots(self) -> None:
        """Draw a dot for each step, in green for the steps before the current one."""
        colors, at = ui.Theme.now.colors, self._at
        inks = [colors.good] * at + [colors.accent] + [colors.border] * (len(STEPS) - at - 1)
        spans = (f'<span style="color:{ink}">●</span>' for ink in inks[: len(STEPS)])
        self.dots.setText("".join(spans))
        self.dots.setAccessibleName(self.tr("Step {0} of {1}").format(at + 1, len(STEPS)))

    def show_text(self, text: str, hint: str = "") -> None:
        if self.text.text() != text:
            self.text.setText(text)
        self.hint.setText(hint)
        self._fit()

    def show_done(self, title: str) -> None:
        ui.say(self.title, "✓  " + title, "good")
        self.hint.hide()


class Pointer(QFrame):
    """A frame that blinks around a widget for a moment, above everything. It ignores the mouse."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("Pointer")
        self.target: QWidget | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        effect = QGraphicsOpacityEffect(self)
        self.setGraphicsEffect(effect)
        self._pulse = QPropertyAnimation(effect, b"opacity", self)
        self._pulse.setDuration(900)
        self._pulse.setLoopCount(3)
        for share, opacity in ((0, 1.0), (0.5, 0.55), (1, 1.0)):
            self._pulse.setKeyValueAt(share, opacity)
        self._pulse.valueChanged.connect(lambda _: self._fit())
        self._pulse.finished.connect(self.hide)
        self.hide()

    def point_at(self, target: QWidget) -> None:
        self.target = target
        self._fit()
        self.show()
        self.raise_()
        self._pulse.start()

    def _fit(self) -> None:
        target = self.target
        if target is not None and isValid(target) and target.isVisible():
            corner = target.mapTo(self.parentWidget() or target, QPoint(0, 0))
            self.setGeometry(QRect(corner, target.size()).adjusted(-5, -5, 5, 5))


class TourController(QObject):
    """Checks the user's progress every 400 ms, and goes on after each step; it changes nothing."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self._at = 0
        self._practice: Path | None = None
        self.is_running = self._asked = self._cheering = False
        self.cheer_ms = 1100
        self.coach = CoachPanel(self)
        self.coach.hide()
        self.pointer = Pointer(window)
        self._timer = QTimer(self, interval=400)
        self._timer.timeout.connect(self._look)
        window.column.insertWidget(0, self.coach)
        window.bridge.opened.connect(lambda game: self._opened(game.directory))

    @property
    def step(self) -> TourStep | None:
        """The current step; None without a tour, and at its end."""
        return STEPS[self._at] if self.is_running and self._at < len(STEPS) else None

    def start(self) -> None:
        game = self._window.controller.game
        if game is not None and game.directory == self._practice:
            self._begin(min(self._at, len(STEPS) - 1))
        else:
            self._window.parts[FileCommands].after_saving(self._make_copy)

    def offer(self) -> None:
        """Offer the tour to users who have not opened a game yet."""
        if not self._window.context.settings.recent:
            text = self.tr(
                "A tour does the whole job with you on Ember Moth, a small game of our own: play, "
                "find score and lives, reward, done, start state, check. About five minutes."
            )
            coach = self.coach
            coach.show_page(self.tr("New here?"), text, self.tr("Not now"), coach.take)
            coach.show()

    def _make_copy(self) -> None:
        def work() -> Path:
            root = user_integrations_dir()
            names = (f"EmberMothTour{number}-Nes" for number in ("", *range(2, 1000)))
            name = next(name for name in names if not (root / name).exists())
            rom = shipped("data") / "EmberMoth-Nes-v0" / "rom.nes"
            return create_integration(rom, root, name, "Nes", "nes").directory

        def made(directory: Path) -> None:
            self._practice = directory
            self._window.open_path(directory)

        self._window.bridge.in_background(work, made, self._window.bridge.failed.emit)

    def _opened(self, directory: Path) -> None:
        if directory == self._practice:
            self._begin(0)
        else:
            self.leave()

    def _begin(self, at: int) -> None:
        self.is_running = True
        self.coach.show()
        self._go_to(at)

    def leave(self) -> None:
        """Hide the tour. The practice copy stays, because it holds the user's work."""
        self.is_running = False
        self._timer.stop()
        self.coach.hide()
        self.pointer.hide()

    def move(self, steps: int) -> None:
        self._go_to(max(0, self._at + steps))

    def _go_to(self, at: int) -> None:
        self._at, self._cheering = at, False
        step, window, coach = self.step, self._window, self.coach
        if step is None:
            self._timer.stop()
            end = self.tr(
                "Variables, reward, done and a start state are in <b>{0}</b>; stable-retro trains "
                "on that folder as it is. Now your own game: drop its ROM on the window."
            )
            coach.show_page("", end.format(self._practice), self.tr("Close"), at=at)
            coach.show_done(self.tr("That was the whole job"))
            return
        if step.workspace:
            window.use_workspace(step.workspace)
        if step.key in ("first_fact", "lives"):
            window.parts[FactsView].forget_facts()
        if step.key in ("first_fact", "second_fact", "name", "lives"):
            window.docks.all["facts"].come_forward()
        moves, leave = (coach.back, coach.skip, coach.point), self.tr("Leave the tour")
        coach.show_page(step.name, "", leave, *moves, at=at)
        self._show_text(step)
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
        errors, seen_lint = lint.errors, ui.is_in_sight(lint)

        def read(session: Session) -> TourState:
            score = session.memory.read(SCORE_ADDRESS, SCORE_TYPE)
            lost = newest_loss(session, LIVES_ADDRESS)
            return TourState(score, lost, facts, documents, errors, seen_lint)

        def judge(state: TourState) -> None:
            self._asked = False
            step, at = self.step, self._at
            if step is None or self._cheering:
                return
            if not step.done(state):
                self._show_text(step, state.life_lost, step.hint(state))
                return
            self._cheering = True
            self.coach.show_done(step.name)

            def go_on() -> None:
                if self._cheering and self._at == at and self.is_running:
                    self._go_to(at + 1)

            QTimer.singleShot(self.cheer_ms, self, go_on)

        def failed(_: Exception) -> None:
            self._asked = False  # The core is gone for the moment, so try again later.

        window.bridge.ask(read, judge, failed)

    def show_target(self) -> None:
        step, window = self.step, self._window
        if step is None:
            return
        if step.workspace:
            window.use_workspace(step.workspace)
        target = step.target(window)
        for dock in window.docks.all.values():
            if dock.isAncestorOf(target):
                dock.come_forward()

        def point() -> None:
            # A field that is not visible yet, for example without matches, is framed by its parent.
            shown: QWidget | None = target
            while shown is not None and not shown.isVisible():
                shown = shown.parentWidget()
            if shown is not None:
                self.pointer.point_at(shown)

        QTimer.singleShot(0, self, point)
