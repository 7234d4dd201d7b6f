"""The tables of all audit rules with their cures, and the functions that apply them to plays."""

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
    """A kind of trap, the function that finds such traps in a term or a game, and their cure."""

    kind: str
    finds: Callable[[Case], Iterator[Trap]]
    cure: str = ""

    def traps(self, case: Case) -> Iterator[Trap]:
        for trap in self.finds(case):
            yield named(trap, self.kind, self.cure)


def named(trap: Trap, kind: str, cure: str) -> Trap:
    """Return the trap with its kind and its cure.

    A trap without a cure gets the usual ``cure``. A trap's cure that begins with a semicolon is
    appended to the usual one; any other replaces it."""
    given = trap.cure
    return replace(trap, kind=kind, cure=given if given and given[0] != ";" else cure + given)


_FARMED: Final = (
    "reward progress that cannot be repeated (a greatest value so far, a level), or limit how "
    "often this pays"
)
_ALIVE: Final = "tie done to the loss of the last life, or to the end of the level"
_TURN: Final = "change the sign of the term's reward or penalty"
MISSED: Final = "add a done condition on the end of the game"

TERM_RULES: Final[tuple[Rule[PaidTerm], ...]] = (  # each looks at one term of one play
    Rule("reward-without-input", paying.clockwork),
    Rule("farming", paying.farming, _FARMED),
    Rule("farming", paying.paid_in_step, _FARMED),
    Rule("farming", paying.paid_presses),
    Rule("repaid", paying.repaid),
    Rule(
        "jump",
        paying.jumps,
        "give the variable a wider type, or give each of its bytes a term; or reward only its "
        "other changes",
    ),
    Rule("misread", paying.misread),
    Rule("misread", paying.swapped),
)
GAME_RULES: Final[tuple[Rule[PlayedGame], ...]] = (  # each compares all plays of a game
    Rule("reward-without-input", comparing.idle_reward),
    Rule("reward-at-start", comparing.reward_at_start),
    Rule("reward-at-start", comparing.early_reward),
    Rule(
        "clock-only",
        ending.clock_only,
        "add a done condition for death, because an end by time alone teaches agents nothing",
    ),
    Rule(
        "done-at-once",
        ending.done_at_once,
        "test for a value that the variable has only at the end of the game, not at its start",
    ),
    Rule(
        "clock-only",
        ending.tests_clocks,
        "add a done condition on lives, because an end by time alone teaches agents nothing",
    ),
    Rule("done-missed", ending.done_missed, "add a done condition for this moment"),
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


def judge_play(play: ScoredPlay, memory: Memory, scene: Scene) -> list[Trap]:
    if not play.frames:
        return []
    terms = [PaidTerm(name, column, play, memory, scene) for name, column in play.payers.items()]
    asked = TERM_RULES[:1] if scene.holds_menu(play) else TERM_RULES
    found = [trap for rule in asked for term in terms for trap in rule.traps(term)]
    if asked is not TERM_RULES:
        return found
    # A term that pays by a clock also pays in equal situations, but nobody farms there.
    clocks = {trap.term for trap in found if trap.kind == "reward-without-input"}
    still = [named(trap, "done-missed", MISSED) for trap in ending.stands_still(play, memory)]
    farmed = [trap for trap in found if trap.kind != "farming" or trap.term not in clocks]
    return [*farmed, *still]


def judge_game(plays: Sequence[ScoredPlay], scene: Scene) -> list[Trap]:
    """Return the traps that a comparison of all plays shows.

    Plays that hold a menu button are left out, because a paused game is not played."""
    filled = [play for play in plays if play.frames and not scene.holds_menu(play)]
    if not filled:
        return []
    game = PlayedGame.of(filled, scene)
    return [trap for rule in GAME_RULES for trap in rule.traps(game)]


def ranked(traps: Iterable[Trap]) -> list[Trap]:
    """Return the gravest trap for each kind and term, the gravest of all first.

    Every serious trap is graver than a remark; otherwise the larger weight decides. Reward at the
    start becomes a remark if the cure of another trap of its term ends it, too."""
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
