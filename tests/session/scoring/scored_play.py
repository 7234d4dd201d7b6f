"""Play of the demo game whose recorded frames are scored again."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import integrator
from integrator.commands.demo import PlayScript
from integrator.commands.shared.options import demo_game
from integrator.paths import shipped
from integrator.session.edits import commands as edits
from integrator.session.frame.result import RecordedScored
from integrator.session.session import Session
from integrator.session.setup.game import Game

START_FRAME = 184
"""Frame of the demo game's input script that its state Start begins with."""

SCRIPT = """
best, steps = 0, 0
function reward()
  local gained = math.max(0, data.score - best)
  best = math.max(best, data.score)
  steps = steps + 1
  data.steps = steps
  return gained + steps / 1000
end
function over() return data.lives < 1 end
"""


def replace_scenario(game: Game, scenario: dict[str, Any]) -> None:
    """Replace the whole scenario."""

    def change(root: Any) -> None:
        root.clear()
        root.update(scenario)

    edits.change_scenario(change)(game)


def use_script(game: Game) -> None:
    """Reward by a script's count since the episode began."""
    game.integration.history.touch("script.lua")
    game.integration.scripts["script.lua"] = SCRIPT
    scenario = {
        "scripts": ["script.lua"],
        "reward": {"script": "lua:reward"},
        "done": {"script": "lua:over"},
    }
    replace_scenario(game, scenario)


def use_terms(game: Game) -> None:
    """Other factors, a price of time, and another end."""
    scenario: dict[str, Any] = {
        "reward": {
            "variables": {"score": {"reward": 3.0}, "lives": {"reward": 1, "penalty": 100}},
            "time": {"reward": -0.25},
        },
        "done": {"variables": {"lives": {"op": "equal", "reference": 1}}},
    }
    replace_scenario(game, scenario)


def demo_copy(tmp_path: Path) -> Path:
    """A copy of the demo game."""
    return Path(shutil.copytree(demo_game(), tmp_path / "EmberMoth-Nes-v0"))


def play(session: Session, *, branches: bool = True) -> None:
    """An episode, a second one with a loaded state and a poke, and two branches of it."""
    source = shipped("resources") / "demo-game" / "input-script.json"
    rows = PlayScript.load(source, session.system.buttons).inputs[START_FRAME:]
    session.reset()
    session.run(rows[:350])
    session.reset()
    session.run(rows[:300])
    state = session.save_state()
    session.run(rows[300:400])
    session.load_state(state)
    session.run(rows[300:500])
    session.memory.write(0x0306, ">d3", 4210)
    session.run(rows[500:600])
    for back in (600, 700) if branches else ():
        session.timeline.seek(back)
        session.run(np.roll(rows, 40, axis=0)[:200])


def played_demo(game: Path) -> Iterator[Session]:
    """The demo game, played with its own scenario, for a fixture."""
    with integrator.open_session(game, isolated=False) as session:
        play(session)
        yield session


def facts(session: Session) -> dict[str, Any]:
    """All numbers that panels show of recorded play."""
    travel = session.timeline
    here = travel.position
    found: dict[str, Any] = {
        "branches": travel.branches,
        "totals": travel.log.totals(),
        "going on": session.game.readout.engine.total_rewards,
        "names": sorted(travel.log.names),
    }
    for name in (travel.log.current, *(branch.name for branch in travel.branches)):
        line = travel.log if name == travel.log.current else travel.log.line(name)
        found[name] = line.rewards().tolist(), line.done().tolist()
        for variable in line.names:
            found[f"{name}: {variable}"] = [part.tolist() for part in line.column(variable)]
    for frame in (1, 250, 352, travel.length):
        shown = travel.seek(frame)
        found[f"frame {frame}"] = shown.outcome.rewards, shown.outcome.total_rewards
        found[f"ends {frame}"] = shown.outcome.done, shown.values
    travel.seek(here)
    return found


def background(session: Session) -> None:
    """As under a runner, which gives scoring the time that it has left."""
    session.recorded.in_background = True


def finish(session: Session) -> list[RecordedScored]:
    """Score in many slices, and return the events."""
    while session.recorded.pending:
        session.recorded.step(time.perf_counter() + 0.0005)
    return [event for event in session.take_events() if isinstance(event, RecordedScored)]
