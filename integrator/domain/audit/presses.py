"""Presses that pay at once: an agent that taps the button needs no game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.audit.play import Scene, ScoredPlay, Trap, span_of

_FEWEST: Final = 8
_LATENCIES: Final = range(3)
"""Frames from a press to its pay: shots and blows need more until they hit."""
_PAYING: Final = 0.5
"""So large a part of the presses pays."""
_BY_PRESSES: Final = 0.75
"""So large a part of the term's payments comes with presses, and most of these are of one size."""
_PAUSE_FRAMES: Final = 6
"""Presses that follow each other sooner meet any payment by chance."""
_CHAIN_SECONDS: Final = 2.0
"""In longer pauses between payments the player died, or had to walk."""


@dataclass(frozen=True, slots=True)
class _Paid:
    """Rows that a term pays, and those on which a button goes down."""

    rows: NDArray[np.int64]
    pressed: NDArray[np.int64]
    sizes: NDArray[np.floating]

    def hits(self, latency: int) -> NDArray[np.bool_]:
        """The presses that pay so many frames later."""
        return np.isin(self.pressed + latency, self.rows)


def paid_presses(play: ScoredPlay, scene: Scene) -> Iterator[Trap]:
    """Almost every press of one button pays, always after as many frames."""
    inputs = play.inputs[play.until_done]
    for name, column in play.payers.items():
        earned = column[play.until_done]
        rows = np.flatnonzero(earned > 0)
        if len(rows) < _FEWEST:
            continue
        for bit, button in enumerate(scene.buttons):
            down = (inputs >> bit & 1).astype(np.int8)
            pressed = np.flatnonzero(np.diff(down, prepend=down[:1]) > 0)
            found = [_found(_Paid(rows, pressed, earned[rows]), play, each) for each in _LATENCIES]
            best = max(found, key=len)
            if button and len(best):
                share = float(earned[best].sum() / earned[rows].sum())
                yield _trap(play, name, button, best, share)
                break


def _found(paid: _Paid, play: ScoredPlay, latency: int) -> NDArray[np.int64]:
    """The rows paid by presses; none when chance or the game may explain them."""
    hits = paid.hits(latency)
    at = paid.pressed[hits] + latency
    none = at[:0]
    if len(at) < max(_FEWEST, _BY_PRESSES * len(paid.rows)):
        return none
    near = np.diff(at) <= _CHAIN_SECONDS * play.fps
    places = np.flatnonzero(hits)
    between = int(np.diff(places)[near].sum())
    frames = int(np.diff(at)[near].sum())
    chained = int(near.sum())
    if chained < _FEWEST - 1 or chained < _PAYING * between or frames < _PAUSE_FRAMES * between:
        return none
    _, counts = np.unique(paid.sizes[np.isin(paid.rows, at)], return_counts=True)
    return at if counts.max() >= _BY_PRESSES * len(at) else none


def _trap(play: ScoredPlay, term: str, button: str, rows: NDArray[np.int64], share: float) -> Trap:
    return Trap(
        kind="farming",
        is_serious=True,
        source=play.source,
        frames=span_of(rows),
        term=term,
        weight=min(1.0, share),
        evidence=f"{f'the term {term}' if term else 'the script'} paid {len(rows)} presses of "
        f"{button} at once: {share:.0%} of what it paid",
        cure="reward what the press brings about in the game, and not the press",
    )
