"""Experiments in states of the demo game's recorded play, on its real core."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from integrator.domain.suggest.play import Play, Poke, are_shown, placed, trust, walks
from integrator.domain.suggest.suggestion import Guess
from integrator.domain.values.memory import DataType
from integrator.session.session import Session
from integrator.session.suggestions.recorded_play import MOST_STATES, Cancelled
from integrator.session.suggestions.suggesting import Experiments, play_of
from scripts.bench_search import played_demo_game

pytestmark = pytest.mark.usefixtures("own_home")


@pytest.fixture(scope="module")
def played() -> Iterator[tuple[Session, list[bytes]]]:
    """The demo game after its recorded play, and states on the way."""
    with played_demo_game() as session:
        states: list[bytes] = []
        list(session.recorded_play().pictures(session.host, 60, lambda: False, states))
        yield session, states


def of(
    played: tuple[Session, list[bytes]], cancelled: Cancelled = lambda: False
) -> tuple[Experiments, Play]:
    session, states = played
    recorded = session.recorded_play()
    columns = recorded.inputs.shape[1]
    found = Experiments(session.host, recorded.space, states, columns, cancelled)
    return found, play_of(recorded)


def test_states_lie_over_all_of_the_play(played: tuple[Session, list[bytes]]) -> None:
    _, states = played
    assert MOST_STATES / 2 < len(states) <= MOST_STATES
    assert len(set(states)) == len(states)


def masks(session: Session) -> list[int]:
    return [session.recorded_play().mask(name) for name in ("LEFT", "RIGHT", "UP", "DOWN")]


def test_directions_move_the_player_apart(played: tuple[Session, list[bytes]]) -> None:
    experiments, play = of(played)
    apart = experiments.apart(play.places, masks(played[0]))
    across, down = walks(apart.across), walks(apart.down)
    variables = played[0].integration.variables
    x, y = (int(np.searchsorted(play.places, variables[name].address)) for name in "xy")
    assert across[x] > 0.5 > 0.1 > abs(across[y])
    assert down[y] > 0.5 > 0.1 > abs(down[x])
    pictures = apart.pictures
    assert pictures is not None
    assert placed(pictures.columns, pictures.one, pictures.other)[x] > 0.5
    assert placed(pictures.rows, pictures.one, pictures.other)[y] > 0.5


def test_buttons_that_a_console_lacks_are_not_tried(
    played: tuple[Session, list[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    experiments, play = of(played)
    monkeypatch.setattr(experiments, "_host", None)
    apart = experiments.apart(play.places, [0, 0, 0, 0])
    assert not apart.across.any()
    assert apart.pictures is None


def test_pokes_tell_what_is_drawn(played: tuple[Session, list[bytes]]) -> None:
    experiments, play = of(played)
    variables = played[0].integration.variables

    def poked(address: int, spec: str) -> list[Poke]:
        return experiments.poke(play, Guess("score", address, DataType.parse(spec), 1.0, ""))

    # Digits of the score are drawn again; "input" is written on each frame.
    digits = poked(variables["score_digits"].address + 1, ">n4")
    assert trust(digits) > 0.9
    assert are_shown(digits)
    assert trust(poked(variables["input"].address, "|u1")) < 0.5
    # The player is drawn elsewhere.
    assert not are_shown(poked(variables["x"].address, "|u1"))


def test_a_cancelled_experiment_runs_nothing(played: tuple[Session, list[bytes]]) -> None:
    experiments, play = of(played, lambda: True)
    assert not experiments.apart(play.places, masks(played[0])).across.any()
    byte = DataType.parse("|u1")
    assert experiments.poke(play, Guess("score", int(play.places[0]), byte, 1.0, "")) == []
