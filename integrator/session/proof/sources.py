"""Finds the number that another one is computed from, by pokes that move both."""

from collections.abc import Sequence
from typing import Final

from integrator.session.proof.bench import Trial
from integrator.session.proof.judge import OVERWRITTEN
from integrator.session.proof.lab import Target

_FOLLOWED_SHARE: Final = 0.5
"""Of the frames on which a poked number differs, a copy has the difference on more than these."""

_MOVED_SHARE: Final = 0.3
_CHAOS_SHARE: Final = 0.2
"""Of memory: a poke that changes more than this has led the game elsewhere."""


def source_followed(target: Target, trials: Sequence[Trial]) -> Target | None:
    """The number that ``target`` follows most: poked, it moves the target by the same difference.

    Originals come before copies.
    """
    originals = {trial.target for trial in trials if trial.course.kind == "carried-on"}
    shares: dict[Target, float] = {}
    for trial in trials:
        if not trial.target.overlaps(target) and trial.course.kind != "rewritten":
            share = _followed(target, trial)
            shares[trial.target] = max(share, shares.get(trial.target, 0.0))
    found = [other for other, share in shares.items() if share >= _FOLLOWED_SHARE]
    found.sort(key=lambda other: (other not in originals, -shares[other]))
    return found[0] if found else None


def moves(target: Target, trials: Sequence[Trial]) -> bool:
    """True when several pokes move the target, and to other numbers for other pokes.

    A table of glyphs turns a digit into a pointer, so that the two move by different amounts. A
    poke may also change a digit that the target does not show.
    """
    if any(trial.course.kind == "rewritten" for trial in trials):
        return False
    calm = [trial for trial in trials if trial.spread <= _CHAOS_SHARE]
    moved = [trial for trial in calm if _moved_share(target, trial) >= _FOLLOWED_SHARE]
    told_apart = any(
        (one.poked[target] != other.poked[target]).any()
        for number, one in enumerate(moved)
        for other in moved[:number]
        if one.moment is other.moment
    )
    return told_apart and len(moved) >= max(2, len(trials) * _MOVED_SHARE)


def switches(target: Target, trials: Sequence[Trial]) -> bool:
    """True when most pokes last and move the target, be it to the same number: an icon comes.

    That proves little unless nothing else moves the target, because a flag of the game's end moves
    a lot.
    """
    if any(trial.course.kind in OVERWRITTEN for trial in trials):
        return False
    moved = [trial for trial in trials if _moved_share(target, trial) >= _FOLLOWED_SHARE]
    return len(moved) > max(1, len(trials) / 2)


def moves_at_all(target: Target, trials: Sequence[Trial]) -> bool:
    """True when any poke moved the target on any frame."""
    return any((trial.poked[target] != trial.base[target]).any() for trial in trials)


def _moved_share(target: Target, trial: Trial) -> float:
    """Share of the frames with a difference on which the target had one."""
    lead = trial.poked[trial.target] != trial.base[trial.target]
    if not lead.any():
        return 0.0
    return float((trial.poked[target] != trial.base[target])[lead].mean())


def _followed(target: Target, trial: Trial) -> float:
    """Share of the frames with a difference on which the target had the same one."""
    own = trial.poked[target] - trial.base[target]
    lead = trial.poked[trial.target] - trial.base[trial.target]
    return float((own == lead)[lead != 0].mean()) if lead.any() else 0.0
