"""Games for environments, and environments that are closed after the test."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from multiprocessing import resource_tracker
from typing import Any

import pytest
from gymnasium.utils import seeding

import integrator
from integrator.env.game_env import GameEnv

MakeEnv = Callable[..., GameEnv]


@pytest.fixture(autouse=True)
def in_own_home(own_home: object) -> None:
    """Settings of whoever runs the tests have no effect."""


@pytest.fixture(autouse=True)
def same_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Samples of spaces without a seed are the same in each run, so that a failure comes again."""
    np_random = seeding.np_random
    monkeypatch.setattr(
        seeding, "np_random", lambda seed=None: np_random(1 if seed is None else seed)
    )


@pytest.fixture
def make_env() -> Iterator[MakeEnv]:
    """``integrator.make_env``, whose environments are closed afterwards."""
    opened: list[GameEnv] = []

    def make(*arguments: Any, **options: Any) -> GameEnv:
        opened.append(integrator.make_env(*arguments, **options))
        return opened[-1]

    yield make
    for env in opened:
        env.close()


@pytest.fixture
def opened() -> Iterator[list[Any]]:
    """Environments that are closed after the test."""
    envs: list[Any] = []
    yield envs
    while envs:
        envs.pop().close()
    # Processes that were spawned leave one behind, which watches over the semaphores they share.
    gc.collect()
    resource_tracker._resource_tracker._stop()  # type: ignore[attr-defined] # no other way
