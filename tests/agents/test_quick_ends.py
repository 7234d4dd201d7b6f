"""Games of `integrator auto` that are over in their first seconds."""

from types import SimpleNamespace
from typing import Any

import numpy as np
from made_up_play import NoEnds, Recorded
from numpy.typing import NDArray
from test_reaching import PLAYING, TITLE, A, begin, explored, walk

from integrator.domain.suggest.suggestion import Suggestion
from integrator.domain.values.memory import DataType
from integrator.unattended.ends import find_end
from integrator.unattended.finding import Found
from integrator.unattended.play import Episode, paid_play, seen_closely
from integrator.unattended.reaching import Reached


def test_an_end_in_the_first_seconds_is_seen_by_closer_looks() -> None:
    """The player loses control after 160 frames, between the looks at 120 and 240."""

    def go(state: bytes, rows: NDArray[np.uint16]) -> tuple[bytes, None]:
        return state + bytes(len(rows)), None

    console: Any = SimpleNamespace(go=go, reacts=lambda state: len(state) < 160)
    start, rows = Reached(b"", np.zeros((0, 1), np.uint16), 8), np.zeros((1800, 1), np.uint16)
    coarse = Episode(1, 1800, rows, steered=120, controlled=(120,))
    assert coarse.ended_by(960).end is None
    close = seen_closely(console, start, coarse)
    assert close.controlled == (30, 60, 90, 120, 150)
    assert (close.ended_by(960).end, close.ended_by(960).doubtful) == (180, 120)
    later = Episode(1, 1800, rows, steered=600, controlled=(120, 600))
    assert seen_closely(console, start, later) is later


def test_an_end_is_less_sure_after_little_play() -> None:
    def sure(length: int) -> float:
        count = 6
        rams = np.repeat(np.array([3, 2, 1, 0] * count, np.uint8), length // 4)[:, np.newaxis]
        session: Any = Recorded(rams)
        session.ends_run = lambda _: NoEnds({})
        rows = np.zeros((length, 1), np.uint16)
        games = [
            Episode(at, at + length - 1, rows, at + length - 5, controlled=(at + 10,))
            for at in range(0, count * length, length)
        ]
        values = rams[:, 0].astype(np.int64)
        lives = Found(Suggestion("lives", 0, DataType.parse("|u1"), 0.9, ""), values, 1.0, "")
        return find_end(session, games, [lives], [])[0].confidence

    assert sure(1200) > 0.9
    assert sure(300) < 0.3


def test_a_game_that_is_soon_over_is_played_on_from_moments_of_control() -> None:
    def step(memory: dict[str, int], held: int, _: int) -> None:
        walk(memory, held if memory["screen"] == PLAYING else 0)
        if memory["clock"] % 64 == 63 and memory["x"] < 40:  # A wall with a gap at the right.
            memory["screen"] = TITLE
        if memory["clock"] % 64 == 0:
            memory.update(x=20, hidden=memory["hidden"] + 1)

    console, host = explored(step)
    console.left = 0
    begin(host.memory, PLAYING)
    state, random = host.serialize(), np.random.default_rng(0)
    rows = paid_play(console, state, lambda: 0.0, random, 6000, lasted=90)
    console.go(state, rows)
    assert host.memory["screen"] == PLAYING
    assert host.memory["hidden"] >= 5, "walls passed"
    assert console.left > -20_000, "looks for control are counted"


def test_the_play_that_paid_most_pays_the_same_when_it_is_played_again() -> None:
    """The score is gone after 1,280 frames."""

    def step(memory: dict[str, int], _: int, pressed: int) -> None:
        memory["hidden"] += memory["clock"] == 255
        memory["y"] += bool(pressed & A) and memory["clock"] % 8 == 0
        memory["y"] *= memory["hidden"] < 5

    console, host = explored(step)
    state, seen = host.serialize(), list[float]()

    def worth() -> float:
        seen.append(host.memory["y"])
        return seen[-1]

    rows = paid_play(console, state, worth, np.random.default_rng(0), 9000)
    console.go(state, rows)
    assert host.memory["y"] == max(seen) > 0
