"""Plays episodes from the start state, each until the player has lost control for good.

Buttons are held and pressed by chance in several styles. A second kind of player goes back to the
moments that paid, by states, and tries again from there.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from integrator.session.frame.inputs import Inputs
from integrator.session.session import Session
from integrator.unattended.console import Explorer, Reached, screen_key
from libretro_host.host import CapturePlan

SAMPLE_FRAMES: Final = 120
_STYLES: Final = (
    ((8, 45), (6, 50), (2, 14)),
    ((4, 20), (2, 10), (2, 6)),
    ((20, 90), (20, 120), (10, 60)),
)
"""Frames, from least to most, of a direction, a pause between presses, and a press."""


@dataclass(frozen=True, slots=True)
class Episode:
    """Frames ``first`` to ``last`` of the timeline; ``end`` is the frame of its end, if it ended.

    ``inputs`` are the rows from the start state on, and ``again`` true where the screens from
    before the start came back. ``restarted``: it was seen to end by the next game that began.
    """

    first: int
    last: int
    inputs: Inputs
    end: int | None = None
    again: bool = False
    restarted: bool = False

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
    again = False
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
        with session.timeline.lent():
            for state in states:
                controlled.append(console.reacts(state))
                if not controlled[-1] and not again:
                    shown = console.go(state, console.rows((0, 1)))[1]
                    again = screen_key(shown) in start.titles
        lost = max((i for i, each in enumerate(controlled) if each), default=-1) + 1
        # After a death nobody has control for some seconds.
        if len(controlled) - lost >= 4:
            end = min(first + (lost + 1) * SAMPLE_FRAMES, session.timeline.length)
            return Episode(first, session.timeline.length, np.concatenate(played), end, again)
    return Episode(first, session.timeline.length, np.concatenate(played))


def random_play(console: Explorer, random: np.random.Generator, style: int) -> Iterator[Inputs]:
    """Segments of styled rows without an end."""
    while True:
        yield styled_rows(console, 1800, random, style)


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
        best: tuple[float, bytes, Inputs] | None = None
        for branch in range(6):
            rows = styled_rows(console, stretch, random, branch)
            after, _ = console.go(state, rows)
            now = worth()
            tried += 1
            if best is None or now > best[0]:
                best = now, after, rows
        assert best is not None  # noqa: S101 - for the type checker: there is a branch at least
        if best[0] < had and len(path) > 1:
            del path[max(1, len(path) - 3) :]
            continue
        path.append((best[1], best[2], best[0]))
    return np.concatenate([rows for _, rows, _ in path])
