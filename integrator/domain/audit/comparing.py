"""Rules that compare plays: signs, losses, starts and shares; and buttons that do nothing."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.audit.paying import held, play_alone
from integrator.domain.audit.play import Scene, ScoredPlay, Trap, noticed
from integrator.domain.audit.traits import (
    AROUND,
    FEW,
    HALF,
    LONG,
    MOST,
    NEARLY,
    OFTEN,
    SLACK,
    Mask,
    PlayedGame,
    Rows,
    different,
    earned_by_events,
    grows,
    is_clock,
    steps,
)

_START_FRAMES: Final = 2  # before the frame after these, no input can have an effect


def idle_reward(game: PlayedGame) -> Iterator[Trap]:
    """Plays without a change of input that earn what others work for.

    They are compared by what they earn in the same time, because an idle play that soon ends may
    have been lucky until then, and by what they earn a minute, because any play may come to the
    end of a short episode some day. A held button is a remark at most: in some games, to run
    right is to play.
    """
    long = [play for play in game.plays if play.seconds >= LONG]
    for play in long:
        if not play.is_constant:
            continue
        frames, best = _best_other(play, long)
        earned = play.earned_within(frames)
        share = 1.0
        if best:
            in_all = play.earned_within(frames) / best.earned_within(frames)
            lengths = [min(frames, len(each.rewards[each.until_done])) for each in (play, best)]
            share = min(1.0, in_all, in_all * lengths[1] / lengths[0])
        if earned <= 0 or share < 1 - NEARLY:
            continue
        sums = {name: float(column.sum()) for name, column in play.terms.items()}
        term = max(sums, key=lambda name: sums[name], default="")
        paying = np.flatnonzero(play.earned[play.until_done] > 0)
        other = f", and the best other play {best.earned_within(frames):,.6g}" if best else ""
        yield noticed(
            play,
            paying,
            f"{held(play, game.scene)}, this play earned {earned:,.6g} in "
            f"{frames / play.fps:.0f} s{other}",
            term=term,
            weight=share,
            # Fewer payments may be luck. In some games enemies destroy each other.
            is_serious=play.is_idle and len(paying) >= OFTEN and share >= MOST,
            cure=play_alone(term, game.scene),
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


def wrong_sign(game: PlayedGame) -> Iterator[Trap]:
    """A score whose rise costs, or lives whose loss pays."""
    paid = {name for name in game.scores if _pays(game, name)}
    paid |= game.seldom & game.scene.rewarded
    for play in game.plays:
        for name, column in play.terms.items():
            if name not in play.values:
                continue
            change = steps(play.values[name])
            if name in game.lives:
                moved, wrong, text = change < 0, column > 0, "pays when it falls"
            elif name in game.stages or (name in game.scores and not paid - {name}):
                # Of two scores one may be the opponent's, unless neither pays.
                moved, wrong, text = change > 0, column < 0, "costs when it rises"
            else:
                continue
            rows = moved & wrong
            if 2 * rows.sum() > moved.sum() and _is_of_change(play, wrong, rows):
                yield _turned(play, name, column, rows, text)


def _turned(
    play: ScoredPlay, name: str, column: NDArray[np.floating], rows: Mask, text: str
) -> Trap:
    evidence = f"{name} {text}: {int(rows.sum())} times, {column[rows].sum():+,.6g} in all"
    return noticed(play, rows, evidence, term=name)


def _pays(game: PlayedGame, name: str) -> bool:
    """True for a number of which some rise has paid."""
    own = [play for play in game.plays if name in play.values.keys() & play.terms]
    return any((play.terms[name][steps(play.values[name]) > 0] > 0).any() for play in own)


def split_sign(game: PlayedGame) -> Iterator[Trap]:
    """A score in two variables that costs when it rises: one counts the overflows of the other."""
    names = sorted({name for play in game.plays for name in play.terms.keys() & play.values.keys()})
    for low, high in permutations(names, 2):
        base, width = game.scene.digits.get(low, (0, 1))
        plays = [play for play in game.plays if {low, high} <= play.values.keys() & play.terms]
        wholes = [play.values[high] * base**width + play.values[low] for play in plays]
        falls = [steps(play.values[low])[play.until_done] < 0 for play in plays]
        carries = sum(int(each.sum()) for each in falls)
        if not base or carries < 2 or is_clock(low, plays) or not grows(wholes):
            continue
        for play, whole, fall in zip(plays, wholes, falls, strict=True):
            column = play.terms[low] + play.terms[high]
            moved, wrong = steps(whole) > 0, column < 0
            is_carried = (steps(play.values[high])[play.until_done] == 1)[fall].all()
            rows = moved & wrong
            if is_carried and 2 * rows.sum() > moved.sum() and _is_of_change(play, wrong, rows):
                text = f"costs when it rises, with {low}, whose overflows it counts"
                yield _turned(play, high, column, rows, text)


def script_sign(game: PlayedGame) -> Iterator[Trap]:
    """A script that pays less than nothing when the score rises, whatever score there is."""
    for play in game.plays:
        kept = sorted(game.scores & play.values.keys())
        rising = [steps(play.values[name]) > 0 for name in kept]
        # A score that rises alone may be the opponent's.
        if not rising or game.seldom or min(int(rises.sum()) for rises in rising) < FEW:
            continue
        for name, column in play.earning.items():
            costs = column < 0
            rows = np.logical_or.reduce(rising) & costs
            often = all(2 * (rises & costs).sum() > rises.sum() for rises in rising)
            if name not in play.values and often and _is_of_change(play, costs, rows):
                yield _turned(play, name, column, rows, "costs when the score rises")


def _is_of_change(play: ScoredPlay, wrong: Mask, rows: Mask) -> bool:
    """False for what is wrong more often on other frames than ``rows``, those of a change.

    A number that pays while it lasts does so.
    """
    return bool((wrong & ~rows)[play.until_done].sum() <= rows.sum())


def paid_losses(game: PlayedGame) -> Iterator[Trap]:
    """A term that pays most when a life or health is lost."""
    for lost in sorted(game.lives):
        for term in sorted({name for play in game.plays for name in play.earning} - {lost}):
            yield from _loses(different(game.plays), lost, term)


def _loses(plays: Sequence[ScoredPlay], lost: str, term: str) -> Iterator[Trap]:
    losses = 0
    sums: list[float] = []
    sizes: Counter[float] = Counter()
    in_all: Counter[float] = Counter()
    found: list[tuple[float, ScoredPlay, Rows]] = []
    for play in plays:
        if lost not in play.values or term not in play.terms:
            continue
        column = play.terms[term][play.until_done].clip(min=0)
        in_all.update(column[column > 0].tolist())
        # Losses that follow each other sooner run down by themselves, as fuel does.
        rows = np.flatnonzero(steps(play.values[lost][play.until_done]) < 0)
        rows = rows[np.diff(rows, prepend=-play.fps) >= play.fps]
        near = [column[max(0, row - SLACK) : row + SLACK + 1] for row in rows]
        losses += len(rows)
        sums += [float(each.sum()) for each in near if each.any()]
        sizes.update(size for each in near for size in set(each[each > 0].tolist()))
        if len(rows):
            found.append((float(sum(each.sum() for each in near)), play, rows))
    total = sum(size * count for size, count in in_all.items())
    if not found or len(sums) <= max(FEW, MOST * losses - 1):
        return
    # Enemies that the player runs into may pay; then other enemies pay more, or another amount.
    size, count = max(sizes.items(), key=lambda each: each[1])
    own = count >= max(OFTEN, MOST * losses) and count >= HALF * in_all[size]
    if sum(sums) >= HALF * total or own:
        _, play, rows = max(found, key=lambda each: each[0])
        text = f"{term} paid {sum(sums):,.6g} of {total:,.6g} when {lost} fell"
        yield noticed(
            play,
            rows,
            f"{text}, {len(sums)} of {losses} times",
            term=term,
            weight=sum(sums) / total,
            cure=f"reward another change, or give the loss of {lost} a larger penalty",
        )


def reward_at_start(game: PlayedGame) -> Iterator[Trap]:
    """Reward on the first frames of most plays, before any input can have an effect."""
    plays = game.plays
    paid = [
        play
        for play in plays
        # A term that goes on to pay on every frame is no matter of the start.
        if play.earned[:_START_FRAMES].any()
        and np.mean(play.earned[play.until_done] != 0) < HALF
        and np.mean(play.earned[play.until_done][: int(play.fps)] != 0) < HALF
    ]
    if 2 * len(paid) > len(plays):
        rows = np.arange(min(_START_FRAMES, paid[0].frames))
        yield noticed(
            paid[0],
            rows,
            f"the first {_START_FRAMES} frames pay {paid[0].earned[rows].sum():+,.6g} in "
            f"{len(paid)} of {len(plays)} plays, before any input has an effect",
            term=_payer_on(paid[0], rows),
            cure="save the start state after the variable has its first value",
        )


def welcomed(game: PlayedGame) -> Iterator[Trap]:
    """The same reward on the same early frame of almost all plays, whatever is pressed."""
    first = max(int(play.fps * AROUND) for play in game.plays)
    long = [play for play in game.plays if len(play.rewards[play.until_done]) >= first]
    alike = list({play.inputs[:first].tobytes(): play for play in long}.values())
    idle = next((play for play in alike if not play.inputs[:first].any()), None)
    if len(alike) < FEW or idle is None:
        return
    heads = np.array([earned_by_events(play)[:first] for play in alike])
    # Players may begin alike; what comes to those who press nothing, too, is no doing of theirs.
    usual = earned_by_events(idle)[:first]
    common = (usual > 0) & (np.mean(heads == usual, axis=0) >= NEARLY)
    common[:_START_FRAMES] = False
    rows = np.flatnonzero(common)
    # Reward that goes on in this way comes without input, which is a rule of its own.
    if 0 < len(rows) < FEW:
        yield noticed(
            idle,
            rows,
            f"frame {rows[0] + 1:,} pays {usual[rows[0]]:+,.6g} in almost all of {len(alike)} "
            "plays, whatever is pressed",
            term=_payer_on(idle, rows),
            cure="save the start state later, after this reward",
        )


def _payer_on(play: ScoredPlay, rows: Rows) -> str:
    sums = {name: float(np.abs(column[rows]).sum()) for name, column in play.earning.items()}
    return max(sums, key=lambda name: sums[name], default="")


def shares(game: PlayedGame) -> Iterator[Trap]:
    """Remarks about terms that never pay, and one that pays almost everything."""
    plays = game.plays
    names = dict.fromkeys(name for play in plays for name in play.earning)
    sums = {
        name: sum(float(np.abs(p.terms[name]).sum()) for p in plays if name in p.terms)
        for name in names
    }
    total, frames = sum(sums.values()), sum(play.frames for play in plays)
    for name, paid in sums.items():
        if not paid:
            text = f"{name} never paid in {frames:,} frames of {len(plays)} plays"
            cure = f"play until {name} changes, or take the term out"
        elif len(sums) > 1 and paid >= 0.98 * total:
            text = f"{name} pays {paid / total:.1%} of all reward; the other terms do not count"
            cure = "weigh the terms by what they are to mean for the agent"
        else:
            continue
        yield Trap(
            is_serious=False,
            source="all plays",
            frames=(1, frames),
            term=name,
            evidence=text,
            cure=cure,
        )


@dataclass(frozen=True, slots=True)
class Effects:
    """Memory after each mask was pressed at some moments of play: by mask, a digest a moment.

    Mask 0 is among them. ``source`` is the play whose moments these are; ``moments`` its frames.
    """

    source: str
    moments: tuple[int, ...]
    digests: Mapping[int, tuple[bytes, ...]]


def without_effect(effects: Effects, scene: Scene) -> Iterator[Trap]:
    """Buttons after which memory is as if nothing had been pressed, or another button."""
    idle = effects.digests[0]
    groups: dict[tuple[bytes, ...], list[int]] = {}
    for mask, digests in effects.digests.items():
        groups.setdefault(digests, []).append(mask)
    for digests, masks in groups.items():
        names = [scene.spell(mask) for mask in masks if mask]
        listed = " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
        if digests == idle and len(names) + 1 == len(effects.digests) > 1:
            kind, text = "dead-start", "no button changes anything at these moments"
            cure = "save the start state later, where the player is in control"
        elif digests == idle and names:
            kind, text = "no-effect", f"{listed} never changed anything"
            cure = f"leave {'them' if len(names) > 1 else 'it'} out of the scenario's actions"
        elif len(names) > 1:
            kind, text = "same-effect", f"{listed} did the same"
            cure = "keep one of them in the scenario's actions"
        else:
            continue
        yield Trap(
            kind=kind,
            is_serious=kind == "dead-start",
            source=effects.source,
            frames=(effects.moments[0], effects.moments[-1]),
            weight=float(kind == "dead-start"),
            evidence=f"{text}, from {len(effects.moments)} moments of play",
            cure=cure,
        )
