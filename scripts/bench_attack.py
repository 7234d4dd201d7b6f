"""The attack's recall on planted farming, and its false alarms on honest twins.

``python -m scripts.bench_attack`` attacks twelve games with a loop that is known to farm, and a
twin of each that pays alike without one: six Ember Moths built from source (with ca65), and six
Atari scenarios of stable-retro (``pip install --no-deps ale-py``) with a further term or script."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from integrator.commands.shared.console import plain_console
from integrator.session.opening import open_session
from integrator.unattended.attack import attack
from scripts import audit_games, audit_plants
from scripts.audit_games import AuditGame
from scripts.audit_pairs import FRESH, TWINS
from scripts.audit_plants import Facts, Plant
from scripts.audit_tables import LATER, TUNED, UNSEEN
from scripts.bench_games import atari_games, played_rows

_MOTHS: Final = (
    ("dash-pays", "honest-quick-dash"),
    ("tap-pays", "honest-both-ways"),
    ("turn-pays", "honest-fast-moth"),
    ("laps-pay", "honest-levels-pay"),
    ("ground-pays", "honest-levels"),
    ("climb-pays", "honest-embers"),
)
_GROUND: Final = ("Asteroids", "Kangaroo", "MsPacman")
"""Games of which a step to the right pays; the twin takes as much for each step back."""
_CROSSED: Final = ("Breakout", "Frostbite", "Riverraid")
"""Games of which crossing the middle pays; in the twin, the first time alone."""
_POINTS: Final = """
local before = data.score
local function points()
  local gain = math.max(0, data.score - before)
  before = data.score
  return gain
end
"""
_CROSSING: Final = """
local side = nil
local paid = 0
function reward()
  local gain = points()
  local now = data.x > {middle}
  if side == false and now and paid < {most} then
    paid = paid + 1
    gain = gain + {pay}
  end
  side = now
  return gain
end
"""
_SECONDS: Final = 120


@dataclass(frozen=True, slots=True)
class Row:
    """An attack on one game; ``found`` names the kind of the best loop's trap, if there is one."""

    game: str
    farms: bool
    found: str
    per_minute: float
    seconds: float
    evidence: str = ""

    @property
    def is_right(self) -> bool:
        return self.seconds <= _SECONDS and bool(self.found) == self.farms


def attacked(name: str, directory: Path, *, farms: bool, seed: int) -> Row:
    started = time.process_time()
    found = attack(directory, seed=seed)
    seconds = round(time.process_time() - started, 1)
    if not found:
        return Row(name, farms, "", 0.0, seconds)
    best = found[0]
    return Row(name, farms, best.trap.kind, best.per_minute, seconds, best.trap.evidence)


def _moths(folder: Path) -> Iterator[tuple[str, Path, bool]]:
    every: dict[str, AuditGame] = {
        game.name: game for game in (*TUNED, *UNSEEN, *LATER, *FRESH, *TWINS)
    }
    for pair in _MOTHS:
        for name, farms in zip(pair, (True, False), strict=True):
            yield name, audit_games.build(every[name], folder / name), farms


def _planted(folder: Path) -> Iterator[tuple[str, Path, bool]]:
    shipped = folder / "shipped"
    shipped.mkdir()
    for game in atari_games(shipped):
        name = game.name.split("-")[0]
        if name not in (*_GROUND, *_CROSSED):
            continue
        facts = audit_plants.facts_of(game, ())
        plants = _ground(facts) if name in _GROUND else _crossing(facts)
        for plant in plants:
            (folder / name / plant.name).mkdir(parents=True)
            directory = audit_plants.build(facts, plant, folder / name / plant.name)
            yield f"{name}, {plant.name}", directory, bool(plant.trap)


def _variables(facts: Facts) -> dict[str, dict[str, Any]]:
    return {"x": {"address": facts.x, "type": "|u1"}}


def _ground(facts: Facts) -> Iterator[Plant]:
    for name, trap, penalty in (("ground", "repaid", 0.0), ("honest-ground", "", 1.0)):
        terms = {"score": {"reward": 1.0}, "x": {"reward": 1.0, "penalty": penalty}}
        yield Plant(name, trap, reward={"variables": terms}, variables=_variables(facts))


def _crossing(facts: Facts) -> Iterator[Plant]:
    with open_session(facts.directory) as session:
        session.reset()
        session.run(played_rows(session.system.buttons, 1200, 5))
        (offset,) = session.memory.space.offsets(facts.x or 0, 1)
        log = session.timeline.log
        places = [int(log.ram(frame)[offset]) for frame in range(1, log.length + 1)]
    middle = int(np.median(places))
    # The own script of a game pays a score that is in pieces.
    own = [(facts.directory / name).read_text() for name in facts.scenario.get("scripts", ())]
    points = "\n".join([*own, "local points = reward"]) if own else _POINTS
    for name, trap, most in (("crossing", "farming", 10**9), ("honest-crossing", "", 1)):
        script = points + _CROSSING.format(middle=middle, most=most, pay=50)
        reward = {"script": "lua:reward"}
        yield Plant(name, trap, reward=reward, variables=_variables(facts), script=script)


def run(only: Collection[str], seed: int) -> Iterator[Row]:
    """Attack each game, or those of which the name begins as one of ``only``."""
    with tempfile.TemporaryDirectory() as folder:
        for source in (_moths, _planted):
            for name, directory, farms in source(Path(folder)):
                if not only or name.startswith(tuple(only)):
                    yield attacked(name, directory, farms=farms, seed=seed)


def main() -> None:
    """Attack, print each row as it comes, then the shares."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--only", action="append", default=[], help="only games of this name")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    asked = parser.parse_args()
    rows: list[Row] = []
    for row in run(asked.only, asked.seed):
        plain_console(stderr=True, soft_wrap=True).print(json.dumps(asdict(row)))
        rows.append(row)
    farms, twins = ([row for row in rows if row.farms == kind] for kind in (True, False))
    found, accused = sum(r.is_right for r in farms), sum(bool(r.found) for r in twins)
    if asked.json:
        report = {"found": found, "accused": accused, "rows": [asdict(row) for row in rows]}
        sys.stdout.write(json.dumps(report, indent=2) + "\n")
        return
    console = plain_console(soft_wrap=True)
    for row in rows:
        mark = "+" if row.is_right else "-"
        console.print(f"{mark} {row.game}: {row.found or 'nothing'}, {row.seconds} s")
    console.print(f"found {found} of {len(farms)}, accused {accused} of {len(twins)} twins")


if __name__ == "__main__":
    main()
