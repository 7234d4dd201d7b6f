"""Sessions beside stable-retro: reward of each player, done and info of every step are equal.

5,000 steps of Airstriker, of the demo game and of one proof ROM, 1,000 of the others. With
INTEGRATOR_FULL=1 in the environment every run has 5,000 steps (some minutes).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from session_actions import random_masks
from session_cases import SYSTEMS, build_proof

import integrator
from integrator.commands.games import airstriker, demo_game

pytest.importorskip("stable_retro")

JUDGE = Path(__file__).with_name("session_judge.py")
LONG = 5000
SHORT = LONG if os.environ.get("INTEGRATOR_FULL") else 1000


@dataclass(frozen=True)
class Case:
    game: str
    scenario: str
    players: int
    steps: int

    def __str__(self) -> str:
        return f"{self.game}-{self.scenario}-{self.players}p"


GAMES = [Case("Airstriker", "scenario", 1, LONG), Case("EmberMoth", "scenario", 1, LONG)]
ALL_SCENARIOS = [
    Case(system, scenario, players, LONG if (system, scenario) == ("Nes", "scenario") else SHORT)
    for system in SYSTEMS
    for scenario, players in (("scenario", 2), ("actions", 1), ("scripted", 2))
]
CASES = [*GAMES, *ALL_SCENARIOS]


class Judge:
    """stable-retro in a process of its own; it works on the next case while we step this one."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.games = {system: build_proof(root, system) for system in SYSTEMS}
        self.games |= {"Airstriker": airstriker(), "EmberMoth": demo_game()}
        request = [
            {
                "directory": str(self.games[case.game]),
                "scenario": case.scenario,
                "players": case.players,
                "steps": case.steps,
                "seed": number,
            }
            for number, case in enumerate(CASES)
        ]
        (root / "request.json").write_text(json.dumps(request))
        self._errors = root / "stderr"
        with self._errors.open("w") as errors:
            self._child = subprocess.Popen(
                [sys.executable, "-W", "ignore", str(JUDGE), str(root)],
                stdout=subprocess.DEVNULL,
                stderr=errors,
            )

    def result(self, case: Case) -> Any:
        path = self._root / f"{CASES.index(case)}.json"
        while not path.exists():
            assert self._child.poll() in (None, 0), self._errors.read_text()
            time.sleep(0.05)
        return json.loads(path.read_text())

    def close(self) -> None:
        self._child.kill()
        self._child.wait()


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    judge = Judge(tmp_path_factory.mktemp("judged"))
    yield judge
    judge.close()


@pytest.mark.usefixtures("own_home")
@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_step_is_the_same(judge: Judge, case: Case) -> None:
    directory, theirs = judge.games[case.game], judge.result(case)
    masks = random_masks(case.steps, case.players, theirs["buttons"], CASES.index(case))
    with integrator.open_session(
        directory, scenario=case.scenario, players=case.players
    ) as session:
        session.reset()
        for step, mask in enumerate(masks.tolist()):
            result = session.advance(mask, filtered=True)
            info = dict(zip(theirs["names"], theirs["infos"][step], strict=True))
            where = f"step {step}"
            assert result.script_error is None, where
            assert list(result.outcome.rewards) == theirs["rewards"][step], where
            assert result.outcome.done == theirs["dones"][step], where
            assert result.values == info, where
            if result.outcome.done:
                session.reset()
    assert len({tuple(row) for row in theirs["infos"]}) > 50, "the game should move"
    assert len({tuple(row) for row in theirs["rewards"]}) > 1, "the reward should move"
    if case not in GAMES:
        assert any(theirs["dones"]), "some episode should end"
        assert not all(theirs["dones"])
