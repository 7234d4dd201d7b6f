"""Recordings of made-up games, in which `integrator auto` looks for numbers and ends."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from integrator.domain.ends.marks import EndCondition
from integrator.domain.suggest.suggestion import Suggestion
from integrator.domain.timeline.timeline import Timeline
from integrator.domain.values.memory import AddressSpace, DataType, Region
from integrator.domain.values.variables import VariableSpec
from integrator.unattended.play import Episode


class Recorded:
    """A session with a recording, uint8 (frames, bytes), and likely scores at its first bytes."""

    def __init__(self, rams: NDArray[np.uint8], scores: int = 0) -> None:
        self.timeline = self.memory = self
        self.space = AddressSpace([Region(0, rams.shape[1])])
        self.log = Timeline(rams.shape[1], 1)
        self.log.discontinuity("state", b"", rams[0])
        count = len(rams) - 1
        still = np.zeros((count, 1), np.uint16)
        rewards, done = np.zeros((count, 1), np.float32), np.zeros(count, np.bool_)
        self.log.append(still, rams[1:], rewards=rewards, done=done)
        self.scores = scores

    def suggest(self, _: object) -> list[Suggestion]:
        places = range(self.scores)
        return [Suggestion("score", at, DataType.parse("|u1"), 0.9, "+1") for at in places]


def episodes_of(*ends: int) -> list[Episode]:
    firsts = range(0, 3000 * len(ends), 3000)
    rows = np.zeros((2999, 1), np.uint16)
    pairs = zip(firsts, ends, strict=True)
    return [
        Episode(first, first + 2999, rows, first + end, controlled=seen_from(first, first + end))
        for first, end in pairs
    ]


def restarted(episode: Episode, **changes: Any) -> Episode:
    """An episode whose end was seen by the next game, which is no part of it."""
    changed = replace(episode, restarted=True, **changes)
    return replace(changed, last=changed.stop - 1)


def seen_from(first: int, stop: int) -> tuple[int, ...]:
    """The frames of samples at which the player has control."""
    return tuple(range(first + 120, stop, 120))


def deaths_of(*deaths: tuple[int, ...]) -> NDArray[np.uint8]:
    """Episodes of 3,000 frames: lives in byte 1 and in the high half of 5, with what looks alike.

    Byte 4 is 7 from 100 frames after the last death on."""
    rams = np.zeros((3000 * len(deaths) + 1, 6), np.uint8)
    at = np.arange(3000)
    for number, frames in enumerate(deaths):
        game = rams[3000 * number : 3000 * (number + 1)]
        game[:, 1] = 3 - np.searchsorted(frames, at, side="right")
        game[:, 2] = 200 - at // 500  # a clock
        game[:, 3] = np.searchsorted(frames, at, side="right")  # deaths, which rise
        game[:, 4] = np.where(at < frames[-1] + 100, 0, 7)
        game[:, 5] = game[:, 1] << 4 | at // 7 % 16
    return rams


@dataclass
class NoEnds:
    """A line in which nothing marks an end, except the conditions ``found``."""

    specs: dict[str, VariableSpec]
    found: list[EndCondition] = field(default_factory=list)

    def run(self) -> list[EndCondition]:
        return self.found
