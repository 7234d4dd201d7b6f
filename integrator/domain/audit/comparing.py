"""Rules that compare the plays of a game, and the rule for buttons without effect."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.audit import traits
from integrator.domain.audit.paying import held, play_alone
from integrator.domain.audit.play import Scene, ScoredPlay, Trap, noticed

_START_FRAMES: Final = 2  # No input can have an effect on these first frames.


def idle_reward(game: traits.PlayedGame) -> Iterator[Trap]:
    """Find plays with a constant input that earn much of what the best other play earns.

    The plays are compared by their reward in the same time, because an idle play that ends early
    may have been lucky until then. They are also compared by their reward per minute, because an
    idle play may at last earn all that a short episode pays. The smaller share counts, and is a
    trap from one tenth on. A held button is only a remark, because holding right may be playing."""
    long = [play for play in game.plays if play.seconds >= traits.LONG]
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
        if earned <= 0 or share < 1 - traits.NEARLY:
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
            # Fewer payments may be luck, because in some games enemies destroy each other.
            is_serious=play.is_idle and len(paying) >= traits.OFTEN and share >= traits.MOST,
            cure=play_alone(term, game.scene),
        )


def _best_other(play: ScoredPlay, plays: Sequence[ScoredPlay]) -> tuple[int, ScoredPlay | None]:
    """Return the number of frames to compare, and the best other play that presses buttons."""
    best, frames, most = None, play.frames, 0.0
    for other in plays:
        common = min(play.frames, other.frames)
        earned = other.earned_within(common)
        if other is not play and not other.is_idle and earned > most:
            best, frames, most = other, common, earned
    return frames, best


def wrong_sign(game: traits.PlayedGame) -> Iterator[Trap]:
    """Find terms that charge for the rise of a score or stage, or pay for the loss of lives."""
    paid = {name for name in game.scores if _pays(game, name)}
    paid |= game.possible_scores & game.scene.rewarded
    for play in game.plays:
        for name, column in play.terms.items():
            if name not in play.values:
                continue
            change = traits.steps(play.values[name])
            if name in game.lives:
                moved, wrong, text = change < 0, column > 0, "pays when it falls"
            elif name in game.stages or (name in game.scores and not paid - {name}):
                # If another score pays, this one may be the opponent's, whose rise should cost.
                moved, wrong, text = change > 0, column < 0, "costs when it rises"
            else:
                continue
            rows = moved & wrong
            if 2 * rows.sum() > moved.sum() and _is_of_change(play, wrong, rows):
                yield _turned(play, name, column, rows, text)


def _turned(
    play: ScoredPlay, name: str, column: NDArray[np.floating], rows: traits.Mask, text: str
) -> Trap:
    evidence = f"{name} {text}: {int(rows.sum())} times, {column[rows].sum():+,.6g} in all"
    return noticed(play, rows, evidence, term=name)


def _pays(game: traits.PlayedGame, name: str) -> bool:
    own = [play for play in game.plays if name in play.values.keys() & play.terms]
    return any((play.terms[name][traits.steps(play.values[name]) > 0] > 0).any() for play in own)


def split_sign(game: traits.PlayedGame) -> Iterator[Trap]:
    """Find a score in two variables, ``high`` and ``low``, that costs when ``low`` overflows."""
    names = sorted({name for play in game.plays for name in play.terms.keys() & play.values.keys()})
    for low, high in permutations(names, 2):
        base, width = game.scene.digits.get(low, (0, 1))
        plays = [play for play in game.plays if {low, high} <= play.values.keys() & play.terms]
        wholes = [play.values[high] * base**width + play.values[low] for play in plays]
        falls = [traits.steps(play.values[low])[play.until_done] < 0 for play in plays]
        carries = sum(int(each.sum()) for each in falls)
        if not base or carries < 2 or traits.is_clock(low, plays) or not traits.grows(wholes):
            continue
        for play, whole, fall in zip(plays, wholes, falls, strict=True):
            column = play.terms[low] + play.terms[high]
            moved, wrong = traits.steps(whole) > 0, column < 0
            is_carried = (traits.steps(play.values[high])[play.until_done] == 1)[fall].all()
            rows = moved & wrong
            if is_carried and 2 * rows.sum() > moved.sum() and _is_of_change(play, wrong, rows):
                text = f"costs when it rises together with {low}, whose overflows it counts"
                yield _turned(play, high, column, rows, text)


def script_sign(game: traits.PlayedGame) -> Iterator[Trap]:
    """Find a script that charges for the majority of the rises of every score."""
    for play in game.plays:
        kept = sorted(game.scores & play.values.keys())
        rising = [traits.steps(play.values[name]) > 0 for name in kept]
        # If another score has hardly risen, the one that rises may be the opponent's.
        if (
            not rising
            or game.possible_scores
            or min(int(each.sum()) for each in rising) < traits.FEW
        ):
            continue
        for name, column in play.earning.items():
            costs = column < 0
            rows = np.logical_or.reduce(rising) & costs
            often = all(2 * (rises & costs).sum() > rises.sum() for rises in rising)
            if name not in play.values and often and _is_of_change(play, costs, rows):
                yield _turned(play, name, column, rows, "costs when the score rises")


def _is_of_change(play: ScoredPlay, wrong: traits.Mask, rows: traits.Mask) -> bool:
    """Return True if at least half of the ``wrong`` rows are in ``rows``, where a number changes. A
    term that pays by a number's value has the same sign on the frames without a change."""
    return bool((wrong & ~rows)[play.until_done].sum() <= rows.sum())


