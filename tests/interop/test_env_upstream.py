"""Environments compared with stable-retro's: spaces, and all that each step gives.

Observations are compared byte by byte. INTEGRATOR_FULL=1 makes episodes of 5,000 steps."""

from __future__ import annotations

import json
import os
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from judging import JudgedCases, chosen_cases
from session_actions import random_actions
from session_cases import SYSTEMS, build, games

import integrator
from integrator.env.game_env import GameEnv
from integrator.env.observations import ActionMode, ObservationKind

pytest.importorskip("stable_retro")

JUDGE = Path(__file__).with_name("env_judge.py")
STEPS = 5000 if os.environ.get("INTEGRATOR_FULL") else 150
ROWS = {"32x": 224}
"""Rows that are compared, where stable-retro shows old memory below the picture; ours are black."""


@dataclass(frozen=True)
class Case:
    game: str
    scenario: str = "scenario"
    players: int = 1
    mode: ActionMode = "filtered"
    observation: ObservationKind = "image"

    def __str__(self) -> str:
        return f"{self.game}-{self.scenario}-{self.players}p-{self.mode}-{self.observation}"


CASES = [
    *(Case(game) for game in ("Airstriker", "EmberMoth", *SYSTEMS)),
    *(Case(game, players=2, mode="discrete") for game in ("Airstriker", "Nes", "Atari2600")),
    *(Case(game, "actions", mode="multi-discrete") for game in ("Genesis", "Snes", "GameBoy")),
    *(Case(game, players=2, mode="all") for game in ("Genesis", "PCEngine")),
    *(Case(game, scenario) for game in ("EmberMoth", "Sms") for scenario in ("scripted", "hooks")),
    *(Case(game, observation="ram") for game in ("Airstriker", "Nes", "Atari2600", "GbAdvance")),
]


class Judge:
    """stable-retro in a process of its own; it works on the next case while we step this one."""

    def __init__(self, root: Path, cases: Sequence[Case]) -> None:
        self._cases, used = cases, {case.game for case in cases}
        self.games = {name: build(root, game) for name, game in games().items() if name in used}
        request = [
            asdict(case)
            | {
                "directory": str(self.games[case.game]),
                "steps": STEPS,
                "seed": CASES.index(case),
                "rows": ROWS.get(case.game) if case.observation == "image" else None,
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


def open_env(judge: Judge, case: Case) -> GameEnv:
    return integrator.make_env(
        judge.games[case.game],
        scenario=case.scenario,
        players=case.players,
        actions=case.mode,
        observation=case.observation,
    )


def our_rows(env: GameEnv, case: Case) -> Iterator[tuple[int, float, bool, dict[str, int]]]:
    """Every observation, as the judge reports it: those of resets among them."""
    rows = ROWS.get(case.game) if case.observation == "image" else None

    def seen(observation: np.ndarray) -> int:
        return zlib.crc32(np.ascontiguousarray(observation[:rows]).tobytes())

    first, info = env.reset()
    assert env.observation_space.contains(first)
    yield seen(first), 0.0, False, info
    for action in random_actions(env.action_space, STEPS, CASES.index(case)):
        observation, reward, done, truncated, info = env.step(action)
        assert not truncated
        yield seen(observation), reward, done, info
        if done:
            yield seen(env.reset()[0]), 0.0, False, {}


def explains(env: GameEnv, name: str) -> bool:
    """True when the error about a missing attribute names something of ours in its place."""
    with pytest.raises(AttributeError) as error:
        getattr(env, name)
    _, _, advice = str(error.value).partition(f"no attribute '{name}': ")
    ours = re.findall(r"\w+", advice)
    others = {"make_env", "script", "HumanRendering"}
    return any(hasattr(env, each) or each in others for each in ours)


@pytest.mark.usefixtures("own_home")
@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_observation_is_the_same(judge: Judge, case: Case) -> None:
    theirs = judge.result(case)
    env = open_env(judge, case)
    try:
        assert repr(env.action_space) == theirs["action_space"]
        assert list(env.observation_space.shape or ()) == theirs["shape"]
        number = -1
        for number, ours in enumerate(our_rows(env, case)):
            assert list(ours) == theirs["rows"][number], f"row {number}"
        assert number + 1 == len(theirs["rows"])
        for name in theirs["names"]:
            assert hasattr(env, name) or explains(env, name), name
    finally:
        env.close()
    # A proof ROM shows one color for each button, and some of them show one picture for ever.
    if case.game in ("Airstriker", "EmberMoth") or case.observation == "ram":
        assert len({row[0] for row in theirs["rows"]}) > 50, "the observation should move"
    assert len({json.dumps(row[3]) for row in theirs["rows"]}) > 50, "the game should move"
    assert len({row[1] for row in theirs["rows"]}) > 1, "the reward should move"
