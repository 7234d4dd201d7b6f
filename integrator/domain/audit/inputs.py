"""Reward that needs no play: nothing pressed, or one thing held, earns it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from integrator.domain.audit.play import Play, Scene, Trap

_LEAST_SECONDS: Final = 10.0
_SERIOUS_SHARE: Final = 0.5
"""Such a play is a trap when it earns so much of the best other play's reward a minute."""
_WORTH_A_REMARK: Final = 0.1


def idle_reward(plays: Sequence[Play], scene: Scene) -> Iterator[Trap]:
    """Plays without a change of input that earn what others work for."""
    best = max((p.earned_a_minute() for p in plays if not p.is_constant), default=0.0)
    for play in plays:
        rate = play.earned_a_minute()
        if not play.is_constant or play.seconds < _LEAST_SECONDS or rate <= 0:
            continue
        if rate < _WORTH_A_REMARK * best:
            continue
        mask = int(play.inputs[0])
        paying = np.flatnonzero(play.earned > 0)
        what = f"{scene.spell(mask)} held" if mask else "no button pressed"
        beside = f", and the best other play {best:,.6g}" if best else ""
        yield Trap(
            kind="reward-without-input",
            is_serious=rate >= _SERIOUS_SHARE * best,
            source=play.source,
            frames=(int(paying[0]) + 1, int(paying[-1]) + 1),
            term=_payer(play),
            weight=min(1.0, rate / best) if best else 1.0,
            evidence=f"with {what} from the start, this play earned {rate:,.6g} a minute{beside}",
            cure="reward a change that only play can bring about; a term of measurement absolute "
            "pays on every frame",
        )


def _payer(play: Play) -> str:
    """The term that paid most."""
    sums = {name: float(column.sum()) for name, column in play.terms.items()}
    return max(sums, key=lambda name: sums[name], default="")
