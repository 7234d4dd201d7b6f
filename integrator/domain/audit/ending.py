"""Rules about the end of an episode: done that never comes, or late, or early, or by the clock."""

from collections.abc import Iterator, Sequence

import numpy as np

from integrator.domain.audit.play import Memory, ScoredPlay, Trap, noticed
from integrator.domain.audit.traits import (
    AROUND,
    FEW,
    HALF,
    LONG,
    MOMENT,
    MOST,
    PART,
    SHORT,
    SLACK,
    PlayedGame,
    different,
    earned_by_events,
    is_clock,
    new_games,
    steps,
)


def done_missed(game: PlayedGame) -> Iterator[Trap]:
    """The game was over, and done came late or never."""
    found = [(play, game.lives_of(play)) for play in game.plays]
    lowest: dict[str, int] = {}
    for _, lives in found:
        for name, values in lives.items():
            lowest[name] = min(int(values.min()), lowest.get(name, 0))
    for play, lives in found:
        # With a button of a menu, players start over.
        around, menu = int(play.fps * SHORT), play.inputs & game.scene.menu_mask
        new = new_games(play, lives)
        signs = [
            each for each in new if not menu[max(0, each[0] - around) : each[0] + around].any()
        ]
        for name, values in lives.items():
            # At the lowest number below zero that any play reaches: 0 is often the last life, and
            # in some games so is -1. Some games show other numbers meanwhile.
            over = (values == lowest[name]) & (values < 0)
            signs += [
                (row, f"{name} becomes {play.values[name][row]}")
                for row in (np.flatnonzero(over[1:] & ~over[:-1]) + 1).tolist()
                if row + around < play.frames and over[row : row + around].all()
            ][:1]
        # Training sees nothing after the first done, be it before the game is over.
        row, sign = min(signs, default=(play.frames, ""))
        late = play.end - row
        if late > play.fps * SHORT:
            when = f"comes {late:,} frames later" if play.done.any() else "never comes"
            text = f"the game is over on frame {row + 1:,} ({sign}), and done {when}"
            yield noticed(play, (row, row + late - 1), text, weight=late / play.frames)


def no_done(game: PlayedGame) -> Iterator[Trap]:
    """The scenario has no done condition; a remark where no number of lives asks for one."""
    if not game.scene.has_done:
        lost = max(game.plays, key=lambda play: _losses(game, play))
        number, lives = _losses(game, lost), " and ".join(sorted(game.lives))
        although = f", although {lives} fell {number} times" if number else ""
        text = f"the scenario has no done condition, so an episode never ends{although}"
        rows = (0, lost.frames - 1)
        yield noticed(lost, rows, text, weight=PART, is_serious=number > 0)


def _losses(game: PlayedGame, play: ScoredPlay) -> int:
    return sum(int((steps(lives) < 0).sum()) for lives in game.lives_of(play).values())


def lost_control(play: ScoredPlay, frames: tuple[int, int]) -> Trap:
    """The trap of a play without done, at whose end no button has an effect between two frames."""
    first, last = frames
    text = (
        f"no button has an effect from frame {first:,} to {last:,}, as when the game is over, and "
        "done never comes"
    )
    return noticed(play, (first - 1, last - 1), text, weight=1 - first / play.frames)


def stands_still(play: ScoredPlay, memory: Memory) -> Iterator[Trap]:
    """To the end of a play, little moves whatever is pressed: the game is over, and nobody says so.

    Lives do not always show it: in some games the last one is 0, and stays so.
    """
    part = int(SHORT * play.fps)
    first = play.frames - _still_parts(play, memory, part) * part
    if play.done.any() or play.frames - first < LONG * play.fps:
        return
    if len(np.unique(play.inputs[first:])) > FEW and not (play.earned[first:] > 0).any():
        text = (
            f"from frame {first + 1:,} to the end almost nothing moves and nothing pays, whatever "
            "is pressed, and done never comes"
        )
        cure, rows = "; move the start of the movie if it waits", (first, play.frames - 1)
        yield noticed(play, rows, text, weight=1 - first / play.frames, cure=cure)


def _still_parts(play: ScoredPlay, memory: Memory, part: int) -> int:
    """The number of parts at the end in which few bytes move, compared with the liveliest part."""
    ends = range(play.frames, part - 1, -part)
    if len(ends) * part < 2 * LONG * play.fps:
        return 0

    def moving(end: int) -> int:
        looked = [memory(frame) for frame in range(end - part, end + 1, SLACK)]
        return int(np.any([each != looked[0] for each in looked], axis=0).sum())

    # Play is lively somewhere in its beginning; looking there first spares the rest.
    lively = max(moving(end) for end in ends[-FEW:])
    return next((n for n, end in enumerate(ends) if moving(end) > PART * lively), 0)


