"""Comparisons made while a game runs: around presses of a button, and while none is held."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from integrator.domain.search.search import Search
from integrator.domain.values.memory import AddressSpace, DataType, Region
from integrator.session.searches import SETTLE_FRAMES, FrameRule, When

SCORE, TIMER, IDLE, DOWN = range(4)


class Game:
    """Four bytes: one that a press raises, a timer, one that never changes, one that falls."""

    def __init__(self, when: When, op: str) -> None:
        self.ram: NDArray[np.uint8] = np.array([10, 0, 7, 200], np.uint8)
        space = AddressSpace([Region(0, 4)], None)
        types = [DataType.parse("|u1")]
        self.search = Search(space, types, lambda: self.ram.copy())
        self.search.start_from_now()
        self.rule = FrameRule(op, None, 0, when)

    def run(self, frames: int, *, pressed: bool = False) -> int:
        """The number of refinements of the search."""
        refined = 0
        for _ in range(frames):
            self.ram[TIMER] += 1
            refined += self.rule.follow(self.search, self.ram, pressed=pressed)
        return refined

    def press(self, frames: int = 3) -> int:
        """A button press has its effect on its first frame."""
        self.ram[SCORE] += 5
        self.ram[DOWN] -= 1
        return self.run(frames, pressed=True)

    @property
    def left(self) -> set[int]:
        return {each.address for each in self.search.candidates()}


def test_what_a_press_raised_is_kept() -> None:
    game = Game("press", "increased")
    assert not game.run(5)
    assert not game.press()
    assert game.run(SETTLE_FRAMES) == 1
    assert game.left == {SCORE, TIMER}
    assert not game.run(30)


def test_a_press_soon_after_another_ends_the_first() -> None:
    game = Game("press", "decreased")
    game.run(2)
    game.press()
    game.run(2)
    assert game.press() == 1
    assert game.left == {DOWN}


def test_what_a_press_does_on_its_first_frame_counts_even_without_a_rest() -> None:
    game = Game("press", "increased-by")
    game.rule.value = 5
    game.run(1)
    game.press(1)
    game.run(SETTLE_FRAMES)
    assert game.left == {SCORE}


@pytest.mark.parametrize(("op", "left"), [("unchanged", {SCORE, IDLE, DOWN}), ("changed", {TIMER})])
def test_frames_with_buttons_are_left_out(op: str, left: set[int]) -> None:
    game = Game("idle", op)
    game.run(4)
    game.press()
    game.run(4)
    assert game.left == left
