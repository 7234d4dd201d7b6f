"""Explores a game from power-on to the first moment of control."""

import heapq
import itertools
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from integrator.domain.scenario.spec import MENU_BUTTONS, START_BUTTONS
from integrator.session.frame.inputs import Inputs
from integrator.session.session import Session
from integrator.session.suggestions.recorded_play import changed_pixels
from libretro_host.host import CapturePlan, CoreHost, Frame

LOOK_FRAMES: Final = 32
_BEAT_FRAMES: Final = 8
_PICTURES: Final = 8  # Pictures of one look.
STRONG: Final = 4
_SOME: Final = 2


class Explorer:
    """Runs one player's buttons on a session's host, which may be in any state afterwards."""

    def __init__(self, session: Session) -> None:
        self._session, self.buttons = session, session.system.buttons
        self.look_frames = LOOK_FRAMES  # The time for which a direction is held, or tapped.
        self.taps = False
        self.patience = 8  # Samples without control that are an end. Longer waits raise it.

    @property
    def host(self) -> CoreHost:
        """The session's present host, because going back on the timeline may open another one."""
        return self._session.host

    def mask(self, *names: str) -> int:
        """Return the bits of buttons, without buttons that the console lacks."""
        return sum(1 << self.buttons.index(name) for name in names if name in self.buttons)

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
        frame = self.host.run(rows, CapturePlan()).frame
        return self.host.serialize(), frame

    def steered(self, state: bytes, enough: int = _PICTURES) -> int:
        """Return in how many ways the pictures of two opposite directions differ, up to ``enough``.

        There are at most eight ways, one per picture. From ``STRONG`` on, something is steered. A
        cursor in a menu gives fewer ways, because it only jumps.
        """
        found = 0
        # A gun that stands still is aimed by a direction only while it fires.
        for pressed in (0, *self.fires[:1]):
            for ways in (("LEFT", "RIGHT"), ("UP", "DOWN")):
                one, other = (self._held(state, self.mask(name), pressed) for name in ways)
                found = max(found, _situations(one, other))
                if found >= enough:
                    return found
            if found >= _SOME:
                break
        return found

    def reacts(self, state: bytes) -> bool:
        """Return True if a direction, or another button of play, changes the picture."""
        if self.steered(state, _SOME) >= _SOME:
            return True
        idle = self._held(state, 0)
        return any(_situations(self._held(state, mask), idle) >= _SOME for mask in self.fires)

    def _held(self, state: bytes, mask: int, pressed: int = 0) -> tuple[Frame, ...]:
        """Return pictures while ``mask`` is held and ``pressed`` is pressed repeatedly."""
        self.host.unserialize(state, fresh=False)
        plan = CapturePlan(picture=False, picture_every=self.look_frames // _PICTURES)
        beats = self.look_frames // (2 * _BEAT_FRAMES)
        between = 0 if self.taps else mask
        rows = self.rows(*[(mask | pressed, _BEAT_FRAMES), (between, _BEAT_FRAMES)] * beats)
        return self.host.run(rows, plan).pictures


def _situations(one: Sequence[Frame], other: Sequence[Frame]) -> int:
    """Return the number of different ways in which the pictures of two runs differ."""
    seen = set()
    for a, b in zip(one, other, strict=False):
        differs = changed_pixels(a, b)
        if differs is None:
            seen.add(b"other size")
        elif differs.any():
            seen.add(np.packbits(differs).tobytes())
    return len(seen)


def same_picture(one: Frame | None, other: Frame | None) -> bool:
    """Return True for pictures that are equal in each pixel, and if both are None."""
    if one is None or other is None:
        return one is other
    differs = changed_pixels(one, other)
    return differs is not None and not differs.any()


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


_PRESSED, _AFTER, _START_COST = 8, 32, 1.5
_MENU_ROWS: Final = 7  # Most rows of a menu.
_SETTLE_FRAMES: Final = 4
PLAY: Final = 7


@dataclass(frozen=True, slots=True, eq=False)
class Reached:
    """A moment at which the player is in control.

    ``inputs`` are the rows from power-on, and ``situations`` is what :meth:`.Explorer.steered`
    returned. ``again`` is a sentence that says if another process reaches the same moment.
    """

    state: bytes
    inputs: Inputs
    situations: int
    again: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class _Node:
    """A moment of the exploration, with the rows that lead to it.

    ``seen`` is the look of its screen and the last press. ``waits`` counts the waits before it in
    which the screen stayed the same.
    """

    state: bytes
    inputs: Inputs
    seen: tuple[int, int]
    parent: "_Node | None"
    waits: int = 0


def reach(console: Explorer, power_on: bytes) -> list[Reached]:
    """Return moments of control, the likeliest start first; empty if none was found.

    The cheapest presses come first: waiting, START, a button, another one. A press is not tried
    again on screens that look alike.
    """
    options, menu = _options(console), _menu_options(console)
    order = itertools.count()
    root = _Node(power_on, console.rows(), (0, 0), None)
    queue = [(0.0, next(order), root)]
    seen: Counter[tuple[tuple[int, int], int, int]] = Counter()
    found: list[tuple[int, float, _Node]] = []
    weak: list[tuple[int, float, _Node]] = []
    expanded = 0
    while queue and expanded < 260 and sum(each[0] >= PLAY for each in found) < 2:
        cost, _, node = heapq.heappop(queue)
        if found and cost > found[0][1] + 2.5:
            break
        expanded += 1
        situations = console.steered(node.state)
        is_steady = situations >= STRONG and any(
            # Control must be there again 30 or 90 frames later.
            console.steered(console.go(node.state, console.rows((0, later)))[0]) >= STRONG
            for later in (30, 90)
        )
        if is_steady:
            found.append((situations, cost, node))
            # A cursor that glides through a menu is steered as well, so from weak control, all
            # presses are tried.
            is_play = situations >= PLAY
            options_here = [each for each in options if not is_play or each[2] == _START_COST]
        else:
            options_here = options + menu * bool(situations)
            if situations > 1:
                weak.append((situations, cost, node))
        _, idle = console.go(node.state, console.rows((0, _PRESSED + _AFTER)))
        idle_ram = console.host.read_ram()
        for mask, holds, price in options_here:
            rows = console.rows(*holds, (0, _AFTER if mask else 0))
            # A still screen may go on by itself, so up to twelve seconds are spent there.
            waits = 0 if mask else node.waits
            seen[node.seen, mask, waits] += 1
            if seen[node.seen, mask, waits] > (2 if mask else 8) or waits > 12:
                continue
            state, frame = console.go(node.state, rows)
            if mask and same_picture(frame, idle):
                # The screen ignores the button. But a game begun by START may look like its title.
                is_start = console.mask(*START_BUTTONS) & mask
                if not is_start or (console.host.read_ram() == idle_ram).all():
                    continue
            inputs = np.concatenate([node.inputs, rows])
            look = screen_key(frame), mask or node.seen[1]
            waits = waits + 1 if look == node.seen else 0
            after = _Node(state, inputs, look, node, waits)
            heapq.heappush(queue, (cost + price, next(order), after))
    best = found or sorted(weak, key=lambda each: (-each[0], each[1]))[:1]
    return [_earliest(console, node, situations) for situations, _, node in best]


Option = tuple[int, tuple[tuple[int, int], ...], float]
"""A number that names the presses, 0 for a wait; (mask, frames) of each; the cost."""


def _options(console: Explorer) -> list[Option]:
    starts = filter(None, map(console.mask, START_BUTTONS))
    presses = [(mask, _START_COST) for mask in starts]
    presses += [(mask, 1.6 + 0.4 * number) for number, mask in enumerate(console.fires[:3])]
    others = filter(None, map(console.mask, ("DOWN", "RIGHT", "SELECT")))
    both = [sum(console.fires[:2])] if len(console.fires) > 1 else []
    presses += [(mask, 3.0) for mask in (*others, *both)]
    waits: Option = 0, ((0, 60),), 0.4
    return [waits, *((mask, ((mask, _PRESSED),), price) for mask, price in presses)]


def _menu_options(console: Explorer) -> list[Option]:
    """Return presses that choose another row of a menu: down by some rows, or up to the last.

    Games that begin by a switch of the console have no such menus.
    """
    found: list[Option] = []
    if console.mask("RESET"):
        return found
    chosen = [*filter(None, map(console.mask, START_BUTTONS)), *console.fires[:2]]
    down, up = console.mask("DOWN"), console.mask("UP")
    for way, count in ((up, 1), *((down, count) for count in range(1, _MENU_ROWS))):
        for mask in chosen:
            holds = ((way, _PRESSED), (0, _PRESSED)) * count + ((mask, _PRESSED),)
            found.append((mask | way << 16 | count << 32, holds, 1.5 + 0.1 * count))
    return found


def _earliest(console: Explorer, node: _Node, situations: int) -> Reached:
    """Return the first moment of clear control after a node's parent, exact to 4 frames.

    A node with weak control may be a screen that fades in, so up to a second is waited there.
    """
    state, inputs, parent = node.state, node.inputs, node.parent
    for wait in range(8, 64, 8) if situations < PLAY else ():
        rows = console.rows((0, wait))
        tried, _ = console.go(node.state, rows)
        if console.steered(tried) >= PLAY:
            state, inputs, situations = tried, np.concatenate([inputs, rows]), PLAY
            break
    if parent is not None:
        last = len(parent.inputs)
        early, late = last, len(inputs)
        while late - early > 4:
            middle = (early + late) // 2
            tried, _ = console.go(parent.state, inputs[last:middle])
            clear = console.steered(tried) >= min(situations, PLAY)
            if clear and not inputs[middle - 1].any():
                late, state = middle, tried
            else:
                early = middle
        inputs = inputs[:late]
    # Some games set their numbers in the first frames of play.
    rows = console.rows((0, _SETTLE_FRAMES))
    return Reached(console.go(state, rows)[0], np.concatenate([inputs, rows]), situations)
