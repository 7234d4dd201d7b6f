"""A core for exploring: runs of held buttons from states, and the experiment that shows control."""

import zlib
from collections.abc import Sequence
from typing import Final

import numpy as np

from integrator.domain.scenario.actions import MENU_BUTTONS
from integrator.session.frame.inputs import Inputs
from integrator.session.suggestions.recorded_play import changed_pixels
from libretro_host.host import CapturePlan, CoreHost, Frame

LOOK_FRAMES: Final = 32
_BEAT_FRAMES: Final = 8
STRONG: Final = 4
STARTS: Final = ("START", "RESET", "RUN")
_SOME: Final = 2


class Explorer:
    """Runs one player's buttons on a host. The host is left anywhere."""

    def __init__(self, host: CoreHost, buttons: Sequence[str | None], columns: int) -> None:
        self.host, self.buttons, self._columns = host, buttons, columns
        self.frames = 0

    def mask(self, *names: str) -> int:
        """The bits of buttons; those that the console lacks are left out."""
        return sum(1 << self.buttons.index(name) for name in names if name in self.buttons)

    @property
    def fires(self) -> list[int]:
        """The bits of the buttons that play and are no directions."""
        ways = ("UP", "DOWN", "LEFT", "RIGHT", *MENU_BUTTONS)
        return [self.mask(name) for name in self.buttons if name and name not in ways]

    def rows(self, *holds: tuple[int, int]) -> Inputs:
        """Rows of inputs: (mask, frames) one after the other."""
        rows = np.zeros((sum(frames for _, frames in holds), self._columns), np.uint16)
        rows[:, 0] = np.repeat([mask for mask, _ in holds], [frames for _, frames in holds])
        return rows

    def go(self, state: bytes, rows: Inputs) -> tuple[bytes, Frame | None]:
        """Run rows from a state; the state and the picture after them."""
        self.host.unserialize(state, fresh=False)
        self.frames += len(rows)
        frame = self.host.run(rows, CapturePlan()).frame
        return self.host.serialize(), frame

    def steered(self, state: bytes) -> int:
        """Different ways in which the pictures differ after two opposite directions.

        At most one every fourth frame counts; from ``STRONG`` on, something is steered. A cursor
        in a menu gives few, because it only jumps.
        """
        found = 0
        # Guns that stand still are aimed by firing with a direction.
        for pressed in (0, *self.fires[:1]):
            left, right, up, down = (
                self._held(state, self.mask(name), pressed)
                for name in ("LEFT", "RIGHT", "UP", "DOWN")
            )
            found = max(_situations(left, right), _situations(up, down))
            if found >= _SOME:
                break
        return found

    def reacts(self, state: bytes) -> bool:
        """True when a direction or another button that plays changes the picture."""
        if self.steered(state) >= _SOME:
            return True
        idle = self._held(state, 0)
        return any(_situations(self._held(state, mask), idle) >= _SOME for mask in self.fires)

    def _held(self, state: bytes, mask: int, pressed: int = 0) -> tuple[Frame, ...]:
        """Pictures while ``mask`` is held, and ``pressed`` again and again."""
        self.host.unserialize(state, fresh=False)
        self.frames += LOOK_FRAMES
        plan = CapturePlan(picture=False, picture_every=4)
        beats = LOOK_FRAMES // (2 * _BEAT_FRAMES)
        rows = self.rows(*[(mask | pressed, _BEAT_FRAMES), (mask, _BEAT_FRAMES)] * beats)
        return self.host.run(rows, plan).pictures


def _situations(one: Sequence[Frame], other: Sequence[Frame]) -> int:
    """The number of different ways in which two runs' pictures differ."""
    seen = set()
    for a, b in zip(one, other, strict=False):
        differs = changed_pixels(a, b)
        if differs is None:
            seen.add(b"other size")
        elif differs.any():
            seen.add(np.packbits(differs).tobytes())
    return len(seen)


def same_picture(one: Frame | None, other: Frame | None) -> bool:
    """True for pictures that are equal in each pixel, and for none at all."""
    if one is None or other is None:
        return one is other
    differs = changed_pixels(one, other)
    return differs is not None and not differs.any()


def screen_key(frame: Frame | None) -> int:
    """A number that pictures share which look alike from afar; 0 without a picture."""
    if frame is None:
        return 0
    gray = frame.drawn_rgb().sum(axis=2, dtype=np.int64) // 3
    rows = np.linspace(0, gray.shape[0], 13).astype(np.intp)[:-1]
    columns = np.linspace(0, gray.shape[1], 11).astype(np.intp)[:-1]
    sums = np.add.reduceat(np.add.reduceat(gray, rows, axis=0), columns, axis=1)
    means = sums // (gray.size // 120 or 1) // 24  # 24 of 256 brightnesses look alike
    return zlib.crc32(means.astype(np.uint8).tobytes())
