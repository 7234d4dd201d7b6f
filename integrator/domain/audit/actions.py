"""Buttons that do nothing, and buttons that do the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from integrator.domain.audit.play import Scene, Trap


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
        if digests == idle and names:
            if len(names) + 1 == len(effects.digests):
                yield _trap(
                    effects,
                    "dead-start",
                    "no button changes anything at these moments",
                    "save the start state later, where the player is in control",
                    is_serious=True,
                )
                return
            yield _trap(
                effects,
                "no-effect",
                f"{_listed(names)} never changed anything",
                f"leave {'them' if len(names) > 1 else 'it'} out of the scenario's actions",
            )
        elif len(names) > 1:
            yield _trap(
                effects,
                "same-effect",
                f"{_listed(names)} did the same",
                "keep one of them in the scenario's actions",
            )


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _trap(
    effects: Effects, kind: str, evidence: str, cure: str, *, is_serious: bool = False
) -> Trap:
    text = f"{evidence}, from {len(effects.moments)} moments of play"
    frames = (effects.moments[0], effects.moments[-1])
    return Trap(
        kind=kind,
        is_serious=is_serious,
        source=effects.source,
        frames=frames,
        term="",
        weight=float(is_serious),
        evidence=text,
        cure=cure,
    )
