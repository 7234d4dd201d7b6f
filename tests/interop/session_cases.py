"""Integrations that use every feature of a scenario, for sessions compared with stable-retro.

The games are Airstriker, Ember Moth and every proof ROM. Each gets the same scenario files, made
for its variables: ``scenario`` (every op with every measurement, in the rewards of two players and
in nested done nodes), ``actions`` (masks, BCD and signed numbers; action groups), ``scripted``
(custom variables and RAM writes in Lua) and ``hooks`` (several scripts, bytes of memory, custom
variables that rewards and done measure)."""

from __future__ import annotations

import json
import random
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import integrator
from integrator.commands.shared.options import airstriker, demo_game
from integrator.session.setup.roots import systems
from libretro_host.systems.discovery import training_core

Case = dict[str, Any]

PROOF_ROMS = Path(__file__).resolve().parents[2] / "resources" / "proof-roms"
PROOFS: dict[str, Case] = json.loads((PROOF_ROMS / "proof.json").read_text())
# stable-retro's cores look for system files in its own folder, where ours cannot be; and its
# package has no core for the Dreamcast.
SYSTEMS = tuple(
    name
    for name, proof in PROOFS.items()
    if "system_dir" not in proof and training_core(systems()[name])
)
OPS = (
    None, "equal", "negative-equal", "not-equal", "less-than", "greater-than", "less-or-equal",
    "greater-or-equal", "nonzero", "zero", "positive", "negative", "sign", "no-such-op",
)  # fmt: skip
BASES = ("score", "lives", "frame_counter")
FACTORS = (1, 0.1, -0.7, 3.3333333, 1e-3, 12345.678)
FRAMES_TO_START = 60
RARELY = {"nodes": {"ticks": {"variables": {"masked_low": {"op": "equal", "reference": 7}}}}}


@dataclass(frozen=True)
class Game:
    """One game: its ROM and variables, the term that holds when it is over, and some buttons."""

    name: str
    rom: Path
    info: Case
    over: Case
    buttons: tuple[str, str]
    start: str | None
    state: Path | None = None


def games() -> dict[str, Game]:
    """Every game, by the name that cases have."""
    shipped, ours = airstriker(), demo_game()
    found = {
        "Airstriker": Game(
            name="Features-Genesis-v0",
            rom=shipped / "rom.md",
            info={
                **_info(shipped),
                "frame_counter": {"address": 0xFF0294, "type": ">u2"},
            },
            over={"gameover": {"op": "equal", "reference": 1}},
            buttons=("B", "LEFT"),
            start="START",
            state=shipped / "Level1.state",
        ),
        "EmberMoth": Game(
            name="Features-Nes-v0",
            rom=ours / "rom.nes",
            info=_info(ours),
            over={"game_over": {"op": "nonzero"}},
            buttons=("A", "RIGHT"),
            start="START",
            state=ours / "Start.state",
        ),
    }
    return found | {system: _proof(system) for system in SYSTEMS}


def _info(directory: Path) -> Case:
    info: Case = json.loads((directory / "data.json").read_text())["info"]
    return info


def _proof(system: str) -> Game:
    proof = PROOFS[system]
    first, second, *_ = proof["input_bits"]
    return Game(
        name=f"Proof-{system}-v0",
        rom=PROOF_ROMS / proof["rom"],
        info=proof["variables"],
        over={"game_over": {"op": "nonzero"}},
        buttons=(first, second),
        start=proof["reset_button"],
    )


def aliases(base: str) -> dict[str, Case]:
    """Return a term for each op with each measurement, by the name of the alias it measures."""
    rng = random.Random(base)
    found: dict[str, Case] = {}
    for op in OPS:
        for measurement in (None, "absolute", "delta"):
            keys = {"op": op, "measurement": measurement, "reference": rng.choice((0, 1, 2, 3, -1))}
            factors = {"reward": rng.choice(FACTORS), "penalty": rng.choice(FACTORS)}
            name = f"{base}_{op or 'bare'}_{measurement or 'default'}"
            found[name] = {k: v for k, v in keys.items() if v is not None} | factors
    return found


def data_json(game: Game) -> Case:
    """Return the game's variables, an alias for each term, and masked, signed and BCD readings."""
    info: dict[str, Case] = dict(game.info)
    for base in BASES:
        info |= {name: dict(info[base]) for name in aliases(base)}
    counter = {"address": info["frame_counter"]["address"]}
    info["masked_low"] = {**counter, "type": info["frame_counter"]["type"], "mask": 0x7F}
    info["masked_negative"] = {**counter, "type": "|i1", "mask": -113}
    info["masked_top"] = {**counter, "type": "|i1", "mask": (1 << 64) - 16}
    info["signed"] = {**counter, "type": ">i2"}
    info["digits"] = {**counter, "type": "|d1"}
    info["low_digits"] = {**counter, "type": "<n2"}
    return {"info": info}


def tests_of(base: str) -> dict[str, Case]:
    """Return the same measurements as done checks."""
    return {
        name: {key: value for key, value in term.items() if key not in ("reward", "penalty")}
        for name, term in aliases(base).items()
    }


