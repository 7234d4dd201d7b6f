"""Runs the demo game in stable-retro for test_demo_game.py: one emulator a process, JSON on stdout.

Usage: python demo_game_judge.py replay | episode STATE"""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import stable_retro

ROOT = Path(__file__).resolve().parents[2]
GAME = ROOT / "data" / "EmberMoth-Nes-v0"
SCRIPT = ROOT / "resources" / "demo-game" / "input-script.json"
BUTTONS = ("B", None, "SELECT", "START", "UP", "DOWN", "LEFT", "RIGHT", "A")


def values(data: Any) -> dict[str, int]:
    return {name: int(value) for name, value in data.lookup_all().items()}


def replay() -> list[dict[str, Any]]:
    """Run the input script from power-on; return values and HUD rows of the observed frames."""
    script = json.loads(SCRIPT.read_text())
    wanted = {entry["frame"] for entry in script["observations"]}
    emulator = stable_retro.RetroEmulator(str(GAME / "rom.nes"))
    data = stable_retro.data.GameData()
    data.load(str(GAME / "data.json"), str(GAME / "scenario.json"))
    emulator.configure_data(data)
    frame, seen = 0, []
    for entry in script["inputs"]:
        mask = np.zeros(16, np.uint8)
        mask[[BUTTONS.index(name) for name in entry["buttons"]]] = 1
        emulator.set_button_mask(mask, 0)
        for _ in range(entry["frames"]):
            emulator.step()
            frame += 1
            if frame in wanted:
                data.update_ram()
                # The digits of the HUD are tile row 3; the core hides the first 8 lines.
                digits = emulator.get_screen()[16:24].astype(int).sum(axis=2) > 600
                seen.append(
                    {"frame": frame, "values": values(data), "hud": digits.astype(int).tolist()}
                )
    return seen


def episode(state: str) -> dict[str, Any]:
    """Play 3,000 random steps from a state; returns the environment's reports."""
    stable_retro.data.Integrations.add_custom_path(str(GAME.parent))
    env = stable_retro.make(
        GAME.name,
        state=state,
        inttype=stable_retro.data.Integrations.CUSTOM_ONLY,
        render_mode="rgb_array",
    )
    env.action_space.seed(7)
    env.reset(seed=7)
    result: dict[str, Any] = {"start": values(env.data), "rewards": [], "lives": [], "dones": 0}
    for step in range(3000):
        # A random choice held for eight frames, as a player would.
        if step % 8 == 0:
            action = env.action_space.sample()
        _, reward, done, _, info = env.step(action)
        result["rewards"].append(float(reward))
        result["lives"].append(int(info["lives"]))
        if done:
            result["dones"] += 1
            env.reset()
    env.close()
    return result


if __name__ == "__main__":
    json.dump(replay() if sys.argv[1] == "replay" else episode(sys.argv[2]), sys.stdout)
