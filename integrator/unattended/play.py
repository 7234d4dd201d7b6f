"""From power-on to the first moment of control, and episodes from there until it is lost for good.

Buttons are held and pressed by chance in several styles. A second kind of player goes back to the
moments that paid, by states, and tries again from there.
"""

import heapq
import itertools
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.ends.signs import EpisodeSpan
from integrator.domain.scenario.spec import MENU_BUTTONS
from integrator.session.frame.inputs import Inputs
from integrator.session.session import Session
from integrator.session.suggestions.recorded_play import changed_pixels
from libretro_host.host import CapturePlan, CoreHost, Frame

LOOK_FRAMES: Final = 32
_BEAT_FRAMES: Final = 8
_PICTURES: Final = 8  # of a look
STRONG: Final = 4
STARTS: Final = ("START", "RESET", "RUN")
_SOME: Final = 2


class Explorer:
    """Runs one player's buttons on a session's host, which is left anywhere."""

    def __init__(self, session: Session) -> None:
        self._session, self.buttons = session, session.system.buttons
        self.look_frames = LOOK_FRAMES  # for which opposite directions are held, or tapped
        self.taps = False
        self.patience = 8  # samples without control that are an end; more after longer waits

    @property
    def host(self) -> CoreHost:
        """The present one, as the way back to a frame of the timeline may open another."""
        return self._session.host

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
        rows = np.zeros((sum(frames for _, frames in holds), self._session.game.columns), np.uint16)
        rows[:, 0] = np.repeat([mask for mask, _ in holds], [frames for _, frames in holds])
        return rows

    def go(self, state: bytes, rows: Inputs) -> tuple[bytes, Frame | None]:
        """Run rows from a state; the state and the picture after them."""
        self.host.unserialize(state, fresh=False)
        frame = self.host.run(rows, CapturePlan()).frame
        return self.host.serialize(), frame

    def steered(self, state: bytes, enough: int = _PICTURES) -> int:
        """Different ways in which the pictures differ after two opposite directions, or enough.

        At most eight pictures count; from ``STRONG`` on, something is steered. A cursor
        in a menu gives few, because it only jumps.
        """
        found = 0
        # Guns that stand still are aimed by firing with a direction.
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
        """True when a direction or another button that plays changes the picture."""
        if self.steered(state, _SOME) >= _SOME:
            return True
        idle = self._held(state, 0)
        return any(_situations(self._held(state, mask), idle) >= _SOME for mask in self.fires)

    def _held(self, state: bytes, mask: int, pressed: int = 0) -> tuple[Frame, ...]:
        """Pictures while ``mask`` is held, and ``pressed`` again and again."""
        self.host.unserialize(state, fresh=False)
        plan = CapturePlan(picture=False, picture_every=self.look_frames // _PICTURES)
        beats = self.look_frames // (2 * _BEAT_FRAMES)
        between = 0 if self.taps else mask
        rows = self.rows(*[(mask | pressed, _BEAT_FRAMES), (between, _BEAT_FRAMES)] * beats)
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
    high, wide = 12, 10  # blocks of the picture, each with one brightness
    rows = np.linspace(0, gray.shape[0], high + 1).astype(np.intp)[:-1]
    columns = np.linspace(0, gray.shape[1], wide + 1).astype(np.intp)[:-1]
    sums = np.add.reduceat(np.add.reduceat(gray, rows, axis=0), columns, axis=1)
    means = sums // (gray.size // (high * wide) or 1) // 24  # 24 of 256 brightnesses look alike
    return zlib.crc32(means.astype(np.uint8).tobytes())


_PRESSED, _AFTER, _START_COST = 8, 32, 1.5
_SETTLE_FRAMES: Final = 4
PLAY: Final = 7


@dataclass(frozen=True, slots=True, eq=False)
class Reached:
    """A moment at which the player is in control.

    ``inputs`` are the rows from power-on, ``situations`` those of :meth:`.Explorer.steered`.
    ``again`` is a sentence on whether the moment comes back in another process.
    """

    state: bytes
    inputs: Inputs
    situations: int
    again: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class _Node:
    """``seen`` is the look of its screen and the last press, ``waits`` how often it stayed so."""

    state: bytes
    inputs: Inputs
    seen: tuple[int, int]
    parent: "_Node | None"
    waits: int = 0


def reach(console: Explorer, power_on: bytes) -> list[Reached]:
    """Moments of control, the likeliest start first; empty where none was found.

    The cheapest presses come first: waiting, START, a button, another one. Screens that look like
    ones that were seen are not looked at again.
    """
    options = _options(console)
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
            # Control is there half a second later, or a second after that.
            console.steered(console.go(node.state, console.rows((0, later)))[0]) >= STRONG
            for later in (30, 90)
        )
        if is_steady:
            found.append((situations, cost, node))
            # A cursor that glides through a menu is steered as well, so weak control is left by
            # any button.
            is_play = situations >= PLAY
            options_here = [each for each in options if not is_play or each[2] == _START_COST]
        else:
            options_here = options
            if situations > 1:
                weak.append((situations, cost, node))
        _, idle = console.go(node.state, console.rows((0, _PRESSED + _AFTER)))
        idle_ram = console.host.read_ram()
        for mask, frames, price in options_here:
            rows = console.rows((mask, frames), (0, _AFTER if mask else 0))
            # A still screen may be one that waits: twelve seconds are spent there, without a press.
            waits = 0 if mask else node.waits
            seen[node.seen, mask, waits] += 1
            if seen[node.seen, mask, waits] > (2 if mask else 8) or waits > 12:
                continue
            state, frame = console.go(node.state, rows)
            if mask and same_picture(frame, idle):
                # The screen ignores the button. A game that START begins may look as its title.
                is_start = console.mask(*STARTS) & mask
                if not is_start or (console.host.read_ram() == idle_ram).all():
                    continue
            inputs = np.concatenate([node.inputs, rows])
            look = screen_key(frame), mask or node.seen[1]
            waits = waits + 1 if look == node.seen else 0
            after = _Node(state, inputs, look, node, waits)
            heapq.heappush(queue, (cost + price, next(order), after))
    best = found or sorted(weak, key=lambda each: (-each[0], each[1]))[:1]
    return [_earliest(console, node, situations) for situations, _, node in best]


