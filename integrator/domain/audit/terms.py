"""Single terms: signs, jumps, terms that never pay or pay all, reward at the reset."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.audit.clocks import earned_by_events
from integrator.domain.audit.play import Scene, ScoredPlay, Trap
from integrator.domain.audit.wraps import LARGE_STEP, wraps

GAINS: Final = re.compile(r"score|point|coin|ring|gem|kill|money|cash|level|stage", re.IGNORECASE)
_STAGE: Final = re.compile(r"^(cur(rent)?_?)?(level|stage|world)(_?num(ber)?)?$", re.IGNORECASE)
LOSSES: Final = re.compile(r"live|lives|life|health|energy|hp\b|shield|fuel|oxygen", re.IGNORECASE)
_FEWEST_WRAPS: Final = 2
"""A number that ends once where it began may have been set back."""
_NARROW: Final = 64
"""A variable that stays in a narrower range does not overflow."""
_FEWEST_RISES: Final = 3
_START_FRAMES: Final = 2
_WELCOME_SECONDS: Final = 3.0
_WELCOMED: Final = 0.9
_MOST_WELCOMES: Final = 2
_FEWEST_PLAYS: Final = 3
_STEADY: Final = 0.5
_ALL: Final = 0.98


def wrong_sign(play: ScoredPlay, _: Scene) -> Iterator[Trap]:
    """A score whose rise costs, or lives whose loss pays."""
    # Of two scores one is the opponent's; a stage that is passed is the player's.
    scores = [name for name in play.terms if GAINS.search(name) and not _STAGE.search(name)]
    for name, column in play.terms.items():
        if name not in play.values:
            continue
        change = np.diff(play.values[name], prepend=play.values[name][:1])
        if [name] == scores or _STAGE.search(name):
            moved, wrong, text = change > 0, column < 0, "costs when it rises"
        elif LOSSES.search(name):
            moved, wrong, text = change < 0, column > 0, "pays when it falls"
        else:
            continue
        rows = moved & wrong
        if 2 * rows.sum() > moved.sum() and _is_of_change(play, wrong, rows):
            yield trap_of(
                "wrong-sign",
                play,
                name,
                rows,
                f"{name} {text}: {int(rows.sum())} times, {column[rows].sum():+,.6g} in all",
                "turn the sign of the term's reward or penalty",
            )


def script_sign(play: ScoredPlay, _: Scene) -> Iterator[Trap]:
    """A script that pays less than nothing when the score rises, whatever score there is."""
    scores = [
        np.diff(values, prepend=values[:1]) > 0
        for name, values in play.values.items()
        if GAINS.search(name) and not _STAGE.search(name)
    ]
    # A score that rises alone may be the opponent's.
    if not scores or min(int(rises.sum()) for rises in scores) < _FEWEST_RISES:
        return
    for name, column in play.earning.items():
        costs = column < 0
        rows = np.logical_or.reduce(scores) & costs
        if (
            name not in play.values
            and all(2 * (rises & costs).sum() > rises.sum() for rises in scores)
            and _is_of_change(play, costs, rows)
        ):
            yield trap_of(
                "wrong-sign",
                play,
                name,
                rows,
                f"{name} costs when the score rises: {int(rows.sum())} times, "
                f"{column[rows].sum():+,.6g} in all",
                "turn the sign of the script's reward",
            )


def _is_of_change(play: ScoredPlay, wrong: NDArray[np.bool_], rows: NDArray[np.bool_]) -> bool:
    """False for what is wrong more often on other frames than ``rows``, those of a change.

    A number that pays while it lasts does so.
    """
    return bool((wrong & ~rows)[play.until_done].sum() <= rows.sum())


def jumps(play: ScoredPlay, scene: Scene) -> Iterator[Trap]:
    """Rewards by a variable that ran over the end of its type, or that lack because it did."""
    for name, column in play.terms.items():
        if name not in play.values or name not in scene.limits:
            continue
        values = play.values[name]
        least, most = scene.limits[name]
        change = np.abs(np.diff(values, prepend=values[:1]))
        # A step of half the range is as far the other way: it is a bit that is set or cleared.
        rows = (change > LARGE_STEP * (most - least + 1)) & (column != 0) & (change > _NARROW)
        # Training sees nothing after the first done, where a new game may set numbers back.
        rows[len(play.rewards[play.until_done]) :] = False
        # The term of the next higher byte may pay the carry.
        rows &= np.abs(play.rewards) > np.abs(column) / 2
        unpaid = _unpaid_wraps(play, name, scene.limits[name])
        if rows.any():
            text = f"and pays {column[rows].sum():+,.6g}"
        elif unpaid.sum() >= _FEWEST_WRAPS:
            rows, text = unpaid, f"{int(unpaid.sum())} times, and pays nothing for it"
        else:
            continue
        yield trap_of(
            "jump",
            play,
            name,
            rows,
            f"{name} jumps by {int(change[rows].max()):,} in one frame, as a number does "
            f"that runs over {least} or {most}, or that is set anew, {text}",
            "give the variable a wider type, or a term for each of its bytes; or pay for other "
            "changes alone",
        )


def _unpaid_wraps(play: ScoredPlay, name: str, limits: tuple[int, int]) -> NDArray[np.bool_]:
    """Rows of the episode on which a number goes on over its end, in the direction that pays."""
    values, column = play.values[name], play.terms[name]
    steps = np.diff(values, prepend=values[:1])
    pays = int(np.sign(steps[column > 0].sum()))
    rows: NDArray[np.bool_] = (wraps(values, limits) == pays) & (pays != 0) & (column <= 0)
    # Another term that pays on the row may count the carry.
    rows &= play.rewards <= column
    rows[len(play.rewards[play.until_done]) :] = False
    return rows


def reward_at_start(plays: Sequence[ScoredPlay], _: Scene) -> Iterator[Trap]:
    """Reward on the first frames of most plays, before any input can have an effect."""
    paid = [
        play
        for play in plays
        # A term that goes on to pay on every frame is no matter of the start.
        if play.earned[:_START_FRAMES].any()
        and np.mean(play.earned[play.until_done] != 0) < _STEADY
        and np.mean(play.earned[play.until_done][: int(play.fps)] != 0) < _STEADY
    ]
    if 2 * len(paid) > len(plays):
        rows = np.zeros(paid[0].frames, np.bool_)
        rows[:_START_FRAMES] = True
        yield trap_of(
            "reward-at-start",
            paid[0],
            _payer_on(paid[0], rows),
            rows,
            f"the first {_START_FRAMES} frames pay {paid[0].earned[rows].sum():+,.6g} in "
            f"{len(paid)} of {len(plays)} plays, before any input has an effect",
            "save the start state after the variable has its first value",
        )


def welcomed(plays: Sequence[ScoredPlay], _: Scene) -> Iterator[Trap]:
    """The same reward on the same early frame of almost all plays, whatever is pressed."""
    first = max((int(play.fps * _WELCOME_SECONDS) for play in plays), default=0)
    long = [play for play in plays if len(play.rewards[play.until_done]) >= first]
    different = list({play.inputs[:first].tobytes(): play for play in long}.values())
    idle = next((play for play in different if not play.inputs[:first].any()), None)
    if len(different) < _FEWEST_PLAYS or idle is None:
        return
    heads = np.array([earned_by_events(play)[:first] for play in different])
    # Players may begin alike; what comes to those who press nothing, too, is no doing of theirs.
    usual = earned_by_events(idle)[:first]
    common = (usual > 0) & (np.mean(heads == usual, axis=0) >= _WELCOMED)
    common[:_START_FRAMES] = False
    # Reward that goes on in this way comes without input, which is a rule of its own.
    if not 1 <= common.sum() <= _MOST_WELCOMES:
        return
    rows = np.zeros(idle.frames, np.bool_)
    rows[:first] = common
    frame = int(np.flatnonzero(rows)[0])
    yield trap_of(
        "reward-at-start",
        idle,
        _payer_on(idle, rows),
        rows,
        f"frame {frame + 1:,} pays {usual[frame]:+,.6g} in almost all of {len(different)} plays, "
        "whatever is pressed",
        "save the start state later, after this reward",
    )


def shares(plays: Sequence[ScoredPlay], _: Scene) -> Iterator[Trap]:
    """Remarks about terms that never pay, and one that pays almost everything."""
    names = dict.fromkeys(name for play in plays for name in play.earning)
    sums = {
        name: sum(float(np.abs(p.terms[name]).sum()) for p in plays if name in p.terms)
        for name in names
    }
    total = sum(sums.values())
    frames = sum(play.frames for play in plays)
    for name, paid in sums.items():
        if not paid:
            evidence = f"{name} never paid in {frames:,} frames of {len(plays)} plays"
            cure = f"play until {name} changes, or take the term out"
        elif len(sums) > 1 and paid >= _ALL * total:
            evidence = f"{name} pays {paid / total:.1%} of all reward; the other terms do not count"
            cure = "weigh the terms by what they are to mean for the agent"
        else:
            continue
        yield Trap(
            kind="share",
            is_serious=False,
            source="all plays",
            frames=(1, frames),
            term=name,
            weight=0.0,
            evidence=evidence,
            cure=cure,
        )


def _payer_on(play: ScoredPlay, rows: NDArray[np.bool_]) -> str:
    sums = {name: float(np.abs(column[rows]).sum()) for name, column in play.earning.items()}
    return max(sums, key=lambda name: sums[name], default="")


def trap_of(
    kind: str, play: ScoredPlay, term: str, rows: NDArray[np.bool_], evidence: str, cure: str
) -> Trap:
    """A serious trap on rows of a play, which weighs as much as the term gave there."""
    found = np.flatnonzero(rows)
    earned = float(np.abs(play.rewards).sum())
    column = play.terms.get(term, play.rewards)
    share = float(np.abs(column[rows]).sum()) / earned if earned else 0.0
    frames = (int(found[0]) + 1, int(found[-1]) + 1)
    return Trap(
        kind=kind,
        is_serious=True,
        source=play.source,
        frames=frames,
        term=term,
        weight=min(1.0, share),
        evidence=evidence,
        cure=cure,
    )
