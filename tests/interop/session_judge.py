"""stable-retro's side: steps integrations with given actions and tells what came of each step.

Argument: a folder with ``request.json``, which gets ``0.json`` and so on, one for each request as
soon as it is done. A process of its own, since that library allows one emulator at a time.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import stable_retro
from session_actions import random_masks

Integrations = stable_retro.data.Integrations


def run(request: dict[str, Any]) -> dict[str, Any]:
    directory, players = Path(request["directory"]), int(request["players"])
    Integrations.add_custom_path(str(directory.parent))
    env = stable_retro.make(
        directory.name,
        scenario=request["scenario"],
        players=players,
        inttype=Integrations.CUSTOM_ONLY,
        render_mode="rgb_array",
    )
    masks = random_masks(request["steps"], players, env.num_buttons, request["seed"])
    bits = (masks[:, :, np.newaxis] >> np.arange(env.num_buttons) & 1).astype(np.int8)
    env.reset()
    rewards, dones, infos = [], [], []
    for action in bits:
        _, reward, done, _, info = env.step(action.reshape(-1))
        # step() itself hands back one player's reward only.
        rewards.append([float(env.data.current_reward(player)) for player in range(players)])
        if float(reward) != rewards[-1][0]:
            raise SystemExit(f"step returns {reward}, current_reward {rewards[-1]}")
        dones.append(bool(done))
        infos.append([int(value) for value in info.values()])
        names = list(info)
        if done:
            env.reset()
    env.close()
    return {
        "buttons": env.num_buttons,
        "names": names,
        "rewards": rewards,
        "dones": dones,
        "infos": infos,
    }


def main(work: Path) -> None:
    for number, request in enumerate(json.loads((work / "request.json").read_text())):
        part = work / f"{number}.part"
        part.write_text(json.dumps(run(request)))
        part.rename(work / f"{number}.json")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
