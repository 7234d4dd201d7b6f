"""Code as users write it, which nothing runs: type checkers find no fault in it."""

import gymnasium
import numpy as np
from numpy.typing import NDArray

import integrator


def pictures(game: str) -> list[NDArray[np.uint8]]:
    found: list[NDArray[np.uint8]] = []
    with integrator.open_session(game) as session:
        result = session.reset()
        search = session.search("score")
        left: int = search.refine("equal", 0)
        while left and not result.outcome.done:
            result = session.advance((0,), frames=15)
            if result.frame is not None:
                found.append(result.frame.rgb())
            left = search.refine("greater-than", 0)
        for each in session.suggest(["score", "player-x"]):
            assert each.kind, (each.address, each.type, each.confidence)
    return found


def train(game: str) -> float:
    env = integrator.make_env(game, actions="discrete", observation="image")
    assert isinstance(env, gymnasium.Env)
    vec = integrator.make_vec(game, 8, frame_skip=4, grayscale=True, resize=(84, 84), stack=4)
    observations, _ = vec.reset(seed=1)
    try:
        _, reward, terminated, truncated, info = env.step(env.action_space.sample())
    except integrator.IntegratorError as error:
        raise SystemExit(str(error)) from error
    return float(reward) + len(observations) + len(info) + terminated + truncated
