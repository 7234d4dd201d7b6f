"""The steps of the tour on the demo game: what to do, where, and a test that it is done."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from integrator.domain.errors import DomainError
from integrator.domain.query.facts import Equals, parse_facts
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.domain.scenario.tree import Measurement
from integrator.domain.words import tr
from integrator.session.edits.snapshot import Documents
from integrator.ui import widgets as ui
from integrator.ui.find.facts import FactsView
from integrator.ui.play.states.states_view import StatesView
from integrator.ui.score.done_view import DoneView
from integrator.ui.score.reward_view import RewardView
from integrator.ui.score.texts.lint_panel import LintView

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
    def pinned(self) -> frozenset[int]:
        try:
            facts = parse_facts(self.facts)
        except DomainError:
            return frozenset()
        return frozenset(fact.value for fact in facts if isinstance(fact, Equals))

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


@dataclass(frozen=True, slots=True)
class TourStep:
    """A step of the tour. "Show me" points at ``target``; ``hint`` returns help with a mistake."""

    key: str
    name: str
    text: str | Callable[[int], str]
    done: Callable[[TourState], bool]
    target: Callable[["MainWindow"], QWidget]
    workspace: str = ""
    hint: Callable[[TourState], str] = lambda _: ""

    def says(self, life_lost: int = 0) -> str:
        """Return the text of the step, which may name the frame of the newest lost life."""
        return ui.words(self.text) if isinstance(self.text, str) else self.text(life_lost)


def _name_hint(state: TourState) -> str:
    for name, spec in state.documents.variables.items():
        if spec.address in (*range(0x306, 0x309), *range(0x30C, 0x312)):
            return ui.translate(
                "TourSteps",
                "“{0}” is on the score, but {1} holds only {2} at most. In Variables, double-click "
                "its address and type: 0x306, >d3.",
            ).format(name, spec.type, ui.grouped(spec.type.maximum))
        if spec.address in range(0x309, 0x30C):
            return ui.translate(
                "TourSteps",
                "“{0}” is on the high score, which is the score only while that is the best: in a "
                "new game it stays, and pays nothing. The score is at 0x306, >d3.",
            ).format(name)
    return ""


def _lives_text(life_lost: int) -> str:
    if not life_lost:
        return ui.translate(
            "TourSteps",
            "The screen counts lives from 1, memory from 0, so the number is of no use: say what "
            "it did. Play on and let a bat hit you once (fly low), then pause.",
        )
    before, after = max(1, life_lost - 90), life_lost + 3
    # The Facts panel reads these words, so they are not translated.
    return ui.translate(
        "TourSteps",
        "A life went at frame {0}. Write two facts: <b>{1}..{2} unchanged</b>, then "
        "<b>{2}..{3} down</b>, each with Enter. Name the row at 0x302 <b>lives</b>.",
    ).format(ui.grouped(life_lost), before, life_lost - 2, after)


def _done_hint(state: TourState) -> str:
    hint = ui.translate(
        "TourSteps",
        "Not yet: it has to hold when lives is below 0, and only then. With “zero” the last "
        "life would not be played; What-if shows that frame.",
    )
    return hint if state.ends_right() is False else ""


STEPS: tuple[TourStep, ...] = (
    TourStep(
        "play",
        tr("Play"),
        tr(
            "Press <b>Play</b>, click the picture, and press <b>Enter</b> to start the game. Fly "
            "with the <b>arrows</b> (Z and X are the buttons) and catch an ember: the score rises."
        ),
        lambda state: state.score > 0,
        lambda window: window.screen_panel,
        "play",
    ),
    TourStep(
        "first_fact",
        tr("Say what the screen shows"),
        tr(
            "Pause (<b>Ctrl+P</b>). In <b>Facts</b>, type the score that the screen shows, without "
            "the zeros in front, and press <b>Enter</b>: it is pinned to this frame."
        ),
        lambda state: any(value > 0 for value in state.pinned),
        lambda window: window.parts[FactsView].value,
        "find",
    ),
    TourStep(
        "second_fact",
        tr("And once more, later"),
        tr(
            "One number is in many places. Play on, catch another ember, pause, and pin the new "
            "score. Only addresses that agree with both are left."
        ),
        lambda state: len([value for value in state.pinned if value > 0]) >= 2,
        lambda window: window.parts[FactsView].value,
    ),
    TourStep(
        "name",
        tr("Name it"),
        tr(
            "Select the best row, type <b>score</b> below and press <b>Make variable</b>. It is to "
            "be 0x306 with type <b>&gt;d3</b>: three bytes of BCD, two digits in each. Narrower "
            "rows hold only its last digits. (0x30C with <b>&gt;n6</b> will do too.)"
        ),
        lambda state: bool(state.score_names),
        lambda window: window.parts[FactsView].name,
        hint=_name_hint,
    ),
    TourStep(
        "lives",
        tr("Find the lives by what they did"),
        _lives_text,
        lambda state: bool(state.lives_names),
        lambda window: window.parts[FactsView].value,
    ),
    TourStep(
        "reward",
        tr("Reward"),
        tr(
            "Add <b>score</b> as a reward term. Its measurement is <b>delta</b>: what is paid is "
            "how much the score rises on a frame, not the score itself on every frame."
        ),
        lambda state: state.rewards_score(),
        lambda window: window.parts[RewardView].add,
        "score",
    ),
    TourStep(
        "done",
        tr("Done"),
        tr(
            "Add <b>lives</b> as a condition, double-click its op and choose <b>negative</b>: at "
            "game over this game counts -1. (Read as |u1 that is 255: then <b>equal</b> 255.) "
            "<b>What-if</b> shows on which recorded frames the episode would end."
        ),
        lambda state: state.ends_right() is True,
        lambda window: window.parts[DoneView].add,
        hint=_done_hint,
    ),
    TourStep(
        "state",
        tr("Save a start state"),
        tr(
            "Agents cannot press START, so an episode has to begin behind the title. Get to where "
            "you fly (Reset, Enter), press <b>Ctrl+Shift+S</b>, then Enter. The first "
            "state is the default; <b>States</b> chooses another."
        ),
        lambda state: state.documents.default_state in state.documents.states,
        lambda window: window.parts[StatesView],
        "play",
    ),
    TourStep(
        "save",
        tr("Save"),
        tr("Write the integration to its folder: <b>Ctrl+S</b>, or the button at the top."),
        lambda state: not state.documents.modified and bool(state.score_names),
        lambda window: window.top_bar,
    ),
    TourStep(
        "check",
        tr("Check"),
        tr(
            "<b>Lint</b> reads what you made as training would. Look at it: there should be no "
            "error. “integrator check FOLDER” says the same, and plays the game as well."
        ),
        lambda state: state.lint_in_sight and state.lint_errors == 0,
        lambda window: window.parts[LintView],
        "review",
    ),
)
