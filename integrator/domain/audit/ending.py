"""The end of an episode: done that never comes, comes late or early, or by the clock alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from integrator.domain.audit.clocks import earned_by_events, is_clock
from integrator.domain.audit.games import (
    ANEW_SECONDS,
    LIVES,
    OVER,
    new_games,
    tells_of_ends,
)
from integrator.domain.audit.play import Memory, Scene, ScoredPlay, Trap

_ALIVE_CURE: Final = "tie done to the loss of the last life, or to the end of the level"
_LATE_SECONDS: Final = 2.0
_LASTS_SECONDS: Final = 2.0
"""So long a life stays lost before it counts: some games show other numbers meanwhile."""
_AFTER_SECONDS: Final = 3.0
_EARLY_SECONDS: Final = 0.5
_PART_FRAMES: Final = 120
_LOOK_FRAMES: Final = 8
_STILL: Final = 0.3
"""A game that is over moves so small a part of the bytes that it moved in play: clocks, colours."""
_STILL_SECONDS: Final = 10.0
_FEWEST_INPUTS: Final = 4
_FEWEST_PLAYS: Final = 3
_MOST_PLAYS: Final = 0.75
"""So large a part of all plays ends by the clock; in others, play may stand still for a while."""
_MOST_ALIVE: Final = 0.4
"""So large a part is enough where no life is lost at the common end."""


def done_missed(plays: Sequence[ScoredPlay], scene: Scene) -> Iterator[Trap]:
    """The game was over, and done came late or never."""
    lowest: dict[str, int] = {}
    for play in plays:
        for name, values in play.values.items():
            lowest[name] = min(int(values.min()), lowest.get(name, 0))
    for play in plays:
        over = _over(play, scene, lowest)
        if over is not None:
            yield from _late(play, *over)


def _late(play: ScoredPlay, row: int, sign: str) -> Iterator[Trap]:
    # Training sees nothing after the first done, be it before the game is over.
    ends = play.done.any()
    late = (int(np.argmax(play.done)) if ends else play.frames) - row
    if late <= play.fps * _LATE_SECONDS:
        return
    when = f"done comes {late:,} frames later" if ends else "done never comes"
    yield Trap(
        kind="done-missed",
        is_serious=True,
        source=play.source,
        frames=(row + 1, row + late),
        term="",
        weight=late / play.frames,
        evidence=f"the game is over on frame {row + 1:,} ({sign}), and {when}",
        cure="add a done condition on it",
    )


def _over(play: ScoredPlay, scene: Scene, lowest: Mapping[str, int]) -> tuple[int, str] | None:
    """The row on which the game ends, and the sign of it."""
    found: list[tuple[int, str]] = []
    lasting = int(play.fps * _LASTS_SECONDS)
    for name, values in play.values.items():
        if OVER.search(name):
            ended, sign = values != values[0], f"{name} becomes {{}}"
        elif LIVES.search(name):
            most = scene.limits.get(name, (0, 255))[1]
            # At the lowest number below zero that any play reaches, be the type signed or not: 0 is
            # often the last life, and in some games so is -1.
            below = ((values < 0) & (values == lowest[name])) | (values == most)
            ended = below & (values[0] < most // 2)
            sign = f"{name} becomes {{}}"
        else:
            continue
        for row in np.flatnonzero(ended[1:] & ~ended[:-1]) + 1:
            if row + lasting < play.frames and ended[row : row + lasting].all():
                found.append((int(row), sign.format(values[row])))
                break
    found += [new for new in new_games(play) if not _uses_menu(play, scene, new[0])]
    return min(found, default=None)


def _uses_menu(play: ScoredPlay, scene: Scene, row: int) -> bool:
    """True when a button of a menu, with which players begin anew, was held around a row."""
    around = int(play.fps * ANEW_SECONDS)
    return bool((play.inputs[max(0, row - around) : row + around] & scene.menu_mask).any())


def lost_control(play: ScoredPlay, frames: tuple[int, int]) -> Trap:
    """The trap of a play without done, at whose end no button has an effect between two frames."""
    first, last = frames
    return Trap(
        kind="done-missed",
        is_serious=True,
        source=play.source,
        frames=frames,
        term="",
        weight=1 - first / play.frames,
        evidence=f"no button has an effect from frame {first:,} to {last:,}, as when the game is "
        "over, and done never comes",
        cure="add a done condition on the end of the game",
    )


def stands_still(play: ScoredPlay, memory: Memory) -> Iterator[Trap]:
    """To the end of a play, little moves whatever is pressed: the game is over, and nobody says so.

    Lives do not always tell: in some games the last one is 0, and stays so.
    """
    if play.done.any():
        return
    still = _still_parts(play, memory)
    first = play.frames - still * _PART_FRAMES
    pressed = len(np.unique(play.inputs[first:]))
    if still * _PART_FRAMES < _STILL_SECONDS * play.fps or pressed < _FEWEST_INPUTS:
        return
    if (play.earned[first:] > 0).any():
        return
    yield Trap(
        kind="done-missed",
        is_serious=True,
        source=play.source,
        frames=(first + 1, play.frames),
        term="",
        weight=1 - first / play.frames,
        evidence=f"from frame {first + 1:,} to the end almost nothing moves and nothing pays, "
        "whatever is pressed, and done never comes",
        cure="add a done condition on the end of the game; move the start of the movie if it waits",
    )


def _still_parts(play: ScoredPlay, memory: Memory) -> int:
    """The number of parts at the end in which few bytes move, compared with the liveliest part."""
    parts = play.frames // _PART_FRAMES
    if parts * _PART_FRAMES < 2 * _STILL_SECONDS * play.fps:
        return 0
    ends = [play.frames - part * _PART_FRAMES for part in range(parts)]
    # Play is lively somewhere in its beginning; looking there first spares the rest.
    lively = max(_moving(memory, end) for end in ends[-3:])
    for still, end in enumerate(ends):
        if _moving(memory, end) > _STILL * lively:
            return still
    return 0


def _moving(memory: Memory, end: int) -> int:
    """The bytes that move in the part before a frame."""
    looked = [memory(frame) for frame in range(end - _PART_FRAMES, end + 1, _LOOK_FRAMES)]
    return int(np.any([each != looked[0] for each in looked], axis=0).sum())


def done_alive(play: ScoredPlay, _: Scene) -> Iterator[Trap]:
    """Done while no life is lost, no stage is passed, and play goes on paying."""
    rows = np.flatnonzero(play.done)
    if not len(rows) or not _is_alive(play, int(rows[0])) or _is_last_life(play, int(rows[0])):
        return
    row = int(rows[0])
    stop = row + int(play.fps * _AFTER_SECONDS)
    if not (earned_by_events(play)[row + 1 :] > 0).any():
        return
    yield Trap(
        kind="done-alive",
        is_serious=True,
        source=play.source,
        frames=(row + 1, stop),
        term="",
        weight=1 - row / play.frames,
        evidence=f"done comes on frame {row + 1:,}, but no life is lost within "
        f"{_AFTER_SECONDS:.0f} s of it, and play goes on to earn",
        cure=_ALIVE_CURE,
    )


def done_paid(plays: Sequence[ScoredPlay], _: Scene) -> Iterator[Trap]:
    """Most dones come on a frame that pays, and play goes on to earn: death does not pay.

    A life that is lost soon after by chance does not excuse such a done, as it does a single one.
    """
    ended = [play for play in plays if play.done.any()]
    paid = [play for play in ended if _ends_with_pay(play)]
    different = {play.inputs.tobytes() for play in paid}
    if len(different) < _FEWEST_PLAYS or len(paid) < _MOST_PLAYS * len(ended):
        return
    play = max(paid, key=lambda each: each.frames - int(np.argmax(each.done)))
    row = int(np.argmax(play.done))
    yield Trap(
        kind="done-alive",
        is_serious=True,
        source=play.source,
        frames=(row + 1, row + 1),
        term="",
        weight=1 - row / play.frames,
        evidence=f"done comes on a frame that pays in {len(paid)} of {len(ended)} plays that end, "
        "with no life lost then, and play goes on to earn",
        cure=_ALIVE_CURE,
    )


def _ends_with_pay(play: ScoredPlay) -> bool:
    row, around = int(np.argmax(play.done)), int(play.fps * _EARLY_SECONDS)
    earned = earned_by_events(play)
    return bool(
        row > around
        and earned[row] > 0
        and (earned[row + 1 :] > 0).any()
        and not _tells_of_end(play, row, around)
    )


def _is_alive(play: ScoredPlay, row: int) -> bool:
    """True when the numbers that tell of death and stages stand still around a row.

    False too where there is no number of lives, or where the play ends soon after the row.
    """
    around = int(play.fps * _AFTER_SECONDS)
    if row + around >= play.frames or not any(LIVES.search(name) for name in play.values):
        return False
    return not _tells_of_end(play, row, around)


def _tells_of_end(play: ScoredPlay, row: int, around: int) -> bool:
    """True when a number that tells of death or of stages moves within frames around a row."""
    span = slice(max(0, row - around), row + around)
    return any(
        np.ptp(values[span]) > 0 for name, values in play.values.items() if tells_of_ends(name)
    )


def _is_last_life(play: ScoredPlay, row: int) -> bool:
    """True where lives have fallen as low as they ever do: many games end with that number."""
    lives = [values for name, values in play.values.items() if LIVES.search(name)]
    return any(each[row] == each.min() < each[0] for each in lives)


def clock_only(plays: Sequence[ScoredPlay], scene: Scene) -> Iterator[Trap]:
    """Most plays end on the same frame, whatever was pressed.

    A life that is lost then, and that done asks for, tells of an obstacle that all players met.
    """
    ends = [(int(np.argmax(play.done)), play) for play in plays if play.done.any()]
    together = max(
        ([end for end in ends if abs(end[0] - row) <= 1] for row, _ in ends), key=len, default=[]
    )
    different = {play.inputs.tobytes() for _, play in together}
    alive = sum(_is_alive(play, row) for row, play in together)
    most = _MOST_ALIVE if 2 * alive > len(together) else _MOST_PLAYS
    if len(different) < _FEWEST_PLAYS or len(together) < most * len(plays):
        return
    row, play = together[0]
    early = row < play.fps * _EARLY_SECONDS
    if not early and sum(_dies(play, scene, row) for row, play in together) > len(together) / 2:
        return
    yield Trap(
        kind="done-at-once" if early else "clock-only",
        is_serious=True,
        source=play.source,
        frames=(row + 1, row + 1),
        term="",
        weight=1.0,
        evidence=f"{len(together)} of {len(plays)} plays end on frame {row + 1:,}, "
        "whatever is pressed",
        cure="test the value that the game has at its end, and not one that it has from the start"
        if early
        else "add a done condition for death: agents learn nothing from an end by time alone",
    )


def _dies(play: ScoredPlay, scene: Scene, row: int) -> bool:
    """True when a number of lives that done asks for falls within half a second of a row."""
    around = int(play.fps * _EARLY_SECONDS)
    near = slice(max(0, row - around), row + around)
    return any(
        LIVES.search(name) and name in scene.done_tests and np.any(np.diff(values[near]) < 0)
        for name, values in play.values.items()
    )


def tests_clocks(plays: Sequence[ScoredPlay], scene: Scene) -> Iterator[Trap]:
    """Done asks for the time alone, though the integration knows of lives or of the game's end.

    Plays that die before the time is up do not show it, so the variables of done are looked at.
    """
    tests = sorted(scene.done_tests)
    others = {name for play in plays for name in play.values} - scene.done_tests
    deaths = sorted(name for name in others if LIVES.search(name) or OVER.search(name))
    if not tests or not deaths or not all(is_clock(name, plays) for name in tests):
        return
    play = plays[0]
    yield Trap(
        kind="clock-only",
        is_serious=True,
        source=play.source,
        frames=(1, play.frames),
        term="",
        weight=1.0,
        evidence=f"done tests {' and '.join(tests)} alone, which runs the same whatever is "
        f"pressed, and not {' or '.join(deaths)}",
        cure=f"add a done condition on {deaths[0]}: agents learn nothing from an end by time alone",
    )
