"""stable-retro's side: steps environments with given actions and reports each observation.

Argument: a folder with ``request.json``, a list, which gets ``0.json`` and so on. A process of its
own, and a forked one for each request, since that library allows one emulator at a time."""

from __future__ import annotations

import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import stable_retro
from judging import answer_requests
from session_actions import random_actions

Integrations = stable_retro.data.Integrations
MODES = {
    "filtered": stable_retro.Actions.FILTERED,
    "all": stable_retro.Actions.ALL,
    "discrete": stable_retro.Actions.DISCRETE,
    "multi-discrete": stable_retro.Actions.MULTI_DISCRETE,
}
KINDS = {"image": stable_retro.Observations.IMAGE, "ram": stable_retro.Observations.RAM}


def run(request: dict[str, Any]) -> dict[str, Any]:
    directory = Path(request["directory"])
    Integrations.add_custom_path(str(directory.parent))
    env = stable_retro.make(
        directory.name,
        scenario=request["scenario"],
        players=request["players"],
        inttype=Integrations.CUSTOM_ONLY,
        use_restricted_actions=MODES[request["mode"]],
        obs_type=KINDS[request["observation"]],
        render_mode="rgb_array",
    )
    first, info = env.reset()
    rows = [[zlib.crc32(first[: request["rows"]].tobytes()), 0.0, False, info]]
    for action in random_actions(env.action_space, request["steps"], request["seed"]):
        observation, reward, done, _, info = env.step(action)
        numbers = {key: v if isinstance(v, float) else int(v) for key, v in info.items()}
        seen = zlib.crc32(np.ascontiguousarray(observation[: request["rows"]]).tobytes())
        rows.append([seen, float(reward), bool(done), numbers])
        if done:
            observation, _ = env.reset()
            rows.append([zlib.crc32(observation[: request["rows"]].tobytes()), 0.0, False, {}])
    action_space = repr(env.action_space)
    shape = list(env.observation_space.shape)
    blocks = {address: len(block) for address, block in env.data.memory.blocks.items()}
    names = [name for name in dir(env.unwrapped) if not name.startswith("_")]
    env.close()
    return {
        "action_space": action_space,
        "shape": shape,
        "rows": rows,
        "blocks": blocks,
        "names": names,
    }


if __name__ == "__main__":
    answer_requests(Path(sys.argv[1]), run)
