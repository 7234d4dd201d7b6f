"""One player's buttons on a session's host, and the experiments that tell control."""

import itertools
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from integrator.domain.scenario.spec import MENU_BUTTONS
from integrator.session.frame.inputs import Inputs
from integrator.session.session import Session
from integrator.session.suggestions.recorded_play import changed_pixels
from libretro_host.host import CapturePlan, CoreHost, Frame

PRESSED, AFTER = 8, 32  # Frames of a press, and frames after it.
_PICTURES: Final = 8  # Pictures of one look.
STRONG: Final = 4
SOME: Final = 2


@dataclass(frozen=True, slots=True)
class Look:
    """A way to look for control: for some frames, a direction is held, or tapped, or not used. With
    ``one_button``, a button is the control, and directions do nothing. Buttons are pressed for
    ``beat`` frames at a time."""

    frames: int = 32
    taps: bool = False
    one_button: bool = False
    beat: int = 8


HELD: Final = Look()
TAPPED: Final = Look(128, taps=True)  # In some games, a press moves the player by one field.
ONE_BUTTON: Final = Look(one_button=True)
ONE_LONG: Final = Look(96, one_button=True, beat=24)  # A car begins to drive slowly.


class Explorer:
    """Runs one player's buttons on a session's host, which may be in any state afterwards."""

    def __init__(self, session: Session) -> None:
        self._session, self.buttons = session, session.system.buttons
        self.look = HELD
        self.left = 1 << 40  # Frames that may still be run: more than anybody waits for.
        self.patience = 960  # Frames without control that are an end. Longer waits raise it.

    @property
    def host(self) -> CoreHost:
        """The session's present host, because going back on the timeline may open another one."""
        return self._session.host

    def mask(self, *names: str) -> int:
        """Return the bits of buttons, without buttons that the console lacks."""
        return sum(1 << self.buttons.index(name) for name in names if name in self.buttons)

    @property
    def has_menus(self) -> bool:
        """False for consoles whose games begin by a switch of the console."""
        return not self.mask("RESET")

    @property
    def fires(self) -> list[int]:
        """The bits of all buttons except directions and buttons of menus."""
        ways = ("UP", "DOWN", "LEFT", "RIGHT", *MENU_BUTTONS)
        return [self.mask(name) for name in self.buttons if name and name not in ways]

    def rows(self, *holds: tuple[int, int]) -> Inputs:
        """Return rows of input that hold each (mask, frames), one after the other."""
        rows = np.zeros((sum(frames for _, frames in holds), self._session.game.columns), np.uint16)
        rows[:, 0] = np.repeat([mask for mask, _ in holds], [frames for _, frames in holds])
        return rows

    def go(self, state: bytes, rows: Inputs) -> tuple[bytes, Frame | None]:
        """Run rows from a state, and return the state and the picture after them."""
        self.host.unserialize(state, fresh=False)
        self.left -= len(rows)
        frame = self.host.run(rows, CapturePlan()).frame
        return self.host.serialize(), frame

    def steered(self, state: bytes, enough: int = _PICTURES) -> int:
        """Return in how many ways the pictures of two opposite directions differ, up to ``enough``.

        There are at most eight ways, one per picture. From ``STRONG`` on, something is steered. A
        cursor in a menu gives fewer ways, because it only jumps."""
        if self.look.one_button:
            return max((ways for _, ways in self._acting(state)), default=0)
        found = 0
        # Some guns are aimed, and some cars are steered, only while a button is pressed.
        fires = (each for each, _ in self._acting(state)) if self.has_menus else self.fires[:1]
        for pressed in itertools.chain([0], fires):
            for ways in (("LEFT", "RIGHT"), ("UP", "DOWN")):
                one, other = (self._held(state, self.mask(name), pressed) for name in ways)
                found = max(found, _situations(one, other))
                if found >= enough:
                    return found
            if found >= SOME:
                break
        return found

    def is_steady(self, state: bytes, waits: tuple[int, ...] = (30, 90)) -> bool:
        """Return True if there is control after one of the waits, without a press until then."""
        later = (self.go(state, self.rows((0, wait)))[0] for wait in waits)
        return any(self.steered(each) >= STRONG for each in later)

    def moves(self, state: bytes) -> bool:
        """Return True if a held direction does more than a tap; a cursor in a menu only steps."""
        ways = map(self.mask, ("LEFT", "RIGHT", "UP", "DOWN"))
        pairs = ([self.rows((way, PRESSED), (each, AFTER)) for each in (way, 0)] for way in ways)
        return any(not same_picture(*(self.go(state, each)[1] for each in pair)) for pair in pairs)

    def _acting(self, state: bytes) -> Iterator[tuple[int, int]]:
        """Yield each button that alone changes the screen but does not leave it, and its ways."""
        idle = self._held(state, 0)
        for mask in self.fires[:3]:
            pictures = self._held(state, 0, mask)
            found = _situations(pictures, idle)
            if found and not any(map(is_other_screen, pictures[-1:], idle[-1:])):
                yield mask, found

    def reacts(self, state: bytes) -> bool:
        """Return True if a direction, or another button of play, changes the picture."""
        if self.steered(state, SOME) >= SOME:
            return True
        idle = self._held(state, 0)
        return any(_situations(self._held(state, mask), idle) >= SOME for mask in self.fires)

    def _held(self, state: bytes, mask: int, pressed: int = 0) -> tuple[Frame, ...]:
        """Return pictures while ``mask`` is held and ``pressed`` is pressed repeatedly."""
        self.host.unserialize(state, fresh=False)
        look = self.look
        plan = CapturePlan(picture=False, picture_every=look.frames // _PICTURES)
        between = 0 if look.taps else mask
        beats = look.frames // (2 * look.beat)
        rows = self.rows(*[(mask | pressed, look.beat), (between, look.beat)] * beats)
        self.left -= len(rows)
        return self.host.run(rows, plan).pictures


def _situations(one: Sequence[Frame], other: Sequence[Frame]) -> int:
    """Return the number of different ways in which the pictures of two runs differ."""
    seen = set()
    for a, b in zip(one, other, strict=False):
        if (differs := changed_pixels(a, b)) is None:
            seen.add(b"other size")
        elif differs.any():
            seen.add(np.packbits(differs).tobytes())
    return len(seen)


def same_picture(one: Frame | None, other: Frame | None) -> bool:
    """Return True for pictures that are equal in each pixel, and if both are None."""
    if one is None or other is None:
        return one is other
    return not _situations([one], [other])


def is_other_screen(one: Frame | None, other: Frame | None) -> bool:
    """Return True if most of two pictures differs, and 30 % in the number of pixels of each color.

    Objects that moved keep their colors. The background is the most frequent color of both."""
    if one is None or other is None:
        return one is not other
    drawn = [each.drawn_rgb() // 8 @ (1 << 10, 1 << 5, 1) for each in (one, other)]
    if drawn[0].shape != drawn[1].shape:
        return True
    counts = np.stack([np.bincount(each.ravel(), minlength=1 << 15) for each in drawn])
    background = counts.sum(axis=0).argmax()
    is_drawn = (drawn[0] != background) | (drawn[1] != background)
    if (drawn[0] != drawn[1]).sum() < is_drawn.sum() / 2:
        return False
    counts[:, background] = 0
    return bool(counts.min(axis=0).sum() < 0.7 * counts.max(axis=0).sum())


def screen_key(frame: Frame | None) -> int:
    """Return a number that is the same for pictures that look alike from afar, 0 without one."""
    if frame is None:
        return 0
    gray = frame.drawn_rgb().sum(axis=2, dtype=np.int64) // 3
    high, wide = 12, 10  # Blocks of the picture, each with one brightness.
    rows = np.linspace(0, gray.shape[0], high + 1).astype(np.intp)[:-1]
    columns = np.linspace(0, gray.shape[1], wide + 1).astype(np.intp)[:-1]
    sums = np.add.reduceat(np.add.reduceat(gray, rows, axis=0), columns, axis=1)
    means = sums // (gray.size // (high * wide) or 1) // 24  # 24 of 256 brightnesses look alike.
    return zlib.crc32(means.astype(np.uint8).tobytes())
