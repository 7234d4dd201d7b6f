"""Options that training adds: frames a step, sticky buttons, smaller and stacked pictures."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SessionError
from libretro_host.stepper import Reduction

Pixels = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Preprocessing:
    """Options of :func:`integrator.make_vec`; the defaults change nothing.

    A step holds its buttons for ``frame_skip`` frames and ends early when the game is done; rewards
    add up. With probability ``sticky`` the first of these frames still has the buttons of the step
    before, as in the Retro Contest. ``max_steps`` truncates an episode. ``crop`` is (x, y, width,
    height), instead of the scenario's. ``maxpool`` takes the brighter of the last two frames, then
    comes ``grayscale``, then ``resize`` to (height, width) by means of areas. ``stack`` puts that
    many observations behind each other, oldest first, along a new first axis; an episode's first
    one repeats.
    """

    frame_skip: int = 1
    sticky: float = 0.0
    max_steps: int | None = None
    crop: tuple[int, int, int, int] | None = None
    resize: tuple[int, int] | None = None
    grayscale: bool = False
    stack: int = 1
    maxpool: bool = False

    def __post_init__(self) -> None:
        """Raises SessionError for a number out of its range."""
        least = {"frame_skip": self.frame_skip, "stack": self.stack, "max_steps": self.max_steps}
        for name, value in least.items():
            if value is not None and value < 1:
                raise SessionError(f"{name} is {value}; use 1 or more")
        if not 0 <= self.sticky < 1:
            raise SessionError(f"sticky is {self.sticky}; use a probability below 1")
        if self.resize is not None and min(self.resize) < 1:
            raise SessionError(f"resize is {self.resize}; use a height and width of 1 or more")
        if self.crop is not None and min(self.crop) < 0:
            raise SessionError(f"crop is {self.crop}; use x, y, width and height from 0 on")


class Observer:
    """Makes an agent's observations of the pictures of one game.

    ``shape`` is that of an observation. ``picture`` is the shape of the game's pictures, which
    ``is_plain`` observations are. ``kept`` are the newest pictures as the agent sees them, uint8
    (stack, ...), oldest first.
    """

    def __init__(self, options: Preprocessing, picture: tuple[int, ...]) -> None:
        self._depth = options.stack
        self._reduction: Reduction | None = None
        single = picture
        if options.maxpool or options.grayscale or options.resize:
            size = (picture[0], picture[1])
            self._reduction = Reduction(size, options.resize, gray=options.grayscale)
            single = self._reduction.shape
        self.shape = single if options.stack == 1 else (options.stack, *single)
        self.is_plain = self._reduction is None and options.stack == 1
        self._maxpool = options.maxpool
        self.kept: Pixels = np.zeros((options.stack, *single), np.uint8)

    def observe(self, newest: Pixels, older: Pixels | None, out: Pixels, *, first: bool) -> None:
        """Write the observation into ``out``; ``first`` of an episode forgets earlier ones."""
        target = out if self._depth == 1 else self.kept[-1]
        if self._depth > 1:
            self.kept[:-1] = self.kept[1:]
        if self._reduction is None:
            target[...] = newest
        else:
            self._reduction.reduce(newest, older if self._maxpool else None, target)
        if self._depth > 1:
            if first:
                self.kept[:] = target
            out[...] = self.kept


class Stickiness:
    """Lets a step's first frame keep the buttons of the step before, ``held_before``, at random.

    No step comes before an episode's first: there ``held_before`` is None.
    """

    def __init__(self, probability: float) -> None:
        self._probability = probability
        self.random = np.random.default_rng()
        self.held_before: tuple[int, ...] | None = None

    def held(self, masks: tuple[int, ...], frame: int) -> tuple[int, ...]:
        """The buttons in one of the frames of a step."""
        sticks = frame == 0 and self._probability and self.held_before is not None
        if not (sticks and self.random.random() < self._probability):
            self.held_before = masks
        return self.held_before or masks
