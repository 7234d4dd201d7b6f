"""The table of all rules, and the audit that asks each of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from integrator.domain.audit.ending import (
    clock_only,
    done_alive,
    done_missed,
    done_paid,
    stands_still,
    tests_clocks,
)
from integrator.domain.audit.farming import beaten, farming, repaid
from integrator.domain.audit.inputs import clockwork, idle_reward
from integrator.domain.audit.losses import paid_losses
from integrator.domain.audit.play import Memory, Scene, ScoredPlay, Trap
from integrator.domain.audit.presses import paid_presses
from integrator.domain.audit.readings import misread, swapped
from integrator.domain.audit.terms import (
    jumps,
    reward_at_start,
    script_sign,
    shares,
    welcomed,
    wrong_sign,
)

PlayRule: TypeAlias = Callable[[ScoredPlay, Scene], Iterator[Trap]]
GameRule: TypeAlias = Callable[[Sequence[ScoredPlay], Scene], Iterator[Trap]]

PLAY_RULES: Final[tuple[PlayRule, ...]] = (
    clockwork,
    beaten,
    paid_presses,
    repaid,
    done_alive,
    wrong_sign,
    script_sign,
    jumps,
    misread,
    swapped,
)
"""Rules that judge each play by itself; ``judge_play`` asks those that need memory beside them."""
GAME_RULES: Final[tuple[GameRule, ...]] = (
    idle_reward,
    reward_at_start,
    welcomed,
    clock_only,
    tests_clocks,
    done_missed,
    done_paid,
    paid_losses,
    shares,
)
"""Rules that compare all plays of a game."""


def judge_play(play: ScoredPlay, memory: Memory, scene: Scene) -> list[Trap]:
    """The traps of one play."""
    if not play.frames:
        return []
    if scene.holds_menu(play):
        return list(clockwork(play, scene))
    found = [trap for rule in PLAY_RULES for trap in rule(play, scene)]
    # A clock pays in any situation, also in the same.
    clocks = {trap.term for trap in found if trap.kind == "reward-without-input"}
    farmed = (trap for trap in farming(play, memory) if trap.term not in clocks)
    return [*farmed, *stands_still(play, memory), *found]


def judge_game(plays: Sequence[ScoredPlay], scene: Scene) -> list[Trap]:
    """The traps that show when plays are compared; a pause or a menu is no play."""
    filled = [play for play in plays if play.frames and not scene.holds_menu(play)]
    return [trap for rule in GAME_RULES for trap in rule(filled, scene)] if filled else []


_SPOILS_A_TERM: Final = frozenset({"repaid", "reward-without-input"})
"""Serious traps of these kinds are of all that a term pays, its start included."""


def ranked(traps: Iterable[Trap]) -> list[Trap]:
    """One trap for each rule and term, with the clearest play; the one that spoils most first.

    A remark about one play hides no serious trap of another. Reward at the start is a remark beside
    a trap of all that its term pays: the cure of that one ends the other.
    """
    best: dict[tuple[str, str], Trap] = {}
    counts: Counter[tuple[str, str]] = Counter()
    for trap in traps:
        key = (trap.kind, trap.term)
        counts[key] += 1
        if key not in best or _gravity(trap) > _gravity(best[key]):
            best[key] = trap
    spoilt = {t.term for t in best.values() if t.is_serious and t.kind in _SPOILS_A_TERM and t.term}
    found = [
        replace(
            trap,
            plays=counts[key],
            is_serious=trap.is_serious
            and not (trap.kind == "reward-at-start" and trap.term in spoilt),
        )
        for key, trap in best.items()
    ]
    return sorted(found, key=_gravity, reverse=True)


def _gravity(trap: Trap) -> tuple[bool, float]:
    return trap.is_serious, trap.weight