MIXED = {
    "masked_negative": {"measurement": "absolute", "reward": 0.3, "penalty": 0.9},
    "masked_top": {"reward": 0.1, "penalty": 0.2},
    "signed": {"op": "sign", "reward": 5, "penalty": 0.25},
    "digits": {"reward": 0.01, "penalty": 0.01},
    "low_digits": {"measurement": "absolute", "reward": 1e-3},
}
CUSTOM = {
    "mine": {"measurement": "absolute", "reward": 0.1, "penalty": 0.9},
    "yours": {"reward": 5, "penalty": 5},
    "lives": {"reward": 0.1, "penalty": 0.3},
}


def scenarios(game: Game) -> dict[str, Case]:
    """Return every scenario file of a game's integration."""
    first, start = game.buttons[0], game.start
    deep = {
        "variables": game.over,
        "nodes": {
            "all": {"condition": "all", "variables": tests_of("lives"), "nodes": {}},
            "both": {"condition": "all",
                     "variables": {"masked_low": {"op": "equal", "reference": 99}},
                     "nodes": {"any": {"variables": {**tests_of("score"),
                                               **tests_of("frame_counter")}}}},
        },
    }  # fmt: skip
    groups = [[[], [first], list(game.buttons)], [[], *([start],) * bool(start)]]
    return {
        "scenario": {
            "rewards": [
                {"variables": aliases("score"), "time": {"reward": 0.1, "penalty": 4}},
                {"variables": {**aliases("lives"), **aliases("frame_counter")}},
            ],
            "done": deep,
            "crop": [8, 4, 0, 100],
        },
        "actions": {
            "reward": {"variables": MIXED, "time": {"reward": -0.01}},
            "done": {"condition": "all", **RARELY},
            "actions": groups,
            "crop": [0, 5, 50, 900],
        },
        "scripted": {
            "scripts": ["script.lua"],
            "rewards": [{"script": "lua:first"},
                        {"variables": {**MIXED, "lives": {"reward": 0.1}}}],
            "done": {"script": "finished"},
        },
        "hooks": {
            "scripts": ["script.lua", "hooks.lua"],
            "rewards": [{"variables": CUSTOM}, {"script": "lua:second"}],
            "done": {"variables": {"mine": {"op": "greater-than", "reference": 150}},
                     "nodes": {"deep": {"condition": "all",
                                        "variables": {"yours": {"op": "less-than",
                                                                "reference": -90}}}}},
        },
    }  # fmt: skip


SCRIPT = """
data.best, data.ratio = 0, 0.25
local calls = 0
function first()
  calls = calls + 1
  if data.score > data.best then data.best = data.score end
  data.ratio = data.ratio * -1.5
  if math.abs(data.ratio) > 1000 then data.ratio = 0.1 end
  if calls % 11 == 0 then data.lives = 3 + calls % 5 end
  if calls % 17 == 0 then data.score = calls end
  local masked = data.masked_top / 16 + data.masked_negative
  return data.best / 3 + data.ratio + scenario.frame / 7 + scenario.timestep + masked
end
function finished() return calls >= 190 or data.OVER == 77 end
"""
HOOKS = """
data.mine, data.yours, data.flag = -3.7, 0, false
function second()
  data.mine = data.mine + 1.9
  data.yours = -data.yours - 1
  if scenario.frame % 90 == 89 then data.yours = -95 end
  data.flag = not data.flag
  data.lives = 2 + scenario.frame % 4
  local sum = 0
  for address = ADDRESS, ADDRESS + 3 do sum = sum + data[address] end
  local n = scenario.frame % 5
  if n == 0 then return true elseif n == 1 then return data.flag elseif n == 2 then return -sum
  elseif n == 3 then return string.format("%d", sum) else return sum / 7 end
end
"""


def build(root: Path, game: Game) -> Path:
    """Make the integration of a game, with a start state that our session saves if it has none."""
    directory = root / game.name
    directory.mkdir()
    shutil.copy(game.rom, directory / f"rom{game.rom.suffix}")
    (directory / "rom.sha").write_text("0\n")
    (directory / "data.json").write_text(json.dumps(data_json(game)))
    (directory / "metadata.json").write_text(json.dumps({"default_state": "Start"}))
    for name, value in scenarios(game).items():
        (directory / f"{name}.json").write_text(json.dumps(value))
    over = next(iter(game.over))
    (directory / "script.lua").write_text(SCRIPT.replace("OVER", over))
    address = game.info["score"]["address"]
    (directory / "hooks.lua").write_text(HOOKS.replace("ADDRESS", str(address)))
    if game.state is not None:
        shutil.copy(game.state, directory / "Start.state")
        return directory
    with integrator.open_session(game.rom) as session:
        session.advance(frames=FRAMES_TO_START)
        state = session.save_state()
    integration = integrator.load_integration(directory)
    integration.write_state("Start", state)
    integration.save()
    return directory