def _options(console: Explorer) -> list[tuple[int, int, float]]:
    """Presses as (mask, frames, cost)."""
    starts = filter(None, map(console.mask, STARTS))
    options = [(0, 60, 0.4), *((mask, _PRESSED, _START_COST) for mask in starts)]
    fires = enumerate(console.fires[:3])
    options += [(mask, _PRESSED, 1.6 + 0.4 * number) for number, mask in fires]
    others = filter(None, map(console.mask, ("DOWN", "RIGHT", "SELECT")))
    options += [(mask, _PRESSED, 3.0) for mask in others]
    return options


def _earliest(console: Explorer, node: _Node, situations: int) -> Reached:
    """The first moment of clear control after a node's parent, to a few frames.

    A node with weak control may be a screen that fades in, so it is waited there for a second.
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


IDLE_FRAMES: Final = 900  # of play without a press, which a score is compared with
_IDLE_SECONDS: Final = 60
_IDLE_BYTES: Final = 64 << 20  # that their looks may take
SAMPLE_FRAMES: Final = 120
SEGMENT_FRAMES: Final = 1800
_STYLES: Final = (
    ((8, 45), (6, 50), (2, 14)),
    ((4, 20), (2, 10), (2, 6)),
    ((20, 90), (20, 120), (10, 60)),
)
"""Frames, from least to most, of a direction, a pause between presses, and a press."""


@dataclass(frozen=True, slots=True)
class Episode:
    """Frames ``first`` to ``last`` of the timeline; ``end`` is the frame of its end, if it ended.

    ``inputs`` are the rows from the start state on. ``restarted``: it was seen to end by the next
    game that began; ``rested``: by what moved no more, although the player still did. ``steered``
    is the last frame at which control was seen, if it was looked for. ``resumed``: it begins at a
    moment of play, and not at the start state.
    """

    first: int
    last: int
    inputs: Inputs
    end: int | None = None
    restarted: bool = False
    rested: bool = False
    steered: int | None = None
    resumed: bool = False

    @property
    def span(self) -> EpisodeSpan:
        return EpisodeSpan(self.first, self.last, self.end, self.doubtful, self.over, self.resumed)

    @property
    def doubtful(self) -> int:
        """The first frame of those on which it may have ended, or on which nothing is known."""
        if self.end is None:
            return self.last if self.steered is None else self.steered
        # Buttons are pressed each second, but few of them begin another game at once.
        known = 90 if self.rested else 2 * SAMPLE_FRAMES
        return max(self.first + 2, self.end - (400 if self.restarted else known))

    @property
    def over(self) -> int:
        """The frame after the last on which it shows that it has ended."""
        return self.stop if self.restarted else min(self.last, (self.end or self.last) + 480) + 1

    def ended_by(self, patience: int) -> "Episode":
        """The episode with its end where control was lost for that many samples, or without."""
        if self.restarted or self.steered is None:
            return self
        end = min(self.steered + SAMPLE_FRAMES, self.last)
        is_over = self.last - self.steered >= patience * SAMPLE_FRAMES - 1
        return replace(self, end=end if is_over else None)

    @property
    def stop(self) -> int:
        """The frame after its end, or after its last."""
        return (self.end or self.last) + 1


def styled_rows(console: Explorer, frames: int, random: np.random.Generator, style: int) -> Inputs:
    """Directions and buttons by chance: in even, hasty or slow style, with a liking for a side."""
    rows = np.zeros(frames, np.uint16)
    left, right, up, down = (console.mask(name) for name in ("LEFT", "RIGHT", "UP", "DOWN"))
    kinds = [[0], [left, right], [up, down], [left | up, right | up, left | down, right | down]]
    holds, pauses, presses = _STYLES[style % len(_STYLES)]
    frame = 0
    while frame < frames:
        lasting = int(random.integers(*holds))
        ways = kinds[int(random.choice(len(kinds), p=(0.15, 0.4, 0.25, 0.2)))]
        rows[frame : frame + lasting] |= np.uint16(ways[int(random.integers(len(ways)))])
        frame += lasting
    fires = console.fires[:3]
    frame = 0
    while frame < frames and fires:
        frame += int(random.integers(*pauses))
        lasting = int(random.integers(*presses))
        # The first button is the main one of most consoles.
        fire = fires[0] if random.random() < 0.5 else fires[int(random.integers(len(fires)))]
        rows[frame : frame + lasting] |= np.uint16(fire)
        frame += lasting
    wide = console.rows((0, frames))
    wide[:, 0] = rows
    return wide


def play_episode(
    session: Session, console: Explorer, start: Reached, rows: Iterator[Inputs], longest: int
) -> Episode:
    """Play rows, a segment at a time, on the session's timeline until an end or ``longest``."""
    session.load_state(start.state, "the start state")
    first = session.timeline.length + 1
    played: list[Inputs] = []
    controlled: list[bool] = []
    looked = [first]
    while sum(map(len, played)) < longest:
        segment = next(rows, None)
        if segment is None:
            break
        if not played:
            segment[0] = 0  # a movie begins with the idle frame of an episode's reset
        played.append(segment)
        states = []
        for at in range(0, len(segment), SAMPLE_FRAMES):
            session.run(segment[at : at + SAMPLE_FRAMES], CapturePlan(picture=False))
            states.append(session.host.serialize())
            looked.append(session.timeline.length)
        with session.timeline.lent():
            controlled += map(console.reacts, states)
        moments = np.flatnonzero(controlled)
        console.patience = max(console.patience, 2 * int(np.diff(moments).max(initial=0)))
        lost = int(moments[-1]) + 1 if len(moments) else 0
        # After a death nobody has control for some seconds.
        if len(controlled) - lost >= console.patience:
            break
    last, inputs = session.timeline.length, np.concatenate(played)
    return Episode(first, last, inputs, steered=looked[lost]).ended_by(console.patience)


