"""Runs one proof ROM in stable-retro: one emulator a process, JSON on the last line of stdout.

Usage: python proof_rom_judge.py SYSTEM"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import stable_retro

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "proof-roms"


class Run:
    """One running ROM, with the variables of proof.json."""

    def __init__(self, system: str, proof: dict[str, Any]) -> None:
        self.buttons = stable_retro.get_system_info(system)["buttons"]
        self.emulator = stable_retro.RetroEmulator(str(FOLDER / proof["rom"]))
        self.data = stable_retro.data.GameData()
        with tempfile.TemporaryDirectory() as folder:
            info = Path(folder) / "data.json"
            info.write_text(json.dumps({"info": proof["variables"]}))
            scenario = Path(folder) / "scenario.json"
            scenario.write_text("{}")
            self.data.load(str(info), str(scenario))
        self.emulator.configure_data(self.data)

    def step(self, frames: int, *names: str) -> dict[str, int]:
        return self.hold(frames, *(self.buttons.index(name) for name in names))

    def hold(self, frames: int, *ids: int) -> dict[str, int]:
        mask = np.zeros(16, np.uint8)
        mask[list(ids)] = 1
        self.emulator.set_button_mask(mask, 0)
        for _ in range(frames):
            self.emulator.step()
        self.data.update_ram()
        return {name: int(value) for name, value in self.data.lookup_all().items()}

    def color(self) -> list[int]:
        """Return a pixel of the picture; the ROMs show the lives as a color."""
        pixel: list[int] = self.emulator.get_screen()[60, 60].tolist()
        return pixel


def check(system: str) -> dict[str, Any]:
    proof = json.loads((FOLDER / "proof.json").read_text())[system]
    run = Run(system, proof)
    result: dict[str, Any] = {"start": run.step(60), "later": run.step(100)}
    result["color"] = run.color()
    result["held"], result["released"] = {}, {}
    for name in filter(None, run.buttons):
        result["held"][name] = run.step(4, name)
        result["released"][name] = run.step(4)
    for _ in range(4):
        run.step(2, proof["lives_button"])
        run.step(2)
    result["over"] = run.step(2)
    result["color_over"] = run.color()
    run.step(2, proof["score_button"])
    result["still_over"] = run.step(2)
    if proof["reset_button"]:
        run.step(2, proof["reset_button"])
        result["again"] = run.step(2)
    if "switch_id" in proof:
        run.hold(4, proof["switch_id"])
        run.step(4)
        result["switched"] = {name: run.step(4, name) for name in proof["switched_bits"]}
    return result


if __name__ == "__main__":
    # A file, not stdout: there, cores print too.
    Path(sys.argv[2]).write_text(json.dumps(check(sys.argv[1])))
