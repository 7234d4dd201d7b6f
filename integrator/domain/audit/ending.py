"""Rules about the end of an episode: done that never comes, or too late, too early or by time."""

from collections.abc import Iterator, Sequence

import numpy as np

from integrator.domain.audit import traits
from integrator.domain.audit.play import Memory, ScoredPlay, Trap, noticed


def done_missed(game: traits.PlayedGame) -> Iterator[Trap]:
    """Find plays in which the game was over, but done came over two seconds later or never."""
    found = [(play, game.lives_of(play)) for play in game.plays]
    lowest: dict[str, int] = {}
    for _, lives in found:
        for name, values in lives.items():
            lowest[name] = min(int(values.min()), lowest.get(name, 0))
    for play, lives in found:
        # Players restart a game with a menu button, so signs near its presses do not count.
        around, menu = int(play.fps * traits.SHORT), play.inputs & game.scene.menu_mask
        new = traits.new_games(play, lives)
        signs = [
            each for each in new if not menu[max(0, each[0] - around) : each[0] + around].any()
        ]
        for name, values in lives.items():
            # The game is over at the lowest negative number that any play reaches: 0 is often the
            # last life, and in some games -1 is. The number must last for two seconds, because
            # some games write other numbers for a moment.
            over = (values == lowest[name]) & (values < 0)
            signs += [
                (row, f"{name} becomes {play.values[name][row]}")
                for row in (np.flatnonzero(over[1:] & ~over[:-1]) + 1).tolist()
                if row + around < play.frames and over[row : row + around].all()
            ][:1]
        # Training sees nothing after the first done. If that comes before the game is over, the
        # delay is negative, and there is no trap.
        row, sign = min(signs, default=(play.frames, ""))
        late = play.end - row
        if late > play.fps * traits.SHORT:
            when = f"comes {late:,} frames later" if play.done.any() else "never comes"
            text = f"the game is over on frame {row + 1:,} ({sign}), but done {when}"
            yield noticed(play, (row, row + late - 1), text, weight=late / play.frames)


def no_done(game: traits.PlayedGame) -> Iterator[Trap]:
    """Report a scenario without a done condition; this is only a remark if no lives fall."""
    if not game.scene.has_done:
        lost = max(game.plays, key=lambda play: _losses(game, play))
        number, lives = _losses(game, lost), " and ".join(sorted(game.lives))
        although = f", although {lives} fell {number} times" if number else ""
        text = f"the scenario has no done condition, so an episode never ends{although}"
        yield noticed(lost, (0, lost.frames - 1), text, weight=traits.PART, is_serious=number > 0)


def _losses(game: traits.PlayedGame, play: ScoredPlay) -> int:
    return sum(int((traits.steps(lives) < 0).sum()) for lives in game.lives_of(play).values())


def lost_control(play: ScoredPlay, frames: tuple[int, int]) -> Trap:
    """Return the trap of a play without done in whose last ``frames`` no button has an effect."""
    first, last = frames
    text = (
        f"no button has an effect from frame {first:,} to {last:,}, as when the game is over, but "
        "done never comes"
    )
    return noticed(play, (first - 1, last - 1), text, weight=1 - first / play.frames)


def stands_still(play: ScoredPlay, memory: Memory) -> Iterator[Trap]:
    """Find a play that ends with ten seconds or more in which little memory changes, without done.

    Several inputs are pressed in that time and nothing pays, so the game is over. Lives do not
    always show this: in some games the number is 0 during the last life, and stays 0 after it."""
    part = int(traits.SHORT * play.fps)
    first = play.frames - _still_parts(play, memory, part) * part
    if play.done.any() or play.frames - first < traits.LONG * play.fps:
        return
    if len(np.unique(play.inputs[first:])) > traits.FEW and not (play.earned[first:] > 0).any():
        text = (
            f"from frame {first + 1:,} to the end almost nothing moves and nothing pays, whatever "
            "is pressed, but done never comes"
        )
        cure = "; or start the movie later, if it only waits for the game to begin"
        rows = (first, play.frames - 1)
        yield noticed(play, rows, text, weight=1 - first / play.frames, cure=cure)


def _still_parts(play: ScoredPlay, memory: Memory, part: int) -> int:
    """Return how many parts of ``part`` frames at the end have few changing bytes. Few means at
    most 30% of those in the liveliest of the first three parts."""
    ends = range(play.frames, part - 1, -part)
    if len(ends) * part < 2 * traits.LONG * play.fps:
        return 0

    def moving(end: int) -> int:
        looked = [memory(frame) for frame in range(end - part, end + 1, traits.SLACK)]
        return int(np.any([each != looked[0] for each in looked], axis=0).sum())

    # Every play is lively somewhere in its beginning, so the middle need not be read.
    lively = max(moving(end) for end in ends[-traits.FEW :])
    return next((n for n, end in enumerate(ends) if moving(end) > traits.PART * lively), 0)


def done_alive(game: traits.PlayedGame) -> Iterator[Trap]:
    """Find a done at which no life is lost and no stage is passed, and after which play earns."""
    for play in game.plays:
        row, lives = play.end, game.lives_of(play).values()
        # A done at the lowest number of lives, often 0, is the end of the game in many games.
        if not _is_alive(game, play, row) or any(v[row] == v.min() < v[0] for v in lives):
            continue
        if (traits.earned_by_events(play)[row + 1 :] > 0).any():
            text = (
                f"done comes on frame {row + 1:,}, but no life is lost within "
                f"{traits.AROUND:.0f} s of it, and the play earns more after it"
            )
            rows = (row, row + int(play.fps * traits.AROUND) - 1)
            yield noticed(play, rows, text, weight=1 - row / play.frames)


