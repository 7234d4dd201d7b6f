"""Reward for being hit: a term that pays when lives or health are lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.audit.play import Scene, ScoredPlay, Trap
from integrator.domain.audit.terms import LOSSES

_AROUND_FRAMES: Final = 8
_APART_FRAMES: Final = 60
"""Losses that follow each other sooner run down by themselves, as fuel does."""
_FEWEST: Final = 4
_PAID: Final = 0.8
"""So large a part of the losses is paid."""
_SHARE: Final = 0.5
"""So large a part of the term's pay comes with losses: where enemies that the player runs into pay,
others pay more."""


def paid_losses(plays: Sequence[ScoredPlay], _: Scene) -> Iterator[Trap]:
    """A term that pays most when a life or health is lost."""
    different = list({play.inputs.tobytes(): play for play in plays}.values())
    for lost in sorted({name for play in plays for name in play.values if LOSSES.search(name)}):
        for term in sorted({name for play in plays for name in play.earning} - {lost}):
            yield from _judged(different, lost, term)


def _judged(plays: Sequence[ScoredPlay], lost: str, term: str) -> Iterator[Trap]:
    losses = paid = 0
    by_losses = in_all = 0.0
    best: tuple[float, ScoredPlay, NDArray[np.int64]] | None = None
    for play in plays:
        if lost not in play.values or term not in play.terms:
            continue
        column = play.terms[term][play.until_done].clip(min=0)
        rows = _losses(play.values[lost][play.until_done])
        near = np.array([column[max(0, r - _AROUND_FRAMES) : r + _AROUND_FRAMES + 1].sum()
                         for r in rows])  # fmt: skip
        losses, paid = losses + len(rows), paid + int(np.count_nonzero(near))
        by_losses, in_all = by_losses + float(near.sum()), in_all + float(column.sum())
        if len(rows) and (best is None or near.sum() > best[0]):
            best = float(near.sum()), play, rows
    if best is None or paid < max(_FEWEST, _PAID * losses) or by_losses < _SHARE * in_all:
        return
    _, play, rows = best
    yield Trap(
        kind="paid-loss",
        is_serious=True,
        source=play.source,
        frames=(int(rows[0]) + 1, int(rows[-1]) + 1),
        term=term,
        weight=by_losses / in_all,
        evidence=f"{term} paid {by_losses:,.6g} of {in_all:,.6g} when {lost} fell, "
        f"{paid} of {losses} times",
        cure=f"reward another change, or give the loss of {lost} a larger penalty",
    )


def _losses(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rows on which a number falls, but none shortly after another."""
    rows = np.flatnonzero(np.diff(values, prepend=values[:1]) < 0)
    return rows[np.diff(rows, prepend=-_APART_FRAMES) >= _APART_FRAMES]
