"""stable-retro takes no notice of expectations.json: scenarios, variables, rewards stay."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest
import warm_children

from integrator.commands.shared.options import demo_game
from integrator.domain.integration.directory import load_integration
from integrator.domain.integration.expectations import Expectation, ExpectedKind

pytest.importorskip("stable_retro")

STEPS = """
import json, sys
import numpy as np
import stable_retro as retro
retro.data.Integrations.add_custom_path(sys.argv[1])
kind = retro.data.Integrations.ALL
env = retro.make("EmberMoth-Nes-v0", inttype=kind, render_mode="rgb_array")
env.reset()
told = []
for number in range(400):
    action = np.array([bit == number // 20 % 9 for bit in range(9)], np.int8)
    _, reward, done, _, info = env.step(action)
    told.append([float(reward), bool(done), {name: int(v) for name, v in info.items()}])
print(json.dumps([retro.data.list_scenarios("EmberMoth-Nes-v0", kind), told]))
"""


def steps(root: Path) -> list[object]:
    ran = warm_children.run(
        [sys.executable, "-c", STEPS, str(root)], check=True, capture_output=True, text=True
    )
    return list(json.loads(ran.stdout.splitlines()[-1]))


def test_training_is_the_same_with_and_without_the_file(tmp_path: Path) -> None:
    game = Path(shutil.copytree(demo_game(), tmp_path / demo_game().name))
    before = steps(tmp_path)
    integration = load_integration(game)
    integration.expectations.add([Expectation("a.bk2", ExpectedKind.TOTAL, 1, 9, 7)])
    integration.save()
    assert (game / "expectations.json").is_file()
    assert steps(tmp_path) == before
    assert before[0] == ["scenario"]