def done_paid(game: traits.PlayedGame) -> Iterator[Trap]:
    """Find dones of which most come on a frame that pays, and after which play still earns.

    Such a done is no death, because death does not pay. It is excused by a life that is lost, or a
    stage that is passed, within half a second. :func:`done_alive`, which judges single dones,
    allows three seconds, but in several plays a life lost so late is a coincidence."""
    ended = [play for play in game.plays if play.done.any()]
    paid = [play for play in ended if _ends_with_pay(game, play)]
    if len(traits.different(paid)) >= traits.FEW and len(paid) >= traits.MOST * len(ended):
        play = max(paid, key=lambda each: each.frames - each.end)
        row = play.end
        text = (
            f"in {len(paid)} of {len(ended)} plays with done, done comes on a frame that pays, no "
            "life is lost then, and the play earns more after it"
        )
        yield noticed(play, (row, row), text, weight=1 - row / play.frames)


def _ends_with_pay(game: traits.PlayedGame, play: ScoredPlay) -> bool:
    row, earned = play.end, traits.earned_by_events(play)
    pays = earned[row] > 0 and (earned[row + 1 :] > 0).any()
    return bool(
        row > play.fps * traits.MOMENT and pays and not _is_marked(game, play, row, traits.MOMENT)
    )


def _is_alive(game: traits.PlayedGame, play: ScoredPlay, row: int) -> bool:
    """Return True if no death and no new stage is marked within three seconds of a row. Return
    False if the play has no number of lives, or ends within these three seconds."""
    known = any(name in play.values for name in game.lives)
    near_end = row + int(play.fps * traits.AROUND) >= play.frames
    return known and not near_end and not _is_marked(game, play, row, traits.AROUND)


def _is_marked(game: traits.PlayedGame, play: ScoredPlay, row: int, seconds: float) -> bool:
    """Return True if a marker of death or stages changes within ``seconds`` before or after a row.
    Variables that done tests do not count as markers here, except lives."""
    around = int(play.fps * seconds)
    near = slice(max(0, row - around), row + around)
    names = game.markers - (game.scene.done_tests - game.lives)
    return any(np.ptp(play.values[name][near]) > 0 for name in names if name in play.values)


def clock_only(game: traits.PlayedGame) -> Iterator[Trap]:
    """Find plays of which most end on the same frame, whatever was pressed.

    If most of these lose a life then, and done tests lives, all players met the same obstacle."""
    plays, together = game.plays, _together(game.plays)
    dying = sum(_dies(game, each) for each in together)
    alive = sum(_is_alive(game, each, each.end) for each in together)
    most = traits.HALF if 2 * alive > len(together) else traits.MOST
    if len(traits.different(together)) < traits.FEW or len(together) < most * len(plays):
        return
    if 2 * dying <= len(together) and together[0].end >= together[0].fps * traits.MOMENT:
        yield _ends_alike(game, together)


def done_at_once(game: traits.PlayedGame) -> Iterator[Trap]:
    """Find plays of which most end on the same frame of their first half second."""
    together = _together(game.plays)
    most = len(traits.different(together)) >= traits.FEW and len(together) >= traits.MOST * len(
        game.plays
    )
    if most and together[0].end < together[0].fps * traits.MOMENT:
        yield _ends_alike(game, together)


def _together(plays: Sequence[ScoredPlay]) -> list[ScoredPlay]:
    """Return the largest group of plays whose first done is on the same frame, give or take one."""
    ended = [play for play in plays if play.done.any()]
    groups = ([play for play in ended if abs(play.end - each.end) <= 1] for each in ended)
    return max(groups, key=len, default=[])


def _ends_alike(game: traits.PlayedGame, together: Sequence[ScoredPlay]) -> Trap:
    play, row = together[0], together[0].end
    text = (
        f"{len(together)} of {len(game.plays)} plays end on frame {row + 1:,}, whatever is pressed"
    )
    return noticed(play, (row, row), text, weight=1.0)


def _dies(game: traits.PlayedGame, play: ScoredPlay) -> bool:
    """Return True if lives that done tests fall within half a second of done."""
    around = int(play.fps * traits.MOMENT)
    near = slice(max(0, play.end - around), play.end + around)
    lives = game.lives_of(play)
    return any(
        (traits.steps(lives[name][near]) < 0).any() for name in lives.keys() & game.scene.done_tests
    )


def tests_clocks(game: traits.PlayedGame) -> Iterator[Trap]:
    """Report done conditions that test only clocks, although the integration has lives.

    Plays that die early end on other frames, so this rule looks at the variables in the tests."""
    tests, plays = sorted(game.scene.done_tests), game.plays
    deaths = sorted(game.lives - game.scene.done_tests)
    if tests and deaths and all(traits.is_clock(name, plays) for name in tests):
        text = (
            f"done tests {' and '.join(tests)} alone, which changes at the same pace whatever is "
            f"pressed, and not {' or '.join(deaths)}"
        )
        yield noticed(plays[0], (0, plays[0].frames - 1), text, weight=1.0)
