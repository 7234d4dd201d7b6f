"""Sessions compared with stable-retro: reward of each player, done, info and picture of every step.

Some hundred steps of a choice of games as a rule. With INTEGRATOR_FULL=1 in the environment every
game plays every scenario for 5,000 steps (about an hour on two processors)."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from judging import JudgedCases, chosen_cases
from session_actions import random_indices, random_masks
from session_cases import SYSTEMS, build, games, scenarios

import integrator
from integrator.domain.frames.observation import ObservationRule
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.session.frame.pipeline import observation_rule, observe
from integrator.session.frame.result import FrameResult
from integrator.session.session import Session

pytest.importorskip("stable_retro")

JUDGE = Path(__file__).with_name("session_judge.py")
FULL = bool(os.environ.get("INTEGRATOR_FULL"))
STEPS = 5000 if FULL else 200
OURS = ("Airstriker", "EmberMoth")
CLOSELY = (*OURS, "Atari2600", "Nes")
SLOWLY = ("N64", "NintendoDs")
ROWS = {"32x": 224}
"""Rows of a picture that are compared, if not all.

stable-retro takes its picture to be as high as the core's highest and shows old memory below the
others."""


@dataclass(frozen=True)
class Case:
    game: str
    scenario: str
    players: int
    mode: str = "filtered"

    def __str__(self) -> str:
        return f"{self.game}-{self.scenario}-{self.players}p-{self.mode}"


SCENARIOS = (("scenario", 2), ("actions", 1), ("scripted", 2), ("hooks", 2))
CASES = [
    *(
        Case(game, scenario, players)
        for game in (*OURS, *SYSTEMS)
        for scenario, players in SCENARIOS
        if FULL or game in CLOSELY or (scenario == "scenario" and game not in SLOWLY)
    ),
    *(
        Case(game, scenario, players, mode)
        for game in (SYSTEMS if FULL else ("Genesis",))
        for scenario, players, mode in (
            ("actions", 2, "discrete"), ("actions", 1, "multi_discrete"), ("scenario", 1, "all"),
        )
    ),
]  # fmt: skip


class Judge:
    """stable-retro in a process of its own; it works on the next case while we step this one."""

    def __init__(self, root: Path, cases: Sequence[Case]) -> None:
        self._cases, used = cases, {case.game for case in cases}
        self.games = {name: build(root, game) for name, game in games().items() if name in used}
        request = [
            {
                "directory": str(self.games[case.game]),
                "scenario": case.scenario,
                "players": case.players,
                "mode": case.mode,
                "steps": STEPS,
                "rows": rows_of(case),
                "seed": CASES.index(case),
            }
            for case in cases
        ]
        self._answers = JudgedCases(root, JUDGE, request)

    def result(self, case: Case) -> Any:
        return self._answers.answer(self._cases.index(case))

    def close(self) -> None:
        self._answers.close()


@pytest.fixture(scope="module")
def judge(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Judge]:
    judge = Judge(tmp_path_factory.mktemp("judged"), chosen_cases(request, CASES))
    yield judge
    judge.close()


def our_masks(case: Case, session: Session, theirs: Any) -> list[tuple[int, ...]]:
    """The buttons of each step: the case's action space applied to the same random actions."""
    seed, actions = CASES.index(case), session.game.actions
    if case.mode == "discrete":
        assert theirs["sizes"] == [actions.discrete_size**case.players]
        indices = random_indices(STEPS, theirs["sizes"], seed)[:, 0]
        return [actions.discrete_masks(int(index), case.players) for index in indices]
    if case.mode == "multi_discrete":
        assert theirs["sizes"] == [len(group) for group in actions.groups]
        digits = random_indices(STEPS, theirs["sizes"], seed)
        return [(actions.multi_discrete_mask(row),) for row in digits.tolist()]
    masks = random_masks(STEPS, case.players, theirs["buttons"], seed)
    return [tuple(row) for row in masks.tolist()]


def rows_of(case: Case) -> int | None:
    """Number of compared rows of a case's cropped picture; None is all."""
    crop = ScenarioSpec.parse(scenarios(games()[case.game])[case.scenario]).crops[0]
    return ROWS[case.game] - crop.y if case.game in ROWS else None


def picture(rule: ObservationRule, result: FrameResult, rows: int | None) -> int:
    """Checksum of the agent's observation of the frame."""
    assert result.frame is not None
    return zlib.crc32(observe(result.frame, rule)[:rows].tobytes())


@pytest.mark.usefixtures("own_home")
@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_step_is_the_same(judge: Judge, case: Case) -> None:
    directory, theirs = judge.games[case.game], judge.result(case)
    with integrator.open_session(
        directory, scenario=case.scenario, players=case.players
    ) as session:
        crop = ScenarioSpec.parse(session.integration.scenarios[case.scenario].value).crops[0]
        rule = observation_rule(session.system, session.game.core.av, crop)
        rows = rows_of(case)
        session.reset()
        for step, mask in enumerate(our_masks(case, session, theirs)):
            result = session.advance(mask, filtered=case.mode == "filtered")
            info = dict(zip(theirs["names"], theirs["infos"][step], strict=True))
            where = f"step {step}"
            assert result.script_error is None, where
            assert list(result.outcome.rewards) == theirs["rewards"][step], where
            assert result.outcome.done == theirs["dones"][step], where
            assert result.values == info, where
            assert picture(rule, result, rows) == theirs["pictures"][step], where
            if result.outcome.done:
                session.reset()
    assert len(theirs["rewards"]) == STEPS
    assert len({tuple(row) for row in theirs["infos"]}) > 50, "the game should move"
    assert len({tuple(row) for row in theirs["rewards"]}) > 1, "the reward should move"
    assert any(theirs["dones"]), "some episode should end"
    assert not all(theirs["dones"])
