"""Reward for being hit: a term that pays when lives or health are lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.audit.play import Scene, ScoredPlay, Trap, span_of
from integrator.domain.audit.terms import LOSSES

_AROUND_FRAMES: Final = 8
_APART_FRAMES: Final = 60
"""Losses that follow each other sooner run down by themselves, as fuel does."""
_FEWEST: Final = 4
_PAID: Final = 0.8
"""So large a part of the losses is paid."""
_FEWEST_OF_ONE: Final = 8
_OF_ONE: Final = 0.6
"""So large a part of the payments of one amount comes with losses: a loss may win a life back."""
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
    losses = 0
    sums: list[float] = []
    sizes: Counter[float] = Counter()
    in_all: Counter[float] = Counter()
    best: tuple[float, ScoredPlay, NDArray[np.int64]] | None = None
    for play in plays:
        if lost not in play.values or term not in play.terms:
            continue
        column = play.terms[term][play.until_done].clip(min=0)
        in_all.update(column[column > 0].tolist())
        rows = _losses(play.values[lost][play.until_done])
        near = [column[max(0, row - _AROUND_FRAMES) : row + _AROUND_FRAMES + 1] for row in rows]
        losses += len(rows)
        sums += [float(each.sum()) for each in near if each.any()]
        sizes.update(size for each in near for size in set(each[each > 0].tolist()))
        by_these = float(sum(each.sum() for each in near))
        if len(rows) and (best is None or by_these > best[0]):
            best = by_these, play, rows
    total = sum(size * count for size, count in in_all.items())
    if best is None or len(sums) < max(_FEWEST, _PAID * losses):
        return
    if sum(sums) < _SHARE * total and not _of_its_own(sizes, in_all, losses):
        return
    _, play, rows = best
    evidence = f"{term} paid {sum(sums):,.6g} of {total:,.6g} when {lost} fell"
    yield Trap(
        kind="paid-loss",
        is_serious=True,
        source=play.source,
        frames=span_of(rows),
        term=term,
        weight=sum(sums) / total,
        evidence=f"{evidence}, {len(sums)} of {losses} times",
        cure=f"reward another change, or give the loss of {lost} a larger penalty",
    )


def _of_its_own(sizes: Counter[float], in_all: Counter[float], losses: int) -> bool:
    """True when losses pay one amount that little else pays."""
    size, count = max(sizes.items(), key=lambda each: each[1])
    return count >= max(_FEWEST_OF_ONE, _PAID * losses) and count >= _OF_ONE * in_all[size]


def _losses(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rows on which a number falls, but none shortly after another."""
    rows = np.flatnonzero(np.diff(values, prepend=values[:1]) < 0)
    return rows[np.diff(rows, prepend=-_APART_FRAMES) >= _APART_FRAMES]
