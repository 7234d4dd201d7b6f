"""Integrations that use every feature of a scenario, for sessions beside stable-retro."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import integrator

Case = dict[str, Any]

PROOF_ROMS = Path(__file__).resolve().parents[2] / "resources" / "proof-roms"
PROOFS: dict[str, Case] = json.loads((PROOF_ROMS / "proof.json").read_text())
SYSTEMS = ("Atari2600", "GameBoy", "Genesis", "Nes", "PCEngine", "Sms", "Snes")
OPS = (
    None, "equal", "negative-equal", "not-equal", "less-than", "greater-than", "less-or-equal",
    "greater-or-equal", "nonzero", "zero", "positive", "negative", "sign", "no-such-op",
)  # fmt: skip
BASES = ("score", "lives")
FACTORS = (1, 0.1, -0.7, 3.3333333, 1e-3, 12345.678)
FRAMES_TO_START = 60
RARELY = {"nodes": {"ticks": {"variables": {"masked_low": {"op": "equal", "reference": 7}}}}}


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


def data_json(proof: Case) -> Case:
    """Return the ROM's variables, an alias for each term, and masked, signed and BCD readings."""
    info: dict[str, Case] = dict(proof["variables"])
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


def scenarios(proof: Case) -> dict[str, Case]:
    """Return every scenario file of a proof ROM's integration."""
    bits = list(proof["input_bits"])
    two, start = bits[:2], proof["reset_button"]
    over = {"game_over": {"op": "nonzero"}}
    deep = {
        "variables": over,
        "nodes": {
            "all": {"condition": "all", "variables": tests_of("lives"), "nodes": {}},
            "both": {"condition": "all",
                     "variables": {"masked_low": {"op": "equal", "reference": 99}},
                     "nodes": {"any": {"variables": tests_of("score")}}},
        },
    }  # fmt: skip
    groups = [[[], [two[0]], two], [[], *([start],) * bool(start)]]
    mixed = {
        "masked_negative": {"measurement": "absolute", "reward": 0.3, "penalty": 0.9},
        "masked_top": {"reward": 0.1, "penalty": 0.2},
        "signed": {"op": "sign", "reward": 5, "penalty": 0.25},
        "digits": {"reward": 0.01, "penalty": 0.01},
        "low_digits": {"measurement": "absolute", "reward": 1e-3},
    }
    return {
        "scenario": {
            "rewards": [
                {"variables": aliases("score"), "time": {"reward": 0.1, "penalty": 4}},
                {"variables": aliases("lives")},
            ],
            "done": deep,
            "crop": [8, 0, 0, 16],
        },
        "actions": {
            "reward": {"variables": mixed, "time": {"reward": -0.01}},
            "done": {"condition": "all", **RARELY},
            "actions": groups,
        },
        "scripted": {
            "scripts": ["script.lua"],
            "rewards": [{"script": "lua:first"},
                        {"variables": {**mixed, "lives": {"reward": 0.1}}}],
            "done": {"script": "finished"},
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
function finished() return calls >= 190 or data.game_over == 9 end
"""


def build_proof(root: Path, system: str) -> Path:
    """Make the integration of a proof ROM, with a start state that our session saves."""
    proof = PROOFS[system]
    rom = PROOF_ROMS / proof["rom"]
    directory = root / f"Proof-{system}-v0"
    directory.mkdir()
    shutil.copy(rom, directory / f"rom{rom.suffix}")
    (directory / "rom.sha").write_text("0\n")
    (directory / "data.json").write_text(json.dumps(data_json(proof)))
    (directory / "metadata.json").write_text(json.dumps({"default_state": "Start"}))
    for name, value in scenarios(proof).items():
        (directory / f"{name}.json").write_text(json.dumps(value))
    (directory / "script.lua").write_text(SCRIPT)
    with integrator.open_session(rom) as session:
        session.advance(frames=FRAMES_TO_START)
        state = session.save_state()
    integrator.load_integration(directory).write_state("Start", state)
    return directory
