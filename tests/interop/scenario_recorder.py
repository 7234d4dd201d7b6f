"""Runs Airstriker in the real stable-retro and records its scores of scenarios.

A program of its own (stable-retro allows one emulator a process): arguments are the working folder,
which holds ``request.json``, and the folder gets ``record.npz`` and ``record.json``."""

from __future__ import annotations

import json
import random
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import stable_retro as retro
from stable_retro.data import GameData, Integrations

GAME = "Airstriker-Genesis-v0"
NAME = "Judge-Genesis"


def make_integration(root: Path, data: dict[str, Any]) -> Path:
    shipped = Path(retro.data.get_romfile_path(GAME)).parent
    folder = root / NAME
    folder.mkdir()
    for name in ("rom.md", "rom.sha", "Level1.state", "metadata.json"):
        shutil.copy(shipped / name, folder / name)
    (folder / "data.json").write_text(json.dumps(data))
    (folder / "scenario.json").write_text("{}")
    Integrations.add_custom_path(str(root))
    return folder


class Recorder:
    """One environment, and any number of scenarios that watch the same emulator."""

    def __init__(self, folder: Path, offsets: list[int], scenario: str | None = None) -> None:
        self.env = retro.RetroEnv(
            NAME, scenario=scenario, inttype=Integrations.ALL, players=2, render_mode="rgb_array"
        )
        self._folder = folder
        self._offsets = np.array(offsets, np.intp)
        self._watching: list[Any] = []
        self.ram: list[Any] = []
        real_update = self.env.data.update_ram

        def update_ram() -> None:
            # Before the scripts of this frame run, after those of the reset.
            self.ram.append(self.env.get_ram()[self._offsets])
            real_update()

        self.env.data.update_ram = update_ram

    def watch(self, scenario: dict[str, Any], number: int) -> None:
        path = self._folder / f"watch{number}.json"
        path.write_text(json.dumps(scenario))
        data = GameData()
        self.env.em.configure_data(data)
        if not data.load(str(self._folder / "data.json"), str(path)):
            raise SystemExit(f"stable-retro refuses scenario {number}")
        self._watching.append(data)

    def run(self, steps: int, seed: int) -> dict[str, Any]:
        env, rng = self.env, random.Random(seed)
        found: dict[str, Any] = {"rewards": [], "totals": [], "done": [], "info": []}
        env.reset()
        for data in self._watching:
            data.reset()
            data.update_ram()
        self._note(found, env.data.lookup_all())
        action = np.zeros(24, np.int8)
        for _ in range(steps):
            if rng.random() < 0.2:
                action = np.zeros(24, np.int8)
                # Fire, and one direction: random handfuls of buttons are filtered to nothing.
                action[[0, rng.choice((4, 5, 6, 7, 8))]] = rng.random() < 0.8, 1
            *_, info = env.step(action)
            for data in self._watching:
                data.update_ram()
            self._note(found, info)
        return found

    def _note(self, found: dict[str, Any], info: dict[str, Any]) -> None:
        data = self._watching or [self.env.data]
        found["rewards"].append([[d.current_reward(p) for p in (0, 1)] for d in data])
        found["totals"].append([[d.total_reward(p) for p in (0, 1)] for d in data])
        found["done"].append([d.is_done() for d in data])
        found["info"].append(dict(info))


def record_actions(folder: Path, cases: list[Any]) -> list[dict[str, Any]]:
    rng = random.Random(3)
    masks = [rng.randrange(1 << 12) for _ in range(600)]
    found = []
    for number, actions in enumerate(cases):
        path = folder / f"actions{number}.json"
        path.write_text(json.dumps({"actions": actions}))
        env = retro.RetroEnv(
            NAME, scenario=str(path), inttype=Integrations.ALL, players=2,
            use_restricted_actions=retro.Actions.DISCRETE, render_mode="rgb_array",
        )  # fmt: skip
        size = int(env.action_space.n)
        indices = sorted({rng.randrange(size) for _ in range(300)} | {0, size - 1}) if size else []
        found.append(
            {
                "masks": masks,
                "filtered": [env.data.filter_action(mask) for mask in masks],
                "valid": env.data.valid_actions(),
                "size": size,
                "indices": indices,
                "discrete": [[a.tolist() for a in env.action_to_array(i)] for i in indices],
                "buttons": env.buttons,
            }
        )
        env.close()
    return found


def main(work: Path) -> None:
    request = json.loads((work / "request.json").read_text())
    folder = make_integration(work, request["data"])
    arrays: dict[str, Any] = {}
    records: dict[str, Any] = {"actions": record_actions(folder, request["actions"])}

    def keep(name: str, recorder: Recorder, found: dict[str, Any]) -> None:
        arrays[f"{name}/ram"] = np.array(recorder.ram)
        arrays[f"{name}/rewards"] = np.array(found["rewards"])
        arrays[f"{name}/totals"] = np.array(found["totals"])
        arrays[f"{name}/done"] = np.array(found["done"])
        records[name] = found["info"]
        recorder.ram = []

    recorder = Recorder(folder, request["offsets"])
    for number, scenario in enumerate(request["scenarios"]):
        recorder.watch(scenario, number)
    keep("first", recorder, recorder.run(request["steps"], 1))
    keep("second", recorder, recorder.run(request["steps"] // 4, 2))
    recorder.env.close()
    for name, (scenario, script) in request["scripts"].items():
        (folder / "script.lua").write_text(script)
        path = folder / f"{name}.json"
        path.write_text(json.dumps(scenario))
        recorder = Recorder(folder, request["offsets"], str(path))
        keep(name, recorder, recorder.run(request["script_steps"], 7))
        recorder.env.close()
    np.savez(work / "record.npz", **arrays)
    (work / "record.json").write_text(json.dumps(records))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