def paid_losses(game: traits.PlayedGame) -> Iterator[Trap]:
    """Find terms that pay when a life or health is lost, and little otherwise."""
    for lost in sorted(game.lives):
        for term in sorted({name for play in game.plays for name in play.earning} - {lost}):
            yield from _loses(traits.different(game.plays), lost, term)


def _loses(plays: Sequence[ScoredPlay], lost: str, term: str) -> Iterator[Trap]:
    losses = 0
    sums: list[float] = []
    sizes: Counter[float] = Counter()
    in_all: Counter[float] = Counter()
    found: list[tuple[float, ScoredPlay, traits.Rows]] = []
    for play in plays:
        if lost not in play.values or term not in play.terms:
            continue
        column = play.terms[term][play.until_done].clip(min=0)
        in_all.update(column[column > 0].tolist())
        # Fuel runs down by itself, so a loss within a second of the one before does not count.
        rows = np.flatnonzero(traits.steps(play.values[lost][play.until_done]) < 0)
        rows = rows[np.diff(rows, prepend=-play.fps) >= play.fps]
        near = [column[max(0, row - traits.SLACK) : row + traits.SLACK + 1] for row in rows]
        losses += len(rows)
        sums += [float(each.sum()) for each in near if each.any()]
        sizes.update(size for each in near for size in set(each[each > 0].tolist()))
        if len(rows):
            found.append((float(sum(each.sum() for each in near)), play, rows))
    total = sum(size * count for size, count in in_all.items())
    if not found or len(sums) <= max(traits.FEW, traits.MOST * losses - 1):
        return
    # Enemies that the player runs into may pay as well. That is no trap if most of the reward, and
    # most payments of this amount, come from elsewhere.
    size, count = max(sizes.items(), key=lambda each: each[1])
    own = count >= max(traits.OFTEN, traits.MOST * losses) and count >= traits.HALF * in_all[size]
    if sum(sums) >= traits.HALF * total or own:
        _, play, rows = max(found, key=lambda each: each[0])
        text = f"{term} paid {sum(sums):,.6g} of its {total:,.6g} in all when {lost} fell"
        yield noticed(
            play,
            rows,
            f"{text}, {len(sums)} of {losses} times",
            term=term,
            weight=sum(sums) / total,
            cure=f"reward another change, or give the loss of {lost} a larger penalty",
        )


