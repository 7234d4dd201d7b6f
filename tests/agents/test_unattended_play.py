"""The player of `integrator auto`, on a made-up game."""

import itertools
import json
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any, ClassVar
from unittest.mock import Mock

import numpy as np
import pytest
from numpy.typing import NDArray

from integrator.session.frame.inputs import Inputs
from integrator.unattended import play
from integrator.unattended.play import Episode
from integrator.unattended.reaching import Explorer, Reached
from libretro_host.host import Frame


class MadeUpGame:
    """A console and its session: a game whose lives, in byte 0, each last 600 frames.

    After the last life, and with ``waits`` after each, nobody has control until a press. Byte 1 is
    the age of the present life in units of 100 frames, and the game keeps going in byte 2. States
    are exact without ``slip``; with it, play from a state skips that many frames.
    """

    fires: ClassVar[list[int]] = [1]

    def __init__(self, *, waits: bool, slip: int = 0) -> None:
        self.timeline, self.host, self.waits, self.slip = self, self, waits, slip
        self.length, self.played = 0, np.zeros((0, 1), np.uint16)
        self.lives, self.age, self.frames = 3, 0, 0

    def rows(self, *holds: tuple[int, int]) -> Inputs:
        return np.zeros((sum(frames for _, frames in holds), 1), np.uint16)

    def lent(self) -> AbstractContextManager[None]:
        return nullcontext()

    def load_state(self, state: bytes, _: str) -> None:
        self.lives, self.age, self.frames = json.loads(state)
        self.length += 1

    def run(self, rows: Inputs, _: object) -> None:
        self.played = np.concatenate([self.played, rows])
        self.length += len(rows)
        self.advance(rows)

    def serialize(self) -> bytes:
        return json.dumps([self.lives, self.age, self.frames]).encode()

    @property
    def stands(self) -> bool:
        return self.age >= 600 and (self.waits or self.lives == 0)

    def go(self, state: bytes, rows: Inputs) -> tuple[bytes, None]:
        self.lives, self.age, self.frames = json.loads(state)
        self.age += self.slip
        self.advance(rows)
        return self.serialize(), None

    def advance(self, rows: Inputs) -> None:
        for pressed in rows[:, 0].tolist():
            self.frames += 1
            self.age += 1
            if self.age >= 700 and (not self.stands or pressed):
                self.lives, self.age = (self.lives - 1) % 4, 0

    def read_ram(self) -> NDArray[np.uint8]:
        return np.array([self.lives, min(self.age, 600) // 100, self.frames % 256], np.uint8)

    def reacts(self, state: bytes) -> bool:
        _, age, _ = json.loads(state)
        return bool(age < 600)


@pytest.mark.parametrize("waits", [False, True])
def test_hands_are_off_the_buttons_after_the_end_so_that_no_press_begins_another_game(
    *, waits: bool
) -> None:
    game: Any = MadeUpGame(waits=waits)
    pressed = itertools.repeat(np.ones((100, 1), np.uint16))
    start = Reached(game.serialize(), game.rows(), 8)
    episode = play.play_episode(game, game, start, pressed, 20_000)
    assert episode.end is not None
    # The press that goes on with the next life is tried at each loss of control.
    waited = 60 * (play.PATIENCE - 1) if waits else 100
    assert -60 < episode.end - episode.first - 4 * 600 - 3 * waited < 240
    assert episode.last - episode.end >= 60 * (play.PATIENCE - 1)
    assert not game.played[episode.end - episode.first + 60 :].any()
    assert len(game.played) == len(episode.inputs) == episode.last - episode.first + 1


def test_play_that_resumes_before_an_end_looks_for_no_next_life() -> None:
    game: Any = MadeUpGame(waits=True)
    pressed = itertools.repeat(np.ones((100, 1), np.uint16))
    start = Reached(game.serialize(), game.rows(), 8)
    episode = play.play_episode(game, game, start, pressed, 20_000, resumed=True)
    assert episode.end is not None
    assert episode.resumed
    assert len(episode.inputs) < 2 * 600 + 60 * play.PATIENCE


def test_a_new_game_that_was_taken_for_a_next_life_is_an_end() -> None:
    rows = np.zeros((1200, 1), np.uint16)
    taken = Episode(101, 1300, rows, steered=1300, controlled=(160, 400, 1060), revived=(1000,))
    over = Episode(2001, 3200, rows, 2700, steered=2640, controlled=(2060, 2640))
    cut, *others = play.without_chance_lives([taken, over, over])
    assert others == [over, over]
    assert (cut.end, cut.steered, cut.last, len(cut.inputs)) == (460, 400, 1000, 900)
    # Where each life begins by a press, nearly all losses of control are followed by one.
    waiting = replace(over, revived=(2200, 2400))
    assert play.without_chance_lives([waiting, over]) == [waiting, over]


def test_play_is_not_cut_while_control_is_lost() -> None:
    game: Any = MadeUpGame(waits=False)
    pressed = itertools.repeat(np.ones((100, 1), np.uint16))
    start = Reached(game.serialize(), game.rows(), 8)
    episode = play.play_episode(game, game, start, pressed, 2760)
    assert episode.end is not None


def test_control_is_that_of_the_recorded_play_where_states_are_not_exact() -> None:
    game: Any = MadeUpGame(waits=False, slip=2)
    pressed = itertools.repeat(np.ones((100, 1), np.uint16))
    start = Reached(game.serialize(), game.rows(), 8)
    episode = play.play_episode(game, game, start, pressed, 4000)
    game.load_state(start.state, "")
    controlled = []
    for at in range(0, len(episode.inputs), play.SAMPLE_FRAMES):
        game.advance(episode.inputs[at : at + play.SAMPLE_FRAMES])
        if game.reacts(game.serialize()):
            controlled.append(episode.first - 1 + at + play.SAMPLE_FRAMES)
    assert episode.controlled == tuple(controlled)


def test_a_press_that_begins_a_game_is_no_control() -> None:
    console: Any = Explorer(Mock(system=Mock(buttons=("A", "LEFT", "RIGHT", "UP", "DOWN"))))

    def held(_: bytes, mask: int, pressed: int = 0) -> list[Frame]:
        steps = mask * np.eye(8, dtype=np.uint32)[:, None] if pressed else np.zeros((8, 1, 8))
        return [Mock(words=each, pixels=each, width=8) for each in steps]

    console._held = held
    assert not console.reacts(b"")
    console.fires_count = True
    assert console.reacts(b"")
