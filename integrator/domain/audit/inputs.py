"""Reward that needs no play: nothing pressed, or one thing held, earns it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.audit.clocks import FEWEST_TICKS, LEAST_COVERED, PERIODS_HELD, ticks
from integrator.domain.audit.play import Scene, ScoredPlay, Trap, span_of

_LEAST_SECONDS: Final = 10.0
_ROW_SECONDS: Final = 5.0
"""Bonuses that a game counts at the end of a level pay frames in a row, too, but fewer."""
_SERIOUS: Final = 0.8
"""A trap: so much of the best other play's reward, a minute and in all, that play adds little.

In some games enemies destroy each other; reward by a clock is a rule of its own.
"""
_WORTH_A_REMARK: Final = 0.1
_FEWEST_PAYMENTS: Final = 5
"""Fewer may be luck."""
_CURE: Final = "reward a change that only play can bring about"


def idle_reward(plays: Sequence[ScoredPlay], scene: Scene) -> Iterator[Trap]:
    """Plays without a change of input that earn what others work for.

    They are compared by what they earn in the same time, because an idle play that soon ends may
    have been lucky until then, and by what they earn a minute, because any play may come to the
    end of a short episode some day. A held button is a remark at most: in some games, to run
    right is to play.
    """
    long = [play for play in plays if play.seconds >= _LEAST_SECONDS]
    for play in long:
        if not play.is_constant:
            continue
        frames, best = _best_other(play, long)
        earned = play.earned_within(frames)
        in_all, pace = _shares(play, best, frames) if best else (1.0, 1.0)
        share = min(1.0, in_all, pace)
        if earned <= 0 or share < _WORTH_A_REMARK:
            continue
        mask, term = int(play.inputs[-1]), _payer(play)
        paying = np.flatnonzero(play.earned[play.until_done] > 0)
        what = f"{scene.spell(mask)} held" if mask else "no button pressed"
        beside = f", and the best other play {best.earned_within(frames):,.6g}" if best else ""
        yield Trap(
            kind="reward-without-input",
            is_serious=play.is_idle and len(paying) >= _FEWEST_PAYMENTS and share >= _SERIOUS,
            source=play.source,
            frames=span_of(paying),
            term=term,
            weight=share,
            evidence=f"with {what} from the start, this play earned {earned:,.6g} in "
            f"{frames / play.fps:.0f} s{beside}",
            cure=_cure(term, scene),
        )


def clockwork(play: ScoredPlay, scene: Scene) -> Iterator[Trap]:
    """The same reward at even pauses, while the input never changes: a clock pays, and no event."""
    frames = len(play.rewards[play.until_done])
    if not play.is_constant or frames < _LEAST_SECONDS * play.fps:
        return
    for name, column in play.payers.items():
        rows, period = ticks(column[:frames])
        if len(rows) < FEWEST_TICKS:
            continue
        if len(rows) * period < LEAST_COVERED * frames and not _pays_frames(play, rows):
            continue
        if not play.is_idle and period not in PERIODS_HELD:
            continue
        mask = int(play.inputs[-1])
        what = f"{scene.spell(mask)} held" if mask else "no button pressed"
        menu = mask & scene.menu_mask
        paid = float(column[rows].sum())
        yield Trap(
            kind="reward-without-input",
            is_serious=True,
            source=play.source,
            frames=span_of(rows),
            term=name,
            weight=paid / float(np.abs(play.rewards[:frames]).sum()),
            evidence=f"with {what} from the start, {name or 'the script'} paid "
            f"{column[rows[0]]:,.6g} every {period / play.fps:.2f} s, {len(rows)} times, "
            "whatever happened in the game",
            cure=_cure(name, scene)
            + (f"; or leave {scene.spell(menu)} out of the actions" if menu else ""),
        )


def _cure(term: str, scene: Scene) -> str:
    absolute = f": {term} has measurement absolute, which pays on every frame"
    return _CURE + (absolute if term in scene.absolute else "")


def _pays_frames(play: ScoredPlay, rows: NDArray[np.int64]) -> bool:
    """True when seconds of frames in a row paid though nothing was pressed.

    A state that pays, such as the number of lives, may pay nothing for the rest of the play.
    """
    runs = np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1)
    return play.is_idle and max(map(len, runs)) >= _ROW_SECONDS * play.fps


def _best_other(play: ScoredPlay, plays: Sequence[ScoredPlay]) -> tuple[int, ScoredPlay | None]:
    """The best other play with buttons, and the frames in which both are compared."""
    best, frames, most = None, play.frames, 0.0
    for other in plays:
        common = min(play.frames, other.frames)
        earned = other.earned_within(common)
        if other is not play and not other.is_idle and earned > most:
            best, frames, most = other, common, earned
    return frames, best


def _shares(play: ScoredPlay, other: ScoredPlay, frames: int) -> tuple[float, float]:
    """Two ratios: what both earn in all, and what both earn a frame of their episodes."""
    in_all = play.earned_within(frames) / other.earned_within(frames)
    lengths = [min(frames, len(each.rewards[each.until_done])) for each in (play, other)]
    return in_all, in_all * lengths[1] / lengths[0]


def _payer(play: ScoredPlay) -> str:
    """The term that paid most."""
    sums = {name: float(column.sum()) for name, column in play.terms.items()}
    return max(sums, key=lambda name: sums[name], default="")