def reward_at_start(game: traits.PlayedGame) -> Iterator[Trap]:
    """Find reward on the first two frames of most plays, where no input can have an effect yet."""
    plays = game.plays
    paid = [
        play
        for play in plays
        # If most frames pay, the reward is not a matter of the start.
        if play.earned[:_START_FRAMES].any()
        and np.mean(play.earned[play.until_done] != 0) < traits.HALF
        and np.mean(play.earned[play.until_done][: int(play.fps)] != 0) < traits.HALF
    ]
    if 2 * len(paid) > len(plays):
        rows = np.arange(min(_START_FRAMES, paid[0].frames))
        yield noticed(
            paid[0],
            rows,
            f"the first {_START_FRAMES} frames pay {paid[0].earned[rows].sum():+,.6g} in "
            f"{len(paid)} of {len(plays)} plays, before any input has an effect",
            term=_payer_on(paid[0], rows),
            cure="save the start state later, when the game has set the variable",
        )


def early_reward(game: traits.PlayedGame) -> Iterator[Trap]:
    """Find a reward that almost all plays get on the same frame of their first three seconds."""
    first = max(int(play.fps * traits.AROUND) for play in game.plays)
    long = [play for play in game.plays if len(play.rewards[play.until_done]) >= first]
    alike = list({play.inputs[:first].tobytes(): play for play in long}.values())
    idle = next((play for play in alike if not play.inputs[:first].any()), None)
    if len(alike) < traits.FEW or idle is None:
        return
    heads = np.array([traits.earned_by_events(play)[:first] for play in alike])
    # Players may begin alike, but a reward that comes with nothing pressed was not earned.
    usual = traits.earned_by_events(idle)[:first]
    common = (usual > 0) & (np.mean(heads == usual, axis=0) >= traits.NEARLY)
    common[:_START_FRAMES] = False
    rows = np.flatnonzero(common)
    # Three or more such rewards are reported by the rule for reward without input.
    if 0 < len(rows) < traits.FEW:
        yield noticed(
            idle,
            rows,
            f"frame {rows[0] + 1:,} pays {usual[rows[0]]:+,.6g} in almost all of {len(alike)} "
            "plays, whatever is pressed",
            term=_payer_on(idle, rows),
            cure="save the start state later, after this reward",
        )


def _payer_on(play: ScoredPlay, rows: traits.Rows) -> str:
    sums = {name: float(np.abs(column[rows]).sum()) for name, column in play.earning.items()}
    return max(sums, key=lambda name: sums[name], default="")


def shares(game: traits.PlayedGame) -> Iterator[Trap]:
    """Remark on terms that never pay, and on a term that pays 98% of all reward."""
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
            cure = f"play until {name} changes, or remove the term"
        elif len(sums) > 1 and paid >= 0.98 * total:
            text = f"{name} pays {paid / total:.1%} of all reward; the other terms do not count"
            cure = "balance the terms, so that each of them matters to an agent"
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
    """Digests of memory after each mask of buttons was pressed at several moments of a play.
    ``digests`` has one digest per moment for each mask, and also for mask 0, which presses nothing.
    ``source`` names the play, and ``moments`` are its frames."""

    source: str
    moments: tuple[int, ...]
    digests: Mapping[int, tuple[bytes, ...]]


def without_effect(effects: Effects, scene: Scene) -> Iterator[Trap]:
    """Find buttons that change memory in the same way as no button, or as another button."""
    idle = effects.digests[0]
    groups: dict[tuple[bytes, ...], list[int]] = {}
    for mask, digests in effects.digests.items():
        groups.setdefault(digests, []).append(mask)
    for digests, masks in groups.items():
        names = [scene.spell(mask) for mask in masks if mask]
        listed = " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
        if digests == idle and len(names) + 1 == len(effects.digests) > 1:
            kind, text = "dead-start", "no button changed anything"
            cure = "save the start state later, where the player is in control"
        elif digests == idle and names:
            kind, text = "no-effect", f"{listed} changed nothing"
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
            evidence=f"{text}, tried at {len(effects.moments)} moments of play",
            cure=cure,
        )
