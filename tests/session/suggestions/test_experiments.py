"""Experiments in states of the demo game's recorded play, on its real core."""

from __future__ import annotations

import numpy as np
import pytest
from session_fixtures import SharedPlay

from integrator.domain.suggest.play import Play, Poke, are_shown, placed, trust, walks
from integrator.domain.suggest.suggestion import Guess
from integrator.domain.values.memory import DataType
from integrator.session.session import Session
from integrator.session.suggestions.recorded_play import MOST_STATES, Cancelled
from integrator.session.suggestions.suggesting import Experiments, play_of

pytestmark = pytest.mark.usefixtures("own_home")


@pytest.fixture(scope="module")
def states(demo_play: SharedPlay) -> list[bytes]:
    """States on the way of the recorded play."""
    found: list[bytes] = []
    with demo_play.lent() as played:
        list(played.recorded_play().pictures(played.host, 60, lambda: False, found))
    return found


def of(
    played: Session, states: list[bytes], cancelled: Cancelled = lambda: False
) -> tuple[Experiments, Play]:
    recorded = played.recorded_play()
    columns = recorded.inputs.shape[1]
    found = Experiments(played.host, recorded.space, states, columns, cancelled)
    return found, play_of(recorded)


def test_states_lie_over_all_of_the_play(states: list[bytes]) -> None:
    assert MOST_STATES / 2 < len(states) <= MOST_STATES
    assert len(set(states)) == len(states)


def masks(session: Session) -> list[int]:
    return [session.recorded_play().mask(name) for name in ("LEFT", "RIGHT", "UP", "DOWN")]


def test_directions_move_the_player_apart(played: Session, states: list[bytes]) -> None:
    experiments, play = of(played, states)
    apart = experiments.apart(play.places, masks(played))
    across, down = walks(apart.across), walks(apart.down)
    variables = played.integration.variables
    x, y = (int(np.searchsorted(play.places, variables[name].address)) for name in "xy")
    assert across[x] > 0.5 > 0.1 > abs(across[y])
    assert down[y] > 0.5 > 0.1 > abs(down[x])
    pictures = apart.pictures
    assert pictures is not None
    assert placed(pictures.columns, pictures.one, pictures.other)[x] > 0.5
    assert placed(pictures.rows, pictures.one, pictures.other)[y] > 0.5


def test_buttons_that_a_console_lacks_are_not_tried(
    played: Session, states: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    experiments, play = of(played, states)
    monkeypatch.setattr(experiments, "_host", None)
    apart = experiments.apart(play.places, [0, 0, 0, 0])
    assert not apart.across.any()
    assert apart.pictures is None


def test_pokes_tell_what_is_drawn(played: Session, states: list[bytes]) -> None:
    experiments, play = of(played, states)
    variables = played.integration.variables

    def poked(address: int, spec: str) -> list[Poke]:
        return experiments.poke(play, Guess("score", address, DataType.parse(spec), 1.0, ""))

    # Digits of the score are drawn again; "input" is written on each frame.
    digits = poked(variables["score_digits"].address + 1, ">n4")
    assert trust(digits) > 0.9
    assert are_shown(digits)
    assert trust(poked(variables["input"].address, "|u1")) < 0.5
    # The player is drawn elsewhere.
    assert not are_shown(poked(variables["x"].address, "|u1"))


def test_a_cancelled_experiment_runs_nothing(played: Session, states: list[bytes]) -> None:
    experiments, play = of(played, states, lambda: True)
    assert not experiments.apart(play.places, masks(played)).across.any()
    byte = DataType.parse("|u1")
    assert experiments.poke(play, Guess("score", int(play.places[0]), byte, 1.0, "")) == []
