"""The table of all rules with their words, and the audit that asks each of them."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Generic, TypeVar

from integrator.domain.audit import comparing, ending, paying
from integrator.domain.audit.paying import PaidTerm
from integrator.domain.audit.play import Memory, Scene, ScoredPlay, Trap
from integrator.domain.audit.traits import PlayedGame

Case = TypeVar("Case")


@dataclass(frozen=True, slots=True)
class Rule(Generic[Case]):
    """A kind of trap, the function that finds it in a term or a game, and its usual cure."""

    kind: str
    finds: Callable[[Case], Iterator[Trap]]
    cure: str = ""

    def traps(self, case: Case) -> Iterator[Trap]:
        """The traps of this kind, with their words."""
        for trap in self.finds(case):
            yield named(trap, self.kind, self.cure)


def named(trap: Trap, kind: str, cure: str) -> Trap:
    """The trap with its kind, and with the usual cure if it has none, or only a further clause."""
    given = trap.cure
    return replace(trap, kind=kind, cure=given if given and given[0] != ";" else cure + given)


_FARMED: Final = (
    "reward progress that cannot be repeated (a greatest value so far, a level), or limit how "
    "often this pays"
)
_ALIVE: Final = "tie done to the loss of the last life, or to the end of the level"
_TURN: Final = "turn the sign of the term's reward or penalty"
MISSED: Final = "add a done condition on the end of the game"

TERM_RULES: Final[tuple[Rule[PaidTerm], ...]] = (
    Rule("reward-without-input", paying.clockwork),
    Rule("farming", paying.farming, _FARMED),
    Rule("farming", paying.beaten, _FARMED),
    Rule("farming", paying.paid_presses),
    Rule("repaid", paying.repaid),
    Rule(
        "jump",
        paying.jumps,
        "give the variable a wider type, or a term for each of its bytes; or pay for other changes "
        "alone",
    ),
    Rule("misread", paying.misread),
    Rule("misread", paying.swapped),
)
"""Rules that judge each term of each play by itself."""
GAME_RULES: Final[tuple[Rule[PlayedGame], ...]] = (
    Rule("reward-without-input", comparing.idle_reward),
    Rule("reward-at-start", comparing.reward_at_start),
    Rule("reward-at-start", comparing.welcomed),
    Rule(
        "clock-only",
        ending.clock_only,
        "add a done condition for death: agents learn nothing from an end by time alone",
    ),
    Rule(
        "done-at-once",
        ending.done_at_once,
        "test the value that the game has at its end, and not one that it has from the start",
    ),
    Rule(
        "clock-only",
        ending.tests_clocks,
        "add a done condition on lives: agents learn nothing from an end by time alone",
    ),
    Rule("done-missed", ending.done_missed, "add a done condition on it"),
    Rule("done-missed", ending.no_done, MISSED),
    Rule("done-alive", ending.done_alive, _ALIVE),
    Rule("done-alive", ending.done_paid, _ALIVE),
    Rule("wrong-sign", comparing.wrong_sign, _TURN),
    Rule("wrong-sign", comparing.split_sign, _TURN),
    Rule(
        "wrong-sign",
        comparing.script_sign,
        _TURN.replace("term's reward or penalty", "script's reward"),
    ),
    Rule("paid-loss", comparing.paid_losses),
    Rule("share", comparing.shares),
)
"""Rules that compare all plays of a game."""


def judge_play(play: ScoredPlay, memory: Memory, scene: Scene) -> list[Trap]:
    if not play.frames:
        return []
    terms = [PaidTerm(name, column, play, memory, scene) for name, column in play.payers.items()]
    asked = TERM_RULES[:1] if scene.holds_menu(play) else TERM_RULES
    found = [trap for rule in asked for term in terms for trap in rule.traps(term)]
    if asked is not TERM_RULES:
        return found
    # A clock pays in any situation, also in the same.
    clocks = {trap.term for trap in found if trap.kind == "reward-without-input"}
    still = [named(trap, "done-missed", MISSED) for trap in ending.stands_still(play, memory)]
    farmed = [trap for trap in found if trap.kind != "farming" or trap.term not in clocks]
    return [*farmed, *still]


def judge_game(plays: Sequence[ScoredPlay], scene: Scene) -> list[Trap]:
    """The traps that show when plays are compared; a pause or a menu is no play."""
    filled = [play for play in plays if play.frames and not scene.holds_menu(play)]
    if not filled:
        return []
    game = PlayedGame.of(filled, scene)
    return [trap for rule in GAME_RULES for trap in rule.traps(game)]


def ranked(traps: Iterable[Trap]) -> list[Trap]:
    """One trap for each rule and term, with the clearest play; the one that spoils most first.

    A remark about one play hides no serious trap of another. Reward at the start is a remark where
    another trap is of all that its term pays: the cure of that one ends it.
    """
    best: dict[tuple[str, str], Trap] = {}
    counts: Counter[tuple[str, str]] = Counter()
    for trap in traps:
        key = (trap.kind, trap.term)
        counts[key] += 1
        if key not in best or _gravity(trap) > _gravity(best[key]):
            best[key] = trap
    of_all_it_pays = {"repaid", "reward-without-input"}
    spoilt = {t.term for t in best.values() if t.is_serious and t.kind in of_all_it_pays and t.term}
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
