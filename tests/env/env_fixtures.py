"""Games for environments, and environments that are closed after the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import integrator
from integrator.env.game_env import GameEnv

MakeEnv = Callable[..., GameEnv]


@pytest.fixture(autouse=True)
def in_own_home(own_home: object) -> None:
    """Settings of whoever runs the tests have no effect."""


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