def idle_looks(console: Explorer, state: bytes) -> NDArray[np.uint8]:
    """Flat RAM at each second from a state on, in which nothing is pressed.

    Of a large memory, it is fewer seconds.
    """
    size = len(console.host.read_ram())
    fitting = max(IDLE_FRAMES // 60, _IDLE_BYTES // size)
    looks = np.empty((min(_IDLE_SECONDS, fitting), size), np.uint8)
    console.host.unserialize(state, fresh=False)
    for look in looks:
        console.host.run(console.rows((0, 60)), CapturePlan(picture=False))
        look[:] = console.host.read_ram()
    return looks


_FEW_ENDS, _REPEATS, _REPEAT_FRAMES = 4, 6, 3600
_BACK_FRAMES: Final = (300, 600, 900)


def play_ends_again(
    session: Session,
    console: Explorer,
    start: Reached,
    episodes: Sequence[Episode],
    random: np.random.Generator,
) -> list[Episode]:
    """Play from moments shortly before the ends that were seen, where there are few of them."""
    ended = [each for each in episodes if each.end is not None]
    found = []
    for number in range(_REPEATS if 0 < len(ended) < _FEW_ENDS else 0):
        each = ended[number % len(ended)]
        back = _BACK_FRAMES[number // len(ended) % len(_BACK_FRAMES)]
        before = max(1, (each.steered or each.last) - each.first - back)
        with session.timeline.lent():
            state, _ = console.go(start.state, each.inputs[:before])
        rows = random_play(console, random, number)
        moment = replace(start, state=state)
        again = play_episode(session, console, moment, rows, _REPEAT_FRAMES)
        found.append(replace(again, resumed=True))
    return found


def random_play(console: Explorer, random: np.random.Generator, style: int) -> Iterator[Inputs]:
    """Segments of styled rows without an end."""
    while True:
        yield styled_rows(console, SEGMENT_FRAMES, random, style)


def paid_play(
    console: Explorer,
    start: bytes,
    worth: Callable[[], float],
    random: np.random.Generator,
    frames: int,
) -> Inputs:
    """Rows from ``start`` on by going back to what paid: of some stretches, the best is kept.

    ``worth`` reads the present moment of the host. When no stretch is worth more, it goes back
    some stretches.
    """
    console.go(start, console.rows((0, 1)))
    path: list[tuple[bytes, Inputs, float]] = [(start, console.rows((0, 1)), worth())]
    tried, stretch = 0, 240  # frames
    while tried * stretch < frames:
        state, _, had = path[-1]
        branches = []
        for style in range(6):
            rows = styled_rows(console, stretch, random, style)
            after, _ = console.go(state, rows)
            branches.append((after, rows, worth()))
        tried += len(branches)
        best = max(branches, key=lambda each: each[2])
        if best[2] < had and len(path) > 1:
            del path[max(1, len(path) - 3) :]
        else:
            path.append(best)
    return np.concatenate([rows for _, rows, _ in path])
