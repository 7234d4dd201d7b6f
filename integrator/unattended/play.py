"""Plays episodes from the first moment of control until control is lost for good. Buttons are
pressed at random in several styles. A second kind of player restores states of moments that paid,
and tries again from there."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.ends.signs import EpisodeSpan
from integrator.session.frame.inputs import Inputs
from integrator.session.session import Session
from integrator.unattended.control import Explorer
from integrator.unattended.reaching import Reached
from libretro_host.host import CapturePlan

IDLE_FRAMES: Final = 900  # Frames of play without a press, with which a score is compared.
SAMPLE_FRAMES: Final = 120  # Frames between two looks for control.
_CLOSE_FRAMES: Final = 30
SEGMENT_FRAMES: Final = 1800
_STYLES: Final = (
    ((8, 45), (6, 50), (2, 14)),
    ((4, 20), (2, 10), (2, 6)),
    ((20, 90), (20, 120), (10, 60)),
)
"""For each style, least and most frames of a direction, a pause between presses, and a press."""


@dataclass(frozen=True, slots=True)
class Episode:
    """Frames ``first`` to ``last`` of the timeline; ``end`` is the frame of its end, if it ended.

    ``inputs`` are the rows from the start state on. ``restarted`` is true if the end was seen by
    the next game that began, and ``rested`` if it was seen by bytes that came to rest, although the
    player could still move. ``steered`` is the last frame at which control was seen, None if it was
    not looked for, and ``controlled`` are all such frames; control was looked for every ``sample``
    frames. ``resumed`` is true if the episode begins at a moment of play, not at the start state.
    """

    first: int
    last: int
    inputs: Inputs
    end: int | None = None
    restarted: bool = False
    rested: bool = False
    steered: int | None = None
    resumed: bool = False
    controlled: tuple[int, ...] = ()
    sample: int = SAMPLE_FRAMES

    @property
    def span(self) -> EpisodeSpan:
        return EpisodeSpan(self.first, self.last, self.end, self.doubtful, self.resumed)

    @property
    def doubtful(self) -> int:
        """The frame from which on the episode may have ended, or from which on nothing is known."""
        if self.end is None:
            return self.last if self.steered is None else self.steered
        # A restart comes late: buttons are pressed each second, but few of them begin a new game.
        seen = self.sample + min(self.sample, 90)
        known = self.end - (90 if self.rested else 400 if self.restarted else seen)
        if self.restarted:  # If control was lost before, that was the end.
            known = max((at for at in self.controlled if self.first < at <= known), default=known)
        return max(self.first + 2, known)

    @property
    def over(self) -> int:
        """The frame from which on lives say nothing of the end; other signs may come later."""
        return min(self.last, (self.end or self.last) + 480) + 1

    def ended_by(self, patience: int) -> "Episode":
        """Return the episode up to its end, where control was lost for ``patience`` frames.

        If control comes back later, the next game has begun. Control that was seen only once has
        no play before its loss in which a sign of the end could be missing, so that any number
        would be a sign."""
        if self.restarted or self.steered is None:
            return self
        for steered, back in pairwise((*self.controlled, self.steered, self.last + 1)):
            if back - steered >= patience:
                seen = tuple(each for each in self.controlled if each <= steered)
                is_known = steered >= self.first + 2 * self.sample
                end = min(steered + self.sample, back - 1) if is_known else None
                return replace(self, last=back - 1, end=end, steered=steered, controlled=seen)
        return replace(self, end=None)

    @property
    def stop(self) -> int:
        """The frame after the end, or without an end, after the last frame."""
        return (self.end or self.last) + 1


def styled_rows(console: Explorer, frames: int, random: np.random.Generator, style: int) -> Inputs:
    """Return random directions and buttons in an even, a hasty or a slow style.

    LEFT and RIGHT are more frequent than UP and DOWN."""
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
    controlled: list[int] = []
    while sum(map(len, played)) < longest:
        if (segment := next(rows, None)) is None:
            break
        if not played:
            segment[0] = 0  # A movie begins with the idle frame of an episode's reset.
        played.append(segment)
        looks = []
        for at in range(0, len(segment), SAMPLE_FRAMES):
            session.run(segment[at : at + SAMPLE_FRAMES], CapturePlan(picture=False))
            looks.append((session.timeline.length, session.host.serialize()))
        with session.timeline.lent():
            controlled += [frame for frame, state in looks if console.reacts(state)]
        waits = np.diff(controlled)
        # After a wait that is too long for play, the next game has begun.
        waits = waits[np.logical_and.accumulate(waits < console.patience)]
        console.patience = max(console.patience, 2 * int(waits.max(initial=0)))
        steered = max(controlled, default=first)
        # After a death, nobody has control for some seconds, so only a longer time is an end.
        if session.timeline.length - steered >= console.patience - 1:
            break
    last, inputs, seen = session.timeline.length, np.concatenate(played), tuple(controlled)
    return Episode(first, last, inputs, steered=steered, controlled=seen).ended_by(console.patience)


def seen_closely(console: Explorer, start: Reached, episode: Episode) -> Episode:
    """Return an episode whose control was lost in the first seconds, with closer looks for it."""
    first, steered = episode.first, episode.steered
    if steered is None or steered >= first + 2 * SAMPLE_FRAMES:
        return episode
    state, seen = start.state, [first]
    for at in range(0, steered - first + SAMPLE_FRAMES, _CLOSE_FRAMES):
        state, _ = console.go(state, episode.inputs[at : at + _CLOSE_FRAMES])
        if console.reacts(state):
            seen.append(first + at + _CLOSE_FRAMES - 1)
    return replace(episode, steered=seen[-1], controlled=tuple(seen[1:]), sample=_CLOSE_FRAMES)


def idle_looks(console: Explorer, state: bytes) -> NDArray[np.uint8]:
    """Return flat RAM at each second of play without a press from a state on.

    Less than a minute is played if its looks would take more than 64 MiB."""
    size = len(console.host.read_ram())
    fitting = max(IDLE_FRAMES // 60, (64 << 20) // size)
    looks = np.empty((min(60, fitting), size), np.uint8)
    console.host.unserialize(state, fresh=False)
    for look in looks:
        console.host.run(console.rows((0, 60)), CapturePlan(picture=False))
        look[:] = console.host.read_ram()
    return looks


_BACK_FRAMES: Final = (300, 600, 900)
_PRESS_FRAMES: Final = 20  # Frames before a restart from which on nothing is pressed.
_RESTARTED_FRAMES: Final = 20_000


def play_ends_again(
    session: Session,
    console: Explorer,
    start: Reached,
    episodes: Sequence[Episode],
    random: np.random.Generator,
    frames: int,
) -> list[Episode]:
    """Play from moments shortly before the ends that were seen, until there are twelve of them.

    No play begins after ``frames`` frames in all."""
    ended = [each for each in episodes if each.end is not None]
    found: list[Episode] = []
    for number in range(12 - len(ended) if ended else 0):
        if sum(len(each.inputs) for each in found) >= frames:
            break
        each = ended[number % len(ended)]
        back = _BACK_FRAMES[number // len(ended) % len(_BACK_FRAMES)]
        before = max(1, (each.steered or each.last) - each.first - back)
        with session.timeline.lent():
            state, _ = console.go(start.state, each.inputs[:before])
        moment, rows = replace(start, state=state), random_play(console, random, number)
        again = play_episode(session, console, moment, rows, min(3600, frames))
        found.append(replace(again, resumed=True))
    return found


def without_restarts(
    session: Session, console: Explorer, start: Reached, episodes: Sequence[Episode]
) -> list[Episode]:
    """Play games that a press restarted once more, without that press, to see how they end.

    Returns them with the episodes that were not restarted. Games that would begin after
    ``_RESTARTED_FRAMES`` frames of this play, and those of resumed play, are left out."""
    found = [each for each in episodes if not each.restarted]
    played, stop, state = 0, -1, start.state
    for each in (each for each in episodes if each.restarted and not each.resumed):
        if played >= _RESTARTED_FRAMES:
            break
        if each.first != stop:  # It begins at the start state, not where another game stopped.
            state = start.state
        stop = each.stop - 1
        end = stop - each.first
        session.load_state(state, "the start of a game")
        by = session.timeline.length + 1 - each.first
        rows = np.concatenate([each.inputs[: end - _PRESS_FRAMES], console.rows((0, IDLE_FRAMES))])
        session.run(rows, CapturePlan(picture=False))
        seen, last = tuple(at + by for at in each.controlled), session.timeline.length
        found += [replace(each, first=each.first + by, last=last, end=stop + by, controlled=seen)]
        played += len(rows)
        with session.timeline.lent():
            state, _ = console.go(state, each.inputs[:end])
    return found


def random_play(console: Explorer, random: np.random.Generator, style: int) -> Iterator[Inputs]:
    while True:
        yield styled_rows(console, SEGMENT_FRAMES, random, style)


def paid_play(
    console: Explorer,
    start: bytes,
    worth: Callable[[], float],
    random: np.random.Generator,
    frames: int,
    lasted: float = math.inf,
) -> Inputs:
    """Return rows from ``start`` on that pay most; the best of six random stretches is kept.

    ``worth`` reads the score at the host's present moment. If each of the six stretches loses
    score, play goes back three stretches. If a game ``lasted`` less than twelve seconds, stretches
    are shorter, two of them are tried each time, and only those that end with control are kept."""
    idle, stretch = console.rows((0, 1)), int(min(240, max(30, lasted / 3)))
    path: list[tuple[bytes, Inputs, float]] = [(console.go(start, idle)[0], idle, worth())]
    is_short = stretch < 240
    stop = console.left - frames * (3 if is_short else 1)  # Looks for control count as well.
    longest = path[:]
    while console.left > stop:
        state, _, had = path[-1]
        branches = []
        for style in range(2 if is_short else 6):
            rows = styled_rows(console, stretch, random, style)
            branch = console.go(state, rows)[0], rows, worth()
            if not is_short or console.reacts(branch[0]):
                branches.append(branch)
        best = max(branches, key=lambda each: each[2], default=None)
        if best is None or (best[2] < had and len(path) > 1):
            del path[max(1, len(path) - 3) :]
        else:
            path.append(best)
        longest = max(longest, path[:], key=lambda each: (each[-1][2], len(each)))
    return np.concatenate([rows for _, rows, _ in longest])
