"""The steps of the tour on the demo game; ``tour.md`` has their texts."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QWidget

from integrator.domain.errors import DomainError
from integrator.domain.query.facts import Equals, parse_facts
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.domain.scenario.tree import Measurement
from integrator.domain.words import named_sections
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


TOUR_TEXTS: Final = named_sections(Path(__file__).with_name("tour.md"))
"""The name and the text of each step by its key; a hint has no name."""


def _text(key: str) -> str:
    return ui.words(TOUR_TEXTS[key][1])


@dataclass(frozen=True, slots=True)
class TourStep:
    """A step of the tour. "Show me" points at ``target``; ``hint`` returns help with a mistake."""

    key: str
    done: Callable[[TourState], bool]
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


STEPS: tuple[TourStep, ...] = (
    TourStep(
        "play", lambda state: state.score > 0, lambda window: window.screen_panel, workspace="play"
    ),
    TourStep(
        "first_fact",
        lambda state: any(value > 0 for value in state.pinned),
        lambda window: window.parts[FactsView].value,
        workspace="find",
    ),
    TourStep(
        "second_fact",
        lambda state: len([value for value in state.pinned if value > 0]) >= 2,
        lambda window: window.parts[FactsView].value,
    ),
    TourStep(
        "name",
        lambda state: bool(state.score_names),
        lambda window: window.parts[FactsView].name,
        hint=_name_hint,
    ),
    TourStep(
        "lives",
        lambda state: bool(state.lives_names),
        lambda window: window.parts[FactsView].value,
    ),
    TourStep(
        "reward",
        lambda state: state.rewards_score(),
        lambda window: window.parts[RewardView].add,
        workspace="score",
    ),
    TourStep(
        "done",
        lambda state: state.ends_right() is True,
        lambda window: window.parts[DoneView].add,
        hint=lambda state: _text("ends_early") if state.ends_right() is False else "",
    ),
    TourStep(
        "state",
        lambda state: state.documents.default_state in state.documents.states,
        lambda window: window.parts[StatesView],
        workspace="play",
    ),
    TourStep(
        "save",
        lambda state: not state.documents.modified and bool(state.score_names),
        lambda window: window.top_bar,
    ),
    TourStep(
        "check",
        lambda state: state.lint_in_sight and state.lint_errors == 0,
        lambda window: window.parts[LintView],
        workspace="review",
    ),
)
