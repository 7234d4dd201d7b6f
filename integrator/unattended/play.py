"""Plays episodes from the first moment of control until control is lost for good.

Buttons are pressed at random in several styles. A second kind of player restores states of moments
that paid, and tries again from there.
"""

import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.ends.signs import EpisodeSpan
from integrator.session.frame.inputs import Inputs
from integrator.session.session import Session
from integrator.unattended.reaching import Explorer, Reached
from libretro_host.host import CapturePlan

IDLE_FRAMES: Final = 900  # Frames of play without a press, with which a score is compared.
_IDLE_SECONDS: Final = 60
_IDLE_BYTES: Final = 64 << 20  # Most bytes of RAM that are kept of play without a press.
SAMPLE_FRAMES: Final = 60
PATIENCE: Final = 16  # Samples without control that are an end.
_PRESSED: Final = 6  # Samples for which buttons are pressed when control stays lost.
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

    ``inputs`` are the rows from the start state on. ``rested`` is true if the end was seen by bytes
    that came to rest, although the player could still move. ``steered`` is the last frame at which
    control was seen, None if it was not looked for, and ``controlled`` are all such frames.
    ``resumed`` is true if the episode begins at a moment of play instead of the start state.
    ``revived`` are the frames before the presses that began a next life.
    """

    first: int
    last: int
    inputs: Inputs
    end: int | None = None
    rested: bool = False
    steered: int | None = None
    resumed: bool = False
    controlled: tuple[int, ...] = ()
    revived: tuple[int, ...] = ()

    @property
    def span(self) -> EpisodeSpan:
        return EpisodeSpan(self.first, self.last, self.end, self.doubtful, self.over, self.resumed)

    @property
    def doubtful(self) -> int:
        """The frame from which on the episode may have ended, or from which on nothing is known."""
        if self.end is None:
            return self.last if self.steered is None else self.steered
        return max(self.first + 2, self.end - (90 if self.rested else 4 * SAMPLE_FRAMES))

    @property
    def over(self) -> int:
        """The frame after the last frame that still shows the end."""
        return min(self.last, (self.end or self.last) + 480) + 1

    def ended_before_press(self) -> "Episode":
        """Return the episode up to the first press after which control returned, as its end."""
        if not self.revived:
            return self
        last = self.revived[0]
        controlled = tuple(frame for frame in self.controlled if frame <= last)
        steered = max(controlled, default=self.first)
        return replace(
            self,
            last=last,
            inputs=self.inputs[: last - self.first + 1],
            end=steered + SAMPLE_FRAMES,
            steered=steered,
            controlled=controlled,
            revived=(),
        )

    @property
    def stop(self) -> int:
        """The frame after the end, or without an end, after the last frame."""
        return (self.end or self.last) + 1


def styled_rows(console: Explorer, frames: int, random: np.random.Generator, style: int) -> Inputs:
    """Return random directions and buttons in an even, a hasty or a slow style.

    LEFT and RIGHT are more frequent than UP and DOWN.
    """
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
    session: Session,
    console: Explorer,
    start: Reached,
    rows: Iterator[Inputs],
    longest: int,
    *,
    resumed: bool = False,
) -> Episode:
    """Play rows on the session's timeline until control is lost for good, or for ``longest``.

    ``resumed`` is true if play begins shortly before an end, where no next life is looked for.

    Control that was seen only once is no play before an end in which a sign of the end could be
    missing, so that any number would be a sign.
    """
    with session.timeline.lent():
        inputs, samples, pressed = _tried(console, start.state, rows, longest, resumed=resumed)
    controlled = [seen for seen, _ in samples]
    session.load_state(start.state, "the start state")
    first = session.timeline.length + 1
    states: list[bytes] = []
    differs = False
    for sample, (_, checksum) in enumerate(samples, 1):
        at = SAMPLE_FRAMES * sample
        session.run(inputs[at - SAMPLE_FRAMES : at], CapturePlan(picture=False))
        states.append(session.host.serialize())
        differs |= zlib.crc32(session.host.read_ram().tobytes()) != checksum
        if at % SEGMENT_FRAMES == 0 or sample == len(samples):
            # If the core's states are not exact, the recorded play may differ from the tried play.
            if differs:
                with session.timeline.lent():
                    controlled[sample - len(states) : sample] = map(console.reacts, states)
            states.clear()
    moments = np.flatnonzero(controlled)
    # Control may be lost a little later in the recorded play than in the tried play.
    is_over = len(moments) > 1 and len(controlled) - int(moments[-1]) > PATIENCE // 2
    seen = tuple((first - 1 + SAMPLE_FRAMES * (moments + 1)).tolist())
    steered = max(seen, default=first)
    end = steered + SAMPLE_FRAMES if is_over else None
    last = session.timeline.length
    revived = tuple(first - 1 + SAMPLE_FRAMES * sample for sample in pressed)
    return Episode(
        first,
        last,
        inputs,
        end,
        steered=steered,
        resumed=resumed,
        controlled=seen,
        revived=revived,
    )


def without_chance_lives(episodes: Sequence[Episode]) -> list[Episode]:
    """Return episodes that end where a new game was taken for the next life.

    If each life begins by a press, most losses of control are followed by a next life. If few
    are, a press began a new game, and some byte was one less by chance.
    """
    revived = sum(len(each.revived) for each in episodes)
    if revived >= sum(each.end is not None for each in episodes):
        return list(episodes)
    return [each.ended_before_press() for each in episodes]


def _tried(
    console: Explorer, state: bytes, rows: Iterator[Inputs], longest: int, *, resumed: bool = False
) -> tuple[Inputs, list[tuple[bool, int]], list[int]]:
    """Return the rows that are played from a state on, their samples, and the next lives.

    A sample says if there was control, and has the CRC-32 of its RAM. A next life is the number of
    samples before the presses that began it.

    While control is lost, nothing is pressed, because in many games a press after the end begins
    the next game, so that the end would last only a moment. When control stays lost, buttons are
    pressed again: if a number that did not change before is one less then, the next life began.
    """
    samples = _samples(console, rows)
    played: list[Inputs] = []
    controlled: list[bool] = []
    checksums: list[int] = []
    revived: list[int] = []
    lost = 0
    life = console.host.read_ram()  # RAM in the present life, ``steady`` where it never changed.
    steady = np.zeros(len(life), np.bool_)
    # Play is never cut while control is lost, because that may be the end.
    while lost or len(controlled) * SAMPLE_FRAMES < longest:
        waited = lost >= PATIENCE
        if waited and resumed:
            break
        parts = [next(samples) for _ in range(_PRESSED if waited else 1)]
        if lost and not waited:
            parts[0][:] = 0
        rams, seen = [], []
        for part in parts:
            state, _ = console.go(state, part)
            rams.append(console.host.read_ram())
            seen.append(console.reacts(state))
        if waited:
            steady &= (life > 0) & (rams[-1] == life - 1) & (rams[-2] == life - 1)
            if not all(seen[-2:]) or not steady.any():
                break
            revived.append(len(controlled))
        played += parts
        checksums += [zlib.crc32(ram.tobytes()) for ram in rams]
        if any(seen) and (waited or not any(controlled)):
            life, steady = rams[-1], np.ones(len(rams[-1]), np.bool_)
        elif seen[-1]:
            steady &= rams[-1] == life
        controlled += seen
        lost = 0 if any(seen) else lost + 1
    return np.concatenate(played), list(zip(controlled, checksums, strict=True)), revived


def _samples(console: Explorer, rows: Iterator[Inputs]) -> Iterator[Inputs]:
    """Yield the rows of each sample; a movie begins with the idle frame of an episode's reset."""
    left = console.rows()
    for number, segment in enumerate(rows):
        segment[: number == 0] = 0
        left = np.concatenate([left, segment])
        while len(left) >= SAMPLE_FRAMES:
            part, left = left[:SAMPLE_FRAMES].copy(), left[SAMPLE_FRAMES:]
            yield part


def idle_looks(console: Explorer, state: bytes) -> NDArray[np.uint8]:
    """Return flat RAM at each second of play without a press from a state on.

    Less than a minute is played if the memory is large.
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
    """Play from moments shortly before the ends that were seen, if there are few of them."""
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
        found.append(play_episode(session, console, moment, rows, _REPEAT_FRAMES, resumed=True))
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
) -> Inputs:
    """Return rows from ``start`` on that pay: of six random stretches, the best is kept each time.

    ``worth`` reads the score at the host's present moment. If each of the six stretches loses
    score, play goes back three stretches.
    """
    console.go(start, console.rows((0, 1)))
    path: list[tuple[bytes, Inputs, float]] = [(start, console.rows((0, 1)), worth())]
    tried, stretch = 0, 240  # A stretch has this many frames.
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
