"""Reward that needs no play: nothing pressed, or one thing held, earns it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from integrator.domain.audit.play import Scene, ScoredPlay, Trap

_LEAST_SECONDS: Final = 10.0
_SERIOUS_PACE: Final = 0.5
_SERIOUS_IN_ALL: Final = 1 / 3
"""A play is a trap when it earns so much of the best other play's reward, a minute and in all."""
_WORTH_A_REMARK: Final = 0.1


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
        mask = int(play.inputs[-1])
        paying = np.flatnonzero(play.earned > 0)
        what = f"{scene.spell(mask)} held" if mask else "no button pressed"
        beside = f", and the best other play {best.earned_within(frames):,.6g}" if best else ""
        yield Trap(
            kind="reward-without-input",
            is_serious=play.is_idle and in_all >= _SERIOUS_IN_ALL and pace >= _SERIOUS_PACE,
            source=play.source,
            frames=(int(paying[0]) + 1, int(paying[-1]) + 1),
            term=_payer(play),
            weight=share,
            evidence=f"with {what} from the start, this play earned {earned:,.6g} in "
            f"{frames / play.fps:.0f} s{beside}",
            cure="reward a change that only play can bring about; a term of measurement absolute "
            "pays on every frame",
        )


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
