"""Finds the variables behind a box on the screen, in a core that runs recorded play again.

run = PointRun(RecordedPlay.take(...), Box(24, 8, 48, 8))     # on the session's thread
matches = run.run(host)                                       # on any one thread
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SearchError
from integrator.domain.query.matches.rank import Match
from integrator.domain.suggest.glyphs import Samples
from integrator.domain.suggest.pointing import Explanation, explain
from integrator.domain.suggest.suggestion import Kind, Suggestion
from integrator.domain.sweep.scale import PLAIN
from integrator.session.suggestions.recorded_play import Cancelled, RecordedPlay
from integrator.session.suggestions.suggesting import play_of, rows_left_out
from libretro_host.frame import Frame
from libretro_host.host import CoreHost

_PICTURE_EVERY: Final = 2
_RESTED: Final = 4
"""Pictures for which a box has to stay as it is, so that memory and screen say the same."""
_MOST_SAMPLES: Final = 800
_LISTED: Final = 50
_LEAST_LOOKS: Final = 2
_ENOUGH_LOOKS: Final = 4
_MOST_LIVES: Final = 9


@dataclass(frozen=True, slots=True)
class Box:
    """A part of the shown picture in pixels: its left edge is ``x``, its top edge ``y``."""

    x: int
    y: int
    width: int
    height: int

    def cut(self, frame: Frame) -> NDArray[np.uint32]:
        """The box's pixels, (height, width); fewer where the box leaves the picture."""
        words = frame.pixels.view(f"u{frame.pixel_format.bytes_per_pixel}")
        shown = np.rot90(words[:, : frame.width], frame.rotation % 4)
        cut = shown[max(self.y, 0) : self.y + self.height, max(self.x, 0) : self.x + self.width]
        return cut.astype(np.uint32)

    def cut_wider(self, frame: Frame) -> NDArray[np.uint32] | None:
        """The box's pixels and a column on either side; None where the box leaves the picture."""
        if self.x < 0 or self.cut(frame).shape != (self.height, self.width):
            return None
        wider = Box(self.x - 1, self.y, self.width + 2, self.height).cut(frame)
        left = self.x == 0
        right = self.width + 2 - left - wider.shape[1]
        return np.pad(wider, ((0, 0), (int(left), right)), mode="edge")


@dataclass(frozen=True, slots=True)
class Pointed:
    """Numbers that explain a box, best first, from so many different ``pictures`` of it."""

    suggestions: tuple[Suggestion, ...]
    pictures: int

    @property
    def enough(self) -> bool:
        """False while play must go on until more digits were seen."""
        return self.pictures >= _ENOUGH_LOOKS


class PointRun:
    """Looks for numbers that explain a box. ``frames`` leaves out all others."""

    def __init__(
        self, recorded: RecordedPlay, box: Box, frames: Collection[int] | None = None
    ) -> None:
        self._recorded = recorded
        self._box = box
        self._frames = None if frames is None else frozenset(frames)

    def run(self, host: CoreHost, cancelled: Cancelled | None = None) -> list[Match]:
        """Matches, best first. Raises SearchError when the box has not changed, HostError.

        The host is left where the play ends.
        """
        samples = self._samples(host, cancelled)
        found = explain(play_of(self._recorded), samples)
        space = self._recorded.space
        return [
            Match(space.address_of(each.number.place), each.number.type, PLAIN, None)
            for each in found[:_LISTED]
        ]

    def look(self, host: CoreHost, cancelled: Cancelled | None = None) -> Pointed:
        """As :meth:`run`, told as suggestions with their reasons."""
        samples = self._samples(host, cancelled)
        pictures = samples.pictures
        found = explain(play_of(self._recorded), samples)[:_LISTED]
        space = self._recorded.space
        return Pointed(
            tuple(
                Suggestion(
                    _kind_of(each.number.values),
                    space.address_of(each.number.place),
                    each.number.type,
                    round(min(pictures / 8, 1.0) * (0.9 if each.cells else 0.6) * 0.8**rank, 2),
                    _reason(each, pictures),
                )
                for rank, each in enumerate(found)
            ),
            pictures,
        )

    def _samples(self, host: CoreHost, cancelled: Cancelled | None) -> Samples:
        skipped = rows_left_out(self._recorded)
        rows: list[int] = []
        crops: list[NDArray[np.uint32]] = []
        for frame, crop in self._rests(host, cancelled):
            row = frame - self._recorded.first - skipped
            if row >= 0 and (self._frames is None or frame in self._frames):
                rows.append(row)
                crops.append(crop)
        looks = len({crop.tobytes() for crop in crops})
        if looks < _LEAST_LOOKS:
            raise SearchError(
                "the box on the screen rested with only one number in it: draw it round a number, "
                "and play on until other numbers were seen"
            )
        chosen = np.unique(np.linspace(0, len(rows) - 1, _MOST_SAMPLES).astype(np.intp))
        return Samples(np.array(rows, np.intp)[chosen], np.stack(crops)[chosen])

    def _rests(
        self, host: CoreHost, cancelled: Cancelled | None
    ) -> Iterator[tuple[int, NDArray[np.uint32]]]:
        """Two moments of each time for which the box stayed as it was: frame and pixels."""
        seen = (
            (number, self._box.cut_wider(frame))
            for number, frame in self._recorded.pictures(host, _PICTURE_EVERY, cancelled)
        )
        whole = ((number, crop) for number, crop in seen if crop is not None)
        for _, group in groupby(whole, key=lambda each: each[1].tobytes()):
            run = list(group)
            if len(run) >= _RESTED:
                # A byte that moves on while the box rests differs between the two.
                yield run[len(run) // 3]
                yield run[len(run) - 1 - len(run) // 3]


def _reason(each: Explanation, pictures: int) -> str:
    whole = f"each of {pictures} pictures of the box is one number"
    if not each.cells:
        return whole
    cells = "one digit" if each.cells == 1 else f"{each.cells} digits"
    return f"{whole}; {cells} told apart"


def _kind_of(values: NDArray[np.int64]) -> Kind:
    """The likely kind of a number that is drawn, by the way it moves."""
    steps = np.diff(values)
    steps = steps[steps != 0]
    if (steps < 0).sum() <= len(steps) / 2:
        return "score"
    return "lives" if values.max() <= _MOST_LIVES and len(steps) <= _MOST_LIVES else "timer"