def done_alive(game: PlayedGame) -> Iterator[Trap]:
    """Done while no life is lost, no stage is passed, and play goes on paying."""
    for play in game.plays:
        row, lives = play.end, game.lives_of(play).values()
        # Many games end with the lowest number of lives, which is often 0.
        if not _is_alive(game, play, row) or any(v[row] == v.min() < v[0] for v in lives):
            continue
        if (earned_by_events(play)[row + 1 :] > 0).any():
            text = (
                f"done comes on frame {row + 1:,}, but no life is lost within {AROUND:.0f} s of "
                "it, and play goes on to earn"
            )
            rows = (row, row + int(play.fps * AROUND) - 1)
            yield noticed(play, rows, text, weight=1 - row / play.frames)


def done_paid(game: PlayedGame) -> Iterator[Trap]:
    """Most dones come on a frame that pays, and play goes on to earn: death does not pay.

    A life that is lost soon after by chance does not excuse such a done, as it does a single one.
    """
    ended = [play for play in game.plays if play.done.any()]
    paid = [play for play in ended if _ends_with_pay(game, play)]
    if len(different(paid)) >= FEW and len(paid) >= MOST * len(ended):
        play = max(paid, key=lambda each: each.frames - each.end)
        row = play.end
        text = (
            f"done comes on a frame that pays in {len(paid)} of {len(ended)} plays that end, with "
            "no life lost then, and play goes on to earn"
        )
        yield noticed(play, (row, row), text, weight=1 - row / play.frames)


def _ends_with_pay(game: PlayedGame, play: ScoredPlay) -> bool:
    row, earned = play.end, earned_by_events(play)
    pays = earned[row] > 0 and (earned[row + 1 :] > 0).any()
    return bool(row > play.fps * MOMENT and pays and not _tells_of_end(game, play, row, MOMENT))


def _is_alive(game: PlayedGame, play: ScoredPlay, row: int) -> bool:
    """True when the numbers that show death and stages stand still around a row.

    False too where there is no number of lives, or where the play ends soon after the row.
    """
    known = any(name in play.values for name in game.lives)
    near_end = row + int(play.fps * AROUND) >= play.frames
    return known and not near_end and not _tells_of_end(game, play, row, AROUND)


def _tells_of_end(game: PlayedGame, play: ScoredPlay, row: int, seconds: float) -> bool:
    """True when a number that shows death or stages moves within a time around a row."""
    around = int(play.fps * seconds)
    near = slice(max(0, row - around), row + around)
    names = game.telling - (game.scene.done_tests - game.lives)
    return any(np.ptp(play.values[name][near]) > 0 for name in names if name in play.values)


def clock_only(game: PlayedGame) -> Iterator[Trap]:
    """Most plays end on the same frame, whatever was pressed.

    A life that is lost then, and that done asks for, shows an obstacle that all players met.
    """
    plays, together = game.plays, _together(game.plays)
    dying = sum(_dies(game, each) for each in together)
    alive = sum(_is_alive(game, each, each.end) for each in together)
    most = HALF if 2 * alive > len(together) else MOST
    if len(different(together)) < FEW or len(together) < most * len(plays):
        return
    if 2 * dying <= len(together) and not _is_at_once(together[0]):
        yield _ends_alike(game, together)


def done_at_once(game: PlayedGame) -> Iterator[Trap]:
    """Most plays end as soon as they begin."""
    together = _together(game.plays)
    most = len(different(together)) >= FEW and len(together) >= MOST * len(game.plays)
    if most and _is_at_once(together[0]):
        yield _ends_alike(game, together)


def _together(plays: Sequence[ScoredPlay]) -> list[ScoredPlay]:
    """Most of the plays that end, all on one frame, or on the next."""
    ended = [play for play in plays if play.done.any()]
    groups = ([play for play in ended if abs(play.end - each.end) <= 1] for each in ended)
    return max(groups, key=len, default=[])


def _is_at_once(play: ScoredPlay) -> bool:
    return play.end < play.fps * MOMENT


def _ends_alike(game: PlayedGame, together: Sequence[ScoredPlay]) -> Trap:
    play, row = together[0], together[0].end
    text = (
        f"{len(together)} of {len(game.plays)} plays end on frame {row + 1:,}, whatever is pressed"
    )
    return noticed(play, (row, row), text, weight=1.0)


def _dies(game: PlayedGame, play: ScoredPlay) -> bool:
    """True when a number of lives that done asks for falls within half a second of done."""
    around = int(play.fps * MOMENT)
    near = slice(max(0, play.end - around), play.end + around)
    lives = game.lives_of(play)
    return any(
        (steps(lives[name][near]) < 0).any() for name in lives.keys() & game.scene.done_tests
    )


def tests_clocks(game: PlayedGame) -> Iterator[Trap]:
    """Done asks for the time alone, though the integration knows of lives.

    Plays that die before the time is up do not show it, so the variables of done are looked at.
    """
    tests, plays = sorted(game.scene.done_tests), game.plays
    deaths = sorted(game.lives - game.scene.done_tests)
    if tests and deaths and all(is_clock(name, plays) for name in tests):
        text = (
            f"done tests {' and '.join(tests)} alone, which runs the same whatever is pressed, and "
            f"not {' or '.join(deaths)}"
        )
        yield noticed(plays[0], (0, plays[0].frames - 1), text, weight=1.0)
