"""stable-retro's side: steps integrations with given actions and reports each step.

Argument: a folder with ``request.json``, which gets ``0.json`` and so on, one for each request as
soon as it is done. A process of its own, since that library allows one emulator at a time; and a
forked one for each request, since some cores keep parts of the last game that states do not hold.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import stable_retro
from judging import answer_requests
from session_actions import random_indices, random_masks

Integrations = stable_retro.data.Integrations
MODES = {
    "filtered": stable_retro.Actions.FILTERED,
    "all": stable_retro.Actions.ALL,
    "discrete": stable_retro.Actions.DISCRETE,
    "multi_discrete": stable_retro.Actions.MULTI_DISCRETE,
}


def actions(env: Any, request: dict[str, Any]) -> Iterator[Any]:
    steps, seed, players = request["steps"], request["seed"], env.players
    if request["mode"] == "discrete":
        yield from random_indices(steps, [int(env.action_space.n)], seed)[:, 0].tolist()
    elif request["mode"] == "multi_discrete":
        yield from random_indices(steps, env.action_space.nvec.tolist(), seed)
    else:
        masks = random_masks(steps, players, env.num_buttons, seed)
        bits = (masks[:, :, np.newaxis] >> np.arange(env.num_buttons) & 1).astype(np.int8)
        yield from bits.reshape(steps, -1)


def run(request: dict[str, Any]) -> dict[str, Any]:
    directory, players = Path(request["directory"]), int(request["players"])
    Integrations.add_custom_path(str(directory.parent))
    env = stable_retro.make(
        directory.name,
        scenario=request["scenario"],
        players=players,
        inttype=Integrations.CUSTOM_ONLY,
        use_restricted_actions=MODES[request["mode"]],
        render_mode="rgb_array",
    )
    env.reset()
    rewards, dones, infos, pictures = [], [], [], []
    for action in actions(env, request):
        picture, reward, done, _, info = env.step(action)
        picture = picture[: request["rows"]]
        # step() itself hands back one player's reward only.
        rewards.append([float(env.data.current_reward(player)) for player in range(players)])
        if float(reward) != rewards[-1][0]:
            raise SystemExit(f"step returns {reward}, current_reward {rewards[-1]}")
        dones.append(bool(done))
        infos.append([value if isinstance(value, float) else int(value) for value in info.values()])
        pictures.append(zlib.crc32(picture.tobytes()))
        names = list(info)
        if done:
            env.reset()
    sizes = [int(env.action_space.n)] if request["mode"] == "discrete" else []
    if request["mode"] == "multi_discrete":
        sizes = env.action_space.nvec.tolist()
    env.close()
    return {
        "buttons": env.num_buttons,
        "sizes": sizes,
        "names": names,
        "rewards": rewards,
        "dones": dones,
        "infos": infos,
        "pictures": pictures,
    }


if __name__ == "__main__":
    answer_requests(Path(sys.argv[1]), run)
